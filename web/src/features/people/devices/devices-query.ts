import { casAvailableDevice, casDeviceCount } from '@ondine/contract/devices'
import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../../api/query.ts'

/** The devices of the account. The most recently used device is first. */
export const devicesQuery = query(casAvailableDevice, {})

/** The number of the account's devices, and the maximum number. */
export const deviceCountQuery = query(casDeviceCount, {})

/** Refetches the account's devices after a change. */
export async function askDevicesAnew(queries: QueryClient): Promise<void> {
  await Promise.all(
    [devicesQuery, deviceCountQuery].map(
      async ({ queryKey }) => await queries.invalidateQueries({ queryKey }),
    ),
  )
}
