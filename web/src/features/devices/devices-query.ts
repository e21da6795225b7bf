import { casAvailableDevice, casDeviceCount } from '@ondine/contract/devices'
import { query } from '../../api/query.ts'

/** The devices of the account, the last used first. */
export const devicesQuery = query(casAvailableDevice, {})

/** How many devices the account has, and may have. */
export const deviceCountQuery = query(casDeviceCount, {})
