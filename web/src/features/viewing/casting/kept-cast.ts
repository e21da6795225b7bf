/** Key of the local storage with the id of the screen to which this browser is connected. */
const KEY = 'ondine.cast'

/** Keeps the screen to which this browser is connected, so that every page and tab finds it again. */
export function keepCast(targetId: string): void {
  localStorage.setItem(KEY, targetId)
}

/** Returns the id of the screen to which this browser is connected; undefined for none. */
export function keptCast(): number | undefined {
  const id = Number(localStorage.getItem(KEY))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Forgets the screen: the viewer has disconnected or signed out. */
export function forgetCast(): void {
  localStorage.removeItem(KEY)
}
