import { listSubscriptions } from '@ondine/contract/subscriptions'
import { query } from '../../../api/query.ts'

/** The subscriptions of the account. */
export const subscriptionsQuery = query(listSubscriptions, {})
