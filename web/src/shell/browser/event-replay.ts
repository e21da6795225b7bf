/** Input before hydration; the page's first script records it. */
declare global {
  interface Window {
    eventReplay?: {
      /** The last pressed button. */
      button: HTMLButtonElement | null
      /** Typed texts by field. */
      texts: Map<HTMLInputElement, string>
      /** The last submitted form. */
      form: HTMLFormElement | null
    }
  }
}

/**
 * The page's first script. It records the last press of a button that is not hydrated yet, typed texts, and a form submitted with Enter,
 * which must not leave the page. Hydrated elements carry React's mark, and React has handled the press that hydrated its part of the page.
 * Links work without help. Any later press, of any element, replaces the recorded one.
 */
export const EVENT_REPLAY_SCRIPT = `(() => {
  const kept = (window.eventReplay = { button: null, texts: new Map(), form: null })
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

/** Replays the recorded input after hydration: focus, texts, a form, a press. */
export function replayEarlyEvents(): void {
  const kept = window.eventReplay
  if (!kept) return
  const { button, texts, form } = kept
  Object.assign(kept, { button: null, texts: new Map(), form: null })

  // The focus is where it was, but nobody received its event.
  const focused = document.activeElement
  if (focused !== null && focused !== document.body) {
    focused.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  }
  for (const [field, text] of texts) if (field.isConnected) typeAgain(field, text)
  // Delayed until the fields have their texts.
  if (form?.isConnected === true) setTimeout(() => form.requestSubmit())
  if (button?.isConnected === true && !button.disabled) button.click()
}

/** Notifies a field's component of its text, as if it had just been typed. */
function typeAgain(field: HTMLInputElement, text: string): void {
  // React stores the value that it knows here.
  if (field.defaultValue === text) return
  // React detects a change only relative to the value that it saw last, and only through the native setter.
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
