import { adultCode } from '@ondine/contract/parental-code'
import { query } from '../../../api/query.ts'

/**
 * Returns whether the account has a parental code. In a separate file, because loaders need this query before the
 * JavaScript of the parental code screen is loaded.
 */
export const parentalCodeQuery = query(adultCode, {})
