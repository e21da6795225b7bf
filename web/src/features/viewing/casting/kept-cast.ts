import { deviceStorage } from '../../ground/platform/device-storage.ts'

/**
 * Key in the local storage. The value contains the screen to which this browser is connected, and the profile that
 * has connected.
 */
const KEY = 'ondine.cast'

/** Stores the screen to which a profile has connected this browser, for all pages and tabs. */
export function keepCast(targetId: string, profileId: number): void {
  deviceStorage.setItem(KEY, `${targetId} ${profileId}`)
}

/**
 * Returns the id of the screen to which a profile has connected this browser; undefined for no screen. Another
 * profile does not get the screen, because its content would replace the content of the first profile.
 */
export function keptCast(profileId: number | undefined): number | undefined {
  const [id = Number.NaN, keptBy] = (deviceStorage.getItem(KEY) ?? '').split(' ').map(Number)
  return keptBy !== undefined && keptBy === profileId && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/**
 * Removes the stored screen after the viewer has disconnected or signed out, or when another profile is active.
 */
export function forgetCast(): void {
  deviceStorage.removeItem(KEY)
}
