import { listPaymentMethods } from '@ondine/contract/orders'
import { query } from '../../../api/query.ts'

/** The account's payment methods: its saved cards, the last used first, and new ones. */
export const paymentMethodsQuery = query(listPaymentMethods, {})
