import { deviceStorage } from '../../ground/platform/device-storage.ts'

const KEY = 'ondine.screen'

/**
 * Stores in this browser that it was paired as a television. Every page of this browser is then a screen for casting.
 */
export function markAsScreen(): void {
  deviceStorage.setItem(KEY, 'paired')
}

/** Removes the stored fact that this browser was paired, after a sign-out or after the removal of the device. */
export function forgetScreen(): void {
  deviceStorage.removeItem(KEY)
}

/** Returns whether this browser was paired as a television. */
export function isScreen(): boolean {
  return deviceStorage.getItem(KEY) !== null
}
