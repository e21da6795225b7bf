import { casAddDevice } from '@ondine/contract/devices'
import { call } from '../../api/call.ts'

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

/** Forgets that this browser is a device of anybody: the service has taken back what made it one (A4.4-04). */
export function forgetDevice(): void {
  registered = undefined
}
