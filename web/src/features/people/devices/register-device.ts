import { casAddDevice } from '@ondine/contract/devices'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { kept } from '../../../api/kept.ts'
import { DEVICE_COOKIE } from '../../../api/page-context.ts'

/** The format of a device's id (V7-34). */
const DEVICE_ID = /^[\w-]{8,100}$/

/** Sends the call that registers a device. */
type Send = (operation: typeof casAddDevice, input: { deviceUniqueId: string }) => Promise<unknown>

let registered: { account: number; send: Send; done: Promise<unknown> } | undefined

/**
 * Registers this browser as a device of the account, once per page (A4.3, V4-18). The first registration generates
 * the id of the device, which the service stores in a cookie.
 *
 * @param send sends the call. The player passes a function that also asks for the parental code, because a child
 * cannot add a device without it
 * @throws ApiError -411 when the account has reached its maximum number of devices
 */
export async function registerDevice(account: number, send: Send = call): Promise<void> {
  if (registered?.account !== account) {
    const known = kept(DEVICE_COOKIE) ?? ''
    const deviceUniqueId = DEVICE_ID.test(known) ? known : crypto.randomUUID()
    registered = { account, send, done: send(casAddDevice, { deviceUniqueId }) }
  }
  const joined = registered
  try {
    await joined.done
  } catch (error) {
    if (registered === joined) registered = undefined
    // Somebody else had sent the call, without asking for the parental code.
    const mayAsk = joined.send !== send && error instanceof ApiError && error.code === CODES.invalidAccessCode
    if (!mayAsk) throw error
    await registerDevice(account, send)
  }
}

/**
 * Calls {@link registerDevice}, but returns false for two errors. If the account has too many devices,
 * `ErrorWatch` opens the modal with the devices (A8.3-02). If a child's profile is active, the child cannot
 * register a new browser.
 *
 * @returns whether this browser is a device of the account
 */
export async function isRegistered(account: number): Promise<boolean> {
  try {
    await registerDevice(account)
    return true
  } catch (error) {
    const expected: readonly number[] = [CODES.tooManyDevices, CODES.invalidAccessCode]
    if (!(error instanceof ApiError) || !expected.includes(error.code)) throw error
    return false
  }
}

/** Forgets the registration, so that this device registers again after the service has revoked it (A4.4-04). */
export function forgetDevice(): void {
  registered = undefined
}
