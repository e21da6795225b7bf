import { listPaymentMethods } from '@ondine/contract/orders'
import { query } from '../../../api/query.ts'

/** The account's ways to pay: its saved cards, the last used first, and then new cards. */
export const paymentMethodsQuery = query(listPaymentMethods, {})
