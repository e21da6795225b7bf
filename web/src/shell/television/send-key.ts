/** Key presses from {@link sendMeant}. They must not be handled as keys of the remote again. */
const MEANT = new WeakSet<Event>()

/**
 * Sends the keyboard's equivalent of a remote key, such as Escape for back.
 * @param target receives the key press; by default the window, where the player listens
 */
export function sendMeant(
  key: string,
  { target = window, shiftKey = false }: { target?: EventTarget; shiftKey?: boolean } = {},
): void {
  const press = pressOf(key, shiftKey)
  MEANT.add(press)
  target.dispatchEvent(press)
}

/** Returns whether a key press comes from {@link sendMeant}. */
export function isMeant(press: Event): boolean {
  return MEANT.has(press)
}

/** Presses a key of the remote on the focused element. */
export function pressKey(key: string): void {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(pressOf(key, false))
}

function pressOf(key: string, shiftKey: boolean): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true })
}
