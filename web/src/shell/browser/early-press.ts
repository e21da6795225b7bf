/** What somebody did before the page was alive; the page's first script writes it. */
declare global {
  interface Window {
    earlyPress?: {
      /** The last button that was pressed. */
      button: HTMLButtonElement | null
      /** What was typed into which field. */
      texts: Map<HTMLInputElement, string>
      /** The last form that was sent. */
      form: HTMLFormElement | null
    }
  }
}

/**
 * The page's first script: remembers the last press of a button that does nothing yet, what was typed, and the form that
 * was sent with the Enter key, which must not leave the page. What React has brought alive bears its mark, and what woke
 * its part of the page was heard; links need no help. Any later press, of whatever else, is what was meant.
 */
export const EARLY_PRESS_SCRIPT = `(() => {
  const kept = (window.earlyPress = { button: null, texts: new Map(), form: null })
  const isAlive = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  addEventListener('click', ({ target, isTrusted }) => {
    if (!isTrusted) return
    const button = target instanceof Element ? target.closest('button:not([type=submit])') : null
    kept.button = button && !isAlive(button) ? button : null
    setTimeout(() => {
      if (kept.button === button && button && isAlive(button)) kept.button = null
    })
  }, true)
  addEventListener('input', ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof HTMLInputElement)) return
    if (isAlive(target)) kept.texts.delete(target)
    else kept.texts.set(target, target.value)
  }, true)
  addEventListener('submit', (event) => {
    if (!event.isTrusted || isAlive(event.target)) return
    event.preventDefault()
    kept.form = event.target
  }, true)
})()`

/** Does once more, now that the page is alive, what was done before: focus, texts, a form, a press. */
export function replayEarlyPress(): void {
  const kept = window.earlyPress
  if (!kept) return
  const { button, texts, form } = kept
  Object.assign(kept, { button: null, texts: new Map(), form: null })

  // The focus has stayed where it was, but nobody heard it come.
  const focused = document.activeElement
  if (focused !== null && focused !== document.body) {
    focused.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  }
  for (const [field, text] of texts) if (field.isConnected) typeAgain(field, text)
  // The texts are its fields' by then.
  if (form?.isConnected === true) setTimeout(() => form.requestSubmit())
  if (button?.isConnected === true && !button.disabled) button.click()
}

/** Tells a field's owner what stands in it, as if it had just been typed. */
function typeAgain(field: HTMLInputElement, text: string): void {
  // React keeps this the value that it knows of.
  if (field.defaultValue === text) return
  // React hears of a change only from the value that it saw last, and sees what is written by the field's own setter.
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
