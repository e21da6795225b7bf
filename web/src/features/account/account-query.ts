import { accountDetails } from '@ondine/contract/accounts'
import { query } from '../../api/query.ts'

/** The account that is signed in, with all its details. */
export const accountQuery = query(accountDetails, {})
