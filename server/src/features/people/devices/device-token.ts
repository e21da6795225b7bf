import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import type { DeviceRow } from './devices.service.ts'

/** Claims of a device token. */
export interface DeviceClaims {
  accountId: number
  deviceId: number
  /** The sign-in that the token renews. */
  signIn: string
}

/**
 * Signs a token that identifies a device. It is valid while the device is registered for its sign-in, for at most
 * `seconds`.
 */
export function deviceToken(
  keys: TokenKeys,
  { id, accountId, signIn }: Pick<DeviceRow, 'id' | 'accountId' | 'signIn'>,
  seconds: number,
): string {
  return keys.sign('device', { sub: String(id), account: accountId, in: signIn ?? '' }, seconds)
}

/**
 * Reads the claims that {@link deviceToken} has signed; undefined for anything else. For a token from before sign-ins
 * had names, returns the name that migration 0020 gave to its device's sign-in.
 */
export function readDeviceClaims(claims: Record<string, unknown>): DeviceClaims | undefined {
  const { sub, account, in: signIn } = claims
  if (typeof sub !== 'string' || typeof account !== 'number') return undefined
  const isNamed = typeof signIn === 'string' && signIn !== ''
  return { accountId: account, deviceId: Number(sub), signIn: isNamed ? signIn : `device-${sub}` }
}
