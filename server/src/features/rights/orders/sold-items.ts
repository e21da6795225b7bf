import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import type { Payment } from '../payments/payments.service.ts'
import type { ReceiptLine } from '../receipts/receipts.table.ts'
import { SOLD_OFFER } from './holdings.service.ts'
import { titleOf } from './offer-title.ts'
import { orderItems } from './orders.table.ts'

/** An order item with the terms of the bought revision. */
export interface SoldItem {
  item: typeof orderItems.$inferSelect
  offer: {
    id: number
    key: string
    type: (typeof offers.$inferSelect)['type']
    terms: (typeof offerRevisions.$inferSelect)['terms']
  }
}

/** Returns the items of orders, by the id of the order. */
export async function soldItems(
  tx: Transaction,
  orderIds: readonly number[],
): Promise<Map<number, SoldItem[]>> {
  const rows = await tx
    .select({ item: orderItems, offer: SOLD_OFFER })
    .from(orderItems)
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(oneOf(orderItems.orderId, orderIds))
    .orderBy(asc(orderItems.id))
    .prepare('sold_items')
    .execute()
  return Map.groupBy(rows, ({ item }) => item.orderId)
}

/** Returns the receipt line of an item. @param term the sold period */
export function receiptLine(
  sold: SoldItem,
  payment: Payment | undefined,
  term: Pick<ReceiptLine, 'from' | 'to'>,
): ReceiptLine {
  const { cents, discountCents, creditCents } = sold.item
  return { ...receiptTitle(sold, payment), cents, discountCents, creditCents, ...usual(sold), ...term }
}

/**
 * Returns the regular price of an item that was sold at a promotional price. An item with a free trial has none,
 * because the trial charges nothing.
 */
function usual({ item: { promotion, trialDays }, offer }: SoldItem): Pick<ReceiptLine, 'usualCents'> {
  return promotion === null || trialDays > 0 ? {} : { usualCents: offer.terms.cents }
}

/**
 * Returns the names of an item for a receipt: `title` in the language of the payment, and `titles` in all
 * languages, for lists of receipts.
 */
function receiptTitle(
  { item, offer }: SoldItem,
  payment: Payment | undefined,
): Pick<ReceiptLine, 'title' | 'titles'> {
  if (!payment) return { title: '' }
  if (offer.type !== 'subscription')
    return { title: payment.description, ...(item.names && { titles: item.names }) }
  const languages = Object.keys(offer.terms.names).filter(isLanguage)
  return {
    title: titleOf(offer, isLanguage(payment.language) ? payment.language : DEFAULT_LANGUAGE),
    titles: Object.fromEntries(languages.map((language) => [language, titleOf(offer, language)])),
  }
}
