import { listPaymentMethods } from '@ondine/contract/orders'
import { query } from '../../api/query.ts'

/** How the account can pay: its saved cards, the last used first, and new ones. */
export const paymentMethodsQuery = query(listPaymentMethods, {})
