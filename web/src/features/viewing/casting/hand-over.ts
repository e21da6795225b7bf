import { tabStorage } from '../../ground/platform/device-storage.ts'

/**
 * Key in the session storage. The value is the number of the last command that an earlier page of this screen has
 * carried out.
 */
const HAND_OVER_KEY = 'ondine.screen.after'

/** Hands the commands after `number` over to the receiver, which opens next in this tab. */
export function leaveHandOver(number: number): void {
  tabStorage.setItem(HAND_OVER_KEY, String(number))
}

/** Returns the number that {@link leaveHandOver} stored, and removes it; undefined without a stored number. */
export function takeHandOver(): number | undefined {
  const number = tabStorage.getItem(HAND_OVER_KEY)
  tabStorage.removeItem(HAND_OVER_KEY)
  return number === null ? undefined : Number(number)
}
