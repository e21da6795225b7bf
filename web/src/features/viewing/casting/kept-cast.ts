/** Key of the local storage with the screen to which this browser is connected, and the profile that has connected. */
const KEY = 'ondine.cast'

/** Keeps the screen to which a profile has connected this browser, so that every page and tab finds it again. */
export function keepCast(targetId: string, profileId: number): void {
  localStorage.setItem(KEY, `${targetId} ${profileId}`)
}

/**
 * Returns the id of the screen to which a profile has connected this browser; undefined for none. Another profile does
 * not find the screen, because it would replace what the first profile watches there.
 */
export function keptCast(profileId: number | undefined): number | undefined {
  const [id = Number.NaN, keptBy] = (localStorage.getItem(KEY) ?? '').split(' ').map(Number)
  return keptBy !== undefined && keptBy === profileId && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Forgets the screen: the viewer has disconnected or signed out, or another profile watches now. */
export function forgetCast(): void {
  localStorage.removeItem(KEY)
}
