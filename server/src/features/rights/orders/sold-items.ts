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

/** An item with the terms of its purchase. */
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

/** Returns the line of a receipt for an item. @param term the period that was sold */
export function receiptLine(
  sold: SoldItem,
  payment: Payment | undefined,
  term: Pick<ReceiptLine, 'from' | 'to'>,
): ReceiptLine {
  const { cents, discountCents, creditCents } = sold.item
  return { ...receiptTitle(sold, payment), cents, discountCents, creditCents, ...usual(sold), ...term }
}

/**
 * Returns the usual price of an item that was sold at the price of a promotion. An item that begins with a trial has no
 * usual price, because the trial charges nothing.
 */
function usual({ item: { promotion, trialDays }, offer }: SoldItem): Pick<ReceiptLine, 'usualCents'> {
  return promotion === null || trialDays > 0 ? {} : { usualCents: offer.terms.cents }
}

/**
 * Returns the names of an item for a receipt. `title` is in the language of the payment. `titles` has the name in each
 * language, for lists of receipts.
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
