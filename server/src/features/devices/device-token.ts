import type { TokenKeys } from '../keys/keys.service.ts'
import type { DeviceRow } from './devices.service.ts'

/** What a device's token says. */
export interface DeviceClaims {
  accountId: number
  deviceId: number
  /** The sign-in that it renews. */
  signIn: string
}

/** A token that says which device it is. It holds as long as the device is registered for its sign-in, `seconds` at most. */
export function deviceToken(
  keys: TokenKeys,
  { id, accountId, signIn }: Pick<DeviceRow, 'id' | 'accountId' | 'signIn'>,
  seconds: number,
): string {
  return keys.sign('device', { sub: String(id), account: accountId, in: signIn ?? '' }, seconds)
}

/**
 * Reads what {@link deviceToken} has signed; undefined for anything else. A token of before sign-ins had names stands for the
 * name that migration 0020 gave to the sign-in of its device.
 */
export function readDeviceClaims(claims: Record<string, unknown>): DeviceClaims | undefined {
  const { sub, account, in: signIn } = claims
  if (typeof sub !== 'string' || typeof account !== 'number') return undefined
  const isNamed = typeof signIn === 'string' && signIn !== ''
  return { accountId: account, deviceId: Number(sub), signIn: isNamed ? signIn : `device-${sub}` }
}
