import { listPaymentMethods } from '@ondine/contract/orders'
import { query } from '../../../api/query.ts'

/**
 * The payment methods of the account: first its saved cards, the most recently used card first, and then the methods
 * that pay with a new card.
 */
export const paymentMethodsQuery = query(listPaymentMethods, {})
