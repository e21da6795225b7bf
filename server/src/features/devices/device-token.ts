import type { TokenKeys } from '../keys/keys.service.ts'
import type { DeviceRow } from './devices.service.ts'

/** A token that says which device it is. It holds as long as the device is registered, `seconds` at most. */
export function deviceToken(
  keys: TokenKeys,
  { id, accountId }: Pick<DeviceRow, 'id' | 'accountId'>,
  seconds: number,
): string {
  return keys.sign('device', { sub: String(id), account: accountId }, seconds)
}
