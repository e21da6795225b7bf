import { adultCode } from '@ondine/contract/parental-code'
import { query } from '../../../api/query.ts'

/**
 * Whether the account has a parental code. The query has its own file, because the code of its screen loads
 * only when the screen opens.
 */
export const parentalCodeQuery = query(adultCode, {})
