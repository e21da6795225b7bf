import { adultCode } from '@ondine/contract/parental-code'
import { query } from '../../api/query.ts'

/** Whether the account has a parental code. It stands apart from its screen, which only who opens it fetches. */
export const parentalCodeQuery = query(adultCode, {})
