import { casAddDevice } from '@ondine/contract/devices'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { CODES } from '../../api/codes.ts'

/** The cookie in which this browser keeps what it calls itself (V7-34). */
const COOKIE = /(?:^|; )device=([\w-]{8,100})/

let registered: { account: number; done: Promise<unknown> } | undefined

/**
 * Makes this browser a device of the account, once for each page (A4.3, V4-16): what it calls itself is made up the first
 * time, and kept by the service in a cookie.
 *
 * @throws ApiError -411 when the account has as many devices as it may have
 */
export async function registerDevice(account: number): Promise<void> {
  if (registered?.account !== account) {
    const deviceUniqueId = COOKIE.exec(document.cookie)?.[1] ?? crypto.randomUUID()
    registered = { account, done: call(casAddDevice, { deviceUniqueId }) }
  }
  try {
    await registered.done
  } catch (error) {
    registered = undefined
    throw error
  }
}

/**
 * {@link registerDevice}, where too many devices are no fault: their management opens by itself (A8.3-02). Neither is a
 * child's profile in a browser that is no device yet: its sign-in stands for one.
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

/** Forgets that this browser is a device of anybody: the service has taken back what made it one (A4.4-04). */
export function forgetDevice(): void {
  registered = undefined
}
