/**
 * Buttons that an arrow key would open, so that a viewer could not move past them by arrow keys. Ondine opens
 * these buttons only by Enter, the space bar, or an arrow key with Alt.
 */
export const OPENS_BY_ARROW =
  'button:is([aria-haspopup="listbox"], [aria-haspopup="true"])[aria-expanded="false"]'

/** Input before hydration. The page's first script records it. */
declare global {
  interface Window {
    eventReplay?: {
      /** The last pressed button. */
      button: HTMLButtonElement | null
      /** Typed texts by field. */
      texts: Map<HTMLInputElement, string>
      /** The last submitted form. */
      form: HTMLFormElement | null
      /** Arrow keys that were pressed before the code for arrow keys had loaded; undefined afterwards. */
      arrows: KeyboardEvent[] | undefined
    }
  }
}

/**
 * The page's first script. It records input before hydration: the last press of a button, typed texts, a form
 * submitted with Enter, and arrow keys. It keeps the browser from sending the form itself. The script recognises
 * hydrated elements by React's properties. If a press triggers the hydration of its part of the page, React replays
 * this press itself. Any later press of any element replaces the recorded press. Buttons that an arrow key would open
 * do not receive that key. Links work without the script.
 */
export const EVENT_REPLAY_SCRIPT = `(() => {
  const kept = (window.eventReplay = { button: null, texts: new Map(), form: null, arrows: [] })
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
  addEventListener('keydown', (event) => {
    if (!kept.arrows || !event.key?.startsWith('Arrow')) return
    kept.arrows.push(event)
    if (!event.altKey && event.target.matches?.('${OPENS_BY_ARROW}')) event.stopPropagation()
  }, true)
})()`

/** Returns whether an arrow key was pressed before the code for arrow keys had loaded. */
export function hasEarlyArrow(): boolean {
  return (window.eventReplay?.arrows ?? []).length > 0
}

/**
 * Returns the arrow keys that were pressed before the code for arrow keys had loaded. Stops the recording of arrow
 * keys.
 */
export function takeEarlyArrows(): readonly KeyboardEvent[] {
  const kept = window.eventReplay
  const arrows = kept?.arrows ?? []
  if (kept) kept.arrows = undefined
  return arrows
}

/** Replays the recorded input after hydration: the focus, typed texts, a submitted form and a press. */
export function replayEarlyEvents(): void {
  const kept = window.eventReplay
  if (!kept) return
  const { button, texts, form } = kept
  Object.assign(kept, { button: null, texts: new Map(), form: null })

  // The viewer may have focused an element before hydration, and its component has not received this event.
  const focused = document.activeElement
  if (focused !== null && focused !== document.body) {
    focused.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  }
  for (const [field, text] of texts) if (field.isConnected) typeAgain(field, text)
  // Delayed, so that the fields have their texts first.
  if (form?.isConnected === true) setTimeout(() => form.requestSubmit())
  if (button?.isConnected === true && !button.disabled) button.click()
}

/** Reports a text to the component of a field, as if the viewer had just typed it. */
function typeAgain(field: HTMLInputElement, text: string): void {
  // React writes the rendered text to `defaultValue`. If it equals the typed text, the component already has this
  // text.
  if (field.defaultValue === text) return
  // React detects a change only if the value differs from the last value that React has seen, and only if the
  // native setter is used.
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
