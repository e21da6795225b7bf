/** Key of the session storage with the last command that another page of this screen has carried out. */
const HAND_OVER_KEY = 'ondine.screen.after'

/** Leaves the commands after `number` to the receiver, which opens next in this tab. */
export function leaveHandOver(number: number): void {
  sessionStorage.setItem(HAND_OVER_KEY, String(number))
}

/** Returns the number that {@link leaveHandOver} stored, and removes it; undefined if there is none. */
export function takeHandOver(): number | undefined {
  const number = sessionStorage.getItem(HAND_OVER_KEY)
  sessionStorage.removeItem(HAND_OVER_KEY)
  return number === null ? undefined : Number(number)
}
