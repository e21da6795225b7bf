/** The last button that was pressed before it was alive; the page's first script writes it. */
declare global {
  interface Window {
    earlyPress?: { button: HTMLButtonElement | null }
  }
}

/**
 * The page's first script: remembers the last press of a button that does nothing yet. What React has brought alive bears
 * its mark, and a press that woke its part of the page was heard; links need no help, and forms cannot be sent yet. Any
 * later press, of whatever else, is what was meant.
 */
export const EARLY_PRESS_SCRIPT = `(() => {
  const kept = (window.earlyPress = { button: null })
  const isAlive = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  addEventListener('click', ({ target, isTrusted }) => {
    if (!isTrusted) return
    const button = target instanceof Element ? target.closest('button:not([type=submit])') : null
    kept.button = button && !isAlive(button) ? button : null
    setTimeout(() => {
      if (kept.button === button && button && isAlive(button)) kept.button = null
    })
  }, true)
})()`

/** Presses once more, now that the page is alive, what was pressed before. */
export function replayEarlyPress(): void {
  const kept = window.earlyPress
  const button = kept?.button
  if (!kept || !button) return
  kept.button = null
  if (button.isConnected && !button.disabled) button.click()
}
