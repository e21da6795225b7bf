import { adultCode } from '@ondine/contract/parental-code'
import { query } from '../../../api/query.ts'

/** Whether the account has a parental code. Separate from its screen, whose code loads only when it opens. */
export const parentalCodeQuery = query(adultCode, {})
