import { accountDetails } from '@ondine/contract/accounts'
import { query } from '../../../api/query.ts'

/** The signed-in account with all its details. */
export const accountQuery = query(accountDetails, {})
