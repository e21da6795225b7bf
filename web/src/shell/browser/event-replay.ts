/**
 * Controls that an arrow key would open or change, so that a viewer could not move past them by arrow keys.
 * Here they open only by Enter, the space bar, or an arrow key with Alt.
 */
export const OPENS_BY_ARROW =
  'button:is([aria-haspopup="listbox"], [aria-haspopup="true"])[aria-expanded="false"]'

/** Input before hydration, recorded by the page's first script. */
declare global {
  interface Window {
    eventReplay?: {
      /** The last pressed button. */
      button: HTMLButtonElement | null
      /** Typed texts by field. */
      texts: Map<HTMLInputElement, string>
      /** The last submitted form. */
      form: HTMLFormElement | null
      /** Arrow keys that were pressed before their code was loaded; undefined since then. */
      arrows: KeyboardEvent[] | undefined
    }
  }
}

/**
 * The page's first script. It records the last press of a button that is not hydrated yet, typed texts, a form
 * submitted with Enter, which must not leave the page, and arrow keys. Hydrated elements have React's mark. React itself
 * replays a press that causes the hydration of its part of the page. Links work without the script. Any later
 * press of any element replaces the recorded press. A list that an arrow key would open does not receive that key.
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

/** Returns whether an arrow key was pressed before its code was loaded. */
export function hasEarlyArrow(): boolean {
  return (window.eventReplay?.arrows ?? []).length > 0
}

/** Returns the arrow keys that were pressed before their code was loaded. Later ones are no longer recorded. */
export function takeEarlyArrows(): readonly KeyboardEvent[] {
  const kept = window.eventReplay
  const arrows = kept?.arrows ?? []
  if (kept) kept.arrows = undefined
  return arrows
}

/** Replays the recorded input after hydration: focus, texts, a form, a press. */
export function replayEarlyEvents(): void {
  const kept = window.eventReplay
  if (!kept) return
  const { button, texts, form } = kept
  Object.assign(kept, { button: null, texts: new Map(), form: null })

  // The viewer may have focused an element before hydration. Its component has not received that event.
  const focused = document.activeElement
  if (focused !== null && focused !== document.body) {
    focused.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  }
  for (const [field, text] of texts) if (field.isConnected) typeAgain(field, text)
  // Delayed until the fields have their texts.
  if (form?.isConnected === true) setTimeout(() => form.requestSubmit())
  if (button?.isConnected === true && !button.disabled) button.click()
}

/** Reports a text to the component of a field, as if the viewer had just typed it. */
function typeAgain(field: HTMLInputElement, text: string): void {
  // React writes the text that it has rendered to `defaultValue`. If the typed text is the same, the component knows it
  // already.
  if (field.defaultValue === text) return
  // React detects a change only relative to the value that it saw last, and only if the native setter is
  // used.
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
