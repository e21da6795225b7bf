import { adultCode } from '@ondine/contract/parental-code'
import { query } from '../../../api/query.ts'

/**
 * Returns whether the account has a parental code. The query has its own file, because loaders need it before the code
 * of its screen is loaded.
 */
export const parentalCodeQuery = query(adultCode, {})
