import { listOptions } from '@ondine/contract/orders'
import { listChanges } from '@ondine/contract/subscriptions'
import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../../api/query.ts'
import { subscriptionsQuery } from '../offers/subscriptions-query.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { receiptsQuery } from '../receipts/receipts-query.ts'

/** All offers that the account has bought or received, and the offers in its cart. */
export const optionsQuery = query(listOptions, {})

/** The plans to which a subscription can change. Not cached, because the amount due changes each second. */
export function changesQuery(subscriptionId: number) {
  return { ...query(listChanges, { subscriptionId }), staleTime: 0, gcTime: 0 }
}

/** Refetches the account's subscriptions, offers, cards and receipts after a change. */
export async function askProductsAnew(queries: QueryClient): Promise<void> {
  await Promise.all(
    [subscriptionsQuery, optionsQuery, paymentMethodsQuery, receiptsQuery].map(
      async ({ queryKey }) => await queries.invalidateQueries({ queryKey }),
    ),
  )
}
