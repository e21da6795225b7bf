import { casAvailableDevice, casDeviceCount } from '@ondine/contract/devices'
import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../api/query.ts'

/** The devices of the account, the last used first. */
export const devicesQuery = query(casAvailableDevice, {})

/** How many devices the account has, and may have. */
export const deviceCountQuery = query(casDeviceCount, {})

/** The devices of the account are not what they were. */
export async function askDevicesAnew(queries: QueryClient): Promise<void> {
  await Promise.all(
    [devicesQuery, deviceCountQuery].map(
      async ({ queryKey }) => await queries.invalidateQueries({ queryKey }),
    ),
  )
}
