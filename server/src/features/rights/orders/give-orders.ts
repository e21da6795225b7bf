import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { periodsAfter, trialEnd } from '../../../time/periods.ts'
import {
  addGrants,
  GRANT_STATUS,
  type HeldGrant,
  isAnyHeld,
  type NewGrant,
} from '../entitlements/grants.service.ts'
import { allowancesOf, singleRight } from '../offers/offers.service.ts'
import type { Payment } from '../payments/payments.service.ts'
import type { ReceiptLine } from '../receipts/receipts.table.ts'
import { forgetBought } from './cart.service.ts'
import { holdingsForAll, requireFree, requireRequired } from './cart-rules.ts'
import { planOf } from './holdings.service.ts'
import { type orders, subscriptions } from './orders.table.ts'
import { extraTime } from './plan-changes.ts'
import { endReplaced } from './replace-subscription.ts'
import { receiptLine, type SoldItem } from './sold-items.ts'

/** A paid order for a purchase (not a renewal), with its items. */
export interface Bought {
  order: typeof orders.$inferSelect
  payment: Payment | undefined
  items: readonly SoldItem[]
}

/** An order item with the rights and the subscription that it gives. */
interface Given {
  sold: SoldItem
  rights: NewGrant[]
  subscription: typeof subscriptions.$inferInsert | undefined
  /** End of the paid period, as printed on the receipt; null if the right has no fixed end. */
  to: number | null
}

/**
 * Gives the rights and subscriptions of purchases, each of a different account. The caller must lock the accounts
 * first.
 *
 * @returns the lines of the receipts, by order id
 * @throws ServiceError if an order can no longer be fulfilled
 */
export async function giveOrders(
  tx: Transaction,
  bought: readonly Bought[],
  now: number,
): Promise<Map<number, ReceiptLine[]>> {
  const replaced = new Map<number, number | null>()
  for (const each of bought) {
    const methodId = await endOld(tx, each, now)
    if (methodId !== undefined) replaced.set(each.order.id, methodId)
  }
  const asked = bought.map(({ order: { accountId }, items }) => ({
    accountId,
    offers: items.map(({ offer }) => offer),
  }))
  const holdings = await holdingsForAll(tx, asked, now)
  for (const { accountId, offers } of asked) {
    const its = holdings.of(accountId)
    requireFree(offers, its)
    requireRequired(offers, its)
  }
  const lines = new Map<number, ReceiptLine[]>()
  const all: Given[] = []
  const exclusive: HeldGrant[] = []
  for (const { order, payment, items } of bought) {
    const methodId = payment?.methodId ?? replaced.get(order.id) ?? null
    const given = items.map((sold) =>
      sold.offer.type === 'subscription' ? beginning(order, sold, methodId, now) : single(order, sold, now),
    )
    lines.set(
      order.id,
      given.map(({ sold, to }) => receiptLine(sold, payment, { from: now, to })),
    )
    all.push(...given)
    for (const right of given.flatMap(({ rights }) => rights)) {
      // An account can hold only one pay-per-view right to an event or a channel at a time.
      if (right.source === 'payPerView') exclusive.push(right)
      // One rental of a title may follow another (spec 49). But of two orders that were open at the same time, for
      // example in two windows, only the first one is executed. The payment of the other one is refunded.
      if (right.source === 'rental') exclusive.push({ ...right, givenAfter: order.submittedAt })
    }
  }
  if (await isAnyHeld(tx, exclusive, now)) throw new ServiceError('optionAlreadyAdded')
  await subscribe(
    tx,
    all.flatMap(({ subscription }) => subscription ?? []),
    now,
  )
  await addGrants(
    tx,
    all.flatMap(({ rights }) => rights),
  )
  await forgetBought(
    tx,
    bought.map(({ order: { accountId }, items }) => ({
      accountId,
      lines: items.map(({ item, offer }) => ({ offerId: offer.id, assetId: item.assetId })),
    })),
  )
  return lines
}

/**
 * Ends the subscription that an upgrade replaces.
 *
 * @returns the saved card of the old subscription (null for none); undefined if the order is not an upgrade
 */
async function endOld(
  tx: Transaction,
  { order: { accountId, replacesId, submittedAt }, items: [upgrade] }: Bought,
  now: number,
): Promise<number | null | undefined> {
  if (replacesId === null || !upgrade) return undefined
  const { item, offer } = upgrade
  const { creditCents } = item
  const { methodId } = await endReplaced(tx, { accountId, replacesId, submittedAt, creditCents, offer }, now)
  return methodId
}

/** Returns the subscription that a purchase begins, with the rights of its first period. */
function beginning(
  { accountId }: Bought['order'],
  sold: SoldItem,
  methodId: number | null,
  now: number,
): Given {
  const { item, offer } = sold
  const { recurrence, packageIds } = offer.terms
  if (recurrence === null) throw new Error(`Subscription ${offer.key} has no period.`)
  const hasTrial = item.trialDays > 0
  const startedAt = hasTrial ? trialEnd(now, item.trialDays) : now + extraTime(offer.terms, item.creditCents)
  const periodEnd = hasTrial ? startedAt : periodsAfter(startedAt, recurrence, 1)
  return {
    sold,
    to: periodEnd,
    subscription: {
      accountId,
      plan: planOf(offer),
      offerRevisionId: item.offerRevisionId,
      orderItemId: item.id,
      statusId: GRANT_STATUS.active,
      startedAt,
      period: hasTrial ? 0 : 1,
      periodStart: now,
      periodEnd,
      hadTrial: hasTrial,
      promotion: item.promotion,
      methodId,
    },
    rights: packageIds.map((packageId) => ({
      accountId,
      opens: { packageId },
      source: 'subscription',
      sourceId: String(item.id),
      from: now,
      to: periodEnd,
      ...allowancesOf(offer.terms),
    })),
  }
}

/** Returns the right of a one-time purchase. */
function single({ accountId }: Bought['order'], sold: SoldItem, now: number): Given {
  const { item, offer } = sold
  const right = singleRight(offer, item.assetId, now)
  const source = offer.type === 'transactional' ? 'rental' : 'payPerView'
  return {
    sold,
    to: offer.terms.opens.kind === 'channel' ? right.to : null,
    subscription: undefined,
    rights: [{ accountId, ...right, source, sourceId: String(item.id) }],
  }
}

async function subscribe(
  tx: Transaction,
  begun: readonly (typeof subscriptions.$inferInsert)[],
  now: number,
): Promise<void> {
  if (begun.length === 0) return
  // An account can have only one running subscription of a plan. So end a cancelled subscription of the same plan
  // whose paid period is over.
  await tx
    .update(subscriptions)
    .set({ endedAt: now })
    .where(
      and(
        or(
          ...begun.map(({ accountId, plan }) =>
            and(eq(subscriptions.accountId, accountId), eq(subscriptions.plan, plan)),
          ),
        ),
        isNull(subscriptions.endedAt),
        eq(subscriptions.statusId, GRANT_STATUS.cancelled),
        lte(subscriptions.periodEnd, now),
      ),
    )
  await tx.insert(subscriptions).values([...begun])
}
