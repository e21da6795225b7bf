import type { OfferSource } from '@ondine/contract/orders'
import { and, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { endOf, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { storePurchases, storeTransactions } from '../store-purchases/store-purchases.table.ts'
import { serviceSubscriptions } from '../subscription-service/subscription-service.table.ts'
import { voucherUses } from '../vouchers/vouchers.table.ts'
import { orderItems, orders, subscriptions } from './orders.table.ts'

/** A running subscription, with its offer. */
export interface HeldOffer {
  /**
   * Id of the row in `subscriptions`; null for a subscription from an app store or the third-party subscription
   * service.
   */
  subscriptionId: number | null
  key: string
  terms: Pick<OfferTerms, 'plan' | 'excludes'>
}

/** Purchases of an account that restrict its further purchases. */
export interface Holdings {
  /**
   * Running subscriptions, bought from this service, in an app store or at the third-party subscription service. A
   * subscription with a scheduled change of plan is listed under both offers. A cancelled subscription runs until
   * its end. An active subscription also runs while its renewal is unpaid.
   */
  running: HeldOffer[]
  /** Ids of all offers that the account has ever bought. */
  bought: ReadonlySet<number>
  /** Plans whose trial the account has used. */
  tried: ReadonlySet<string>
}

/** Returns the plan of an offer. For an offer without a plan, returns the key of the offer. */
export function planOf({ key, terms }: { key: string; terms: Pick<OfferTerms, 'plan'> }): string {
  return terms.plan ?? key
}

/** Returns the holdings of an account. @param now milliseconds since the Unix epoch */
export async function holdingsOf(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<Holdings> {
  return (await holdingsOfAll(db, [accountId], now)).of(accountId)
}

/** Holdings by account. */
export interface AllHoldings {
  of: (accountId: number) => Holdings
}

/** Returns holdings for many accounts, as {@link holdingsOf} does. */
export async function holdingsOfAll(
  db: Database | Transaction,
  accountIds: readonly number[],
  now: number,
): Promise<AllHoldings> {
  const own = db
    .select({
      accountId: sql<number>`${subscriptions.accountId}`.as('account_id'),
      kind: sql<'own' | 'elsewhere' | 'bought'>`'own'`.as('kind'),
      subscriptionId: sql<number | null>`${subscriptions.id}`.as('subscription_id'),
      revisionId: sql<number>`unnest(array[${subscriptions.offerRevisionId}, ${subscriptions.changesTo}])`.as(
        'revision_id',
      ),
      wasTried: sql<boolean>`false`.as('was_tried'),
    })
    .from(subscriptions)
    .where(
      and(
        oneOf(subscriptions.accountId, accountIds),
        isNull(subscriptions.endedAt),
        or(gt(subscriptions.periodEnd, now), eq(subscriptions.statusId, GRANT_STATUS.active)),
      ),
    )
  const elsewhere = {
    kind: sql<'elsewhere'>`'elsewhere'`,
    subscriptionId: sql<null>`null::integer`,
  }
  const inStores = db
    .select({
      accountId: sql<number>`${storeTransactions.givenTo}`,
      ...elsewhere,
      revisionId: storeTransactions.offerRevisionId,
      wasTried: sql<boolean>`false`,
    })
    .from(storeTransactions)
    .where(and(oneOf(storeTransactions.givenTo, accountIds), gt(storeTransactions.givenUntil, now)))
  const atService = db
    .select({
      accountId: sql<number>`${serviceSubscriptions.accountId}`,
      ...elsewhere,
      revisionId: serviceSubscriptions.offerRevisionId,
      wasTried: sql<boolean>`false`,
    })
    .from(serviceSubscriptions)
    .where(isHeldAtService(accountIds, now))
  const bought = db
    .select({
      accountId: sql<number>`${orders.accountId}`,
      kind: sql<'bought'>`'bought'`,
      subscriptionId: sql<null>`null::integer`,
      revisionId: orderItems.offerRevisionId,
      wasTried: sql<boolean>`bool_or(${orderItems.trialDays} > 0)`,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orderItems.orderId, orders.id))
    .where(and(oneOf(orders.accountId, accountIds), eq(orders.state, 'executed')))
    .groupBy(orders.accountId, orderItems.offerRevisionId)
  // Every purchase runs this statement. As a prepared statement, it is planned only once per connection.
  const held = unionAll(own, inStores, atService, bought).as('held')
  const rows = await db
    .select({
      accountId: held.accountId,
      kind: held.kind,
      subscriptionId: held.subscriptionId,
      wasTried: held.wasTried,
      offerId: offers.id,
      type: offers.type,
      key: offers.key,
      terms: offerRevisions.terms,
    })
    .from(held)
    .innerJoin(offerRevisions, eq(held.revisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .prepare('holdings')
    .execute()
  const byAccount = Map.groupBy(rows, (row) => row.accountId)
  return {
    of: (accountId) => {
      const some = byAccount.get(accountId) ?? []
      return {
        running: some.filter(({ kind, type }) => kind !== 'bought' && type === 'subscription'),
        bought: new Set(some.filter(({ kind }) => kind === 'bought').map(({ offerId }) => offerId)),
        tried: new Set(some.filter(({ wasTried }) => wasTried).map(planOf)),
      }
    },
  }
}

/** Columns of an offer with the terms of a revision. */
export const SOLD_OFFER = {
  id: offers.id,
  key: offers.key,
  type: offers.type,
  revisionId: offerRevisions.id,
  terms: offerRevisions.terms,
}

/** Returns the running subscriptions of an account at the subscription service. */
async function heldAtService(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<(Omit<Purchase, 'assetId' | 'source' | 'turnsAt'> & { to: number })[]> {
  return await db
    .select({
      offer: SOLD_OFFER,
      statusId: serviceSubscriptions.statusId,
      from: serviceSubscriptions.validFrom,
      to: serviceSubscriptions.validTo,
    })
    .from(serviceSubscriptions)
    .innerJoin(offerRevisions, eq(serviceSubscriptions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(isHeldAtService([accountId], now))
    .orderBy(serviceSubscriptions.id)
}

/** A running plan that an app store or the subscription service charges. */
export interface PlanElsewhere {
  key: string
  renews: boolean
  /** End of the paid period, in milliseconds since the Unix epoch. */
  to: number
}

/** Returns the plans of an account that run elsewhere, which {@link holdingsOf} lists as well. */
export async function plansElsewhere(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<PlanElsewhere[]> {
  const inStores = await db
    .select({
      key: offers.key,
      renews: storePurchases.renews,
      to: sql<number>`${storeTransactions.givenUntil}`.mapWith(storeTransactions.givenUntil),
    })
    .from(storeTransactions)
    .innerJoin(storePurchases, eq(storeTransactions.purchaseId, storePurchases.id))
    .innerJoin(offerRevisions, eq(storeTransactions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(and(eq(storeTransactions.givenTo, accountId), gt(storeTransactions.givenUntil, now)))
  const atService = await heldAtService(db, accountId, now)
  return [
    ...inStores,
    ...atService.map(({ offer: { key }, statusId, to }) => ({
      key,
      renews: statusId === GRANT_STATUS.active,
      to,
    })),
  ]
}

function isHeldAtService(accountIds: readonly number[], now: number): SQL | undefined {
  return and(
    oneOf(serviceSubscriptions.accountId, accountIds),
    isNull(serviceSubscriptions.endedAt),
    gt(serviceSubscriptions.validTo, now),
  )
}

/**
 * A purchase of an account, with the terms of the bought revision. Times are milliseconds since the Unix epoch.
 */
export interface Purchase {
  offer: { id: number; key: string; type: (typeof offers.$inferSelect)['type']; terms: OfferTerms }
  source: OfferSource
  assetId: number | null
  statusId: number
  from: number
  /** When the purchase ends; for a subscription, the end of the paid period. Null for no end. */
  to: number | null
  /**
   * When the earliest of the purchase's rights ends; null for no end. At that time, a cached purchase must be read
   * again.
   */
  turnsAt: number | null
}

/** Returns the purchases of an account that have not ended. @param now milliseconds since the Unix epoch */
export async function purchasesOf(db: Database, accountId: number, now: number): Promise<Purchase[]> {
  const subscribed = await db
    .select({ offer: SOLD_OFFER, subscription: subscriptions })
    .from(subscriptions)
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        isNull(subscriptions.endedAt),
        or(eq(subscriptions.statusId, GRANT_STATUS.active), gt(subscriptions.periodEnd, now)),
      ),
    )
    .orderBy(subscriptions.id)
  const single = await db
    .select({
      offer: SOLD_OFFER,
      assetId: orderItems.assetId,
      statusId: grants.statusId,
      from: grants.validFrom,
      // PostgreSQL returns `infinity` for an unlimited right, which JavaScript cannot parse as a number. Null
      // replaces it.
      to: sql<string | null>`nullif(extract(epoch from ${endOf()}) * 1000, 'infinity')`,
    })
    .from(grants)
    // Convert the source id to a number, so that the query uses the primary key of the items. A comparison as text
    // would scan the whole table.
    .innerJoin(
      orderItems,
      sql`${orderItems.id} = case when ${grants.sourceId} ~ '^[1-9][0-9]{0,8}$' then ${grants.sourceId}::integer end`,
    )
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(grants.accountId, accountId),
        inArray(grants.source, ['rental', 'payPerView']),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
      ),
    )
    .orderBy(grants.id)
  const gifts = await db
    .select({
      offer: SOLD_OFFER,
      from: sql<string>`extract(epoch from min(${grants.validFrom})) * 1000`,
      to: sql<string>`extract(epoch from max(${endOf()})) * 1000`,
      turnsAt: sql<string>`extract(epoch from min(${endOf()})) * 1000`,
    })
    .from(grants)
    .innerJoin(
      voucherUses,
      sql`${voucherUses.id} = case when ${grants.sourceId} ~ '^[1-9][0-9]{0,8}$' then ${grants.sourceId}::integer end`,
    )
    .innerJoin(offerRevisions, eq(voucherUses.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(grants.accountId, accountId),
        eq(grants.source, 'gift'),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
      ),
    )
    // A gift gives a right for each package of its plan. Group these rights into one row.
    .groupBy(voucherUses.id, offers.id, offerRevisions.id)
    .orderBy(voucherUses.id)
  const inStores = await db
    .select({
      offer: SOLD_OFFER,
      source: storePurchases.store,
      assetId: storePurchases.assetId,
      renews: storePurchases.renews,
      from: sql<string>`extract(epoch from min(${grants.validFrom})) * 1000`,
      to: sql<string | null>`nullif(extract(epoch from max(${endOf()})) * 1000, 'infinity')`,
      turnsAt: sql<string | null>`nullif(extract(epoch from min(${endOf()})) * 1000, 'infinity')`,
    })
    .from(grants)
    .innerJoin(
      storeTransactions,
      sql`${storeTransactions.id} = case when ${grants.sourceId} ~ '^[1-9][0-9]{0,8}-' then split_part(${grants.sourceId}, '-', 1)::integer end`,
    )
    .innerJoin(storePurchases, eq(storeTransactions.purchaseId, storePurchases.id))
    .innerJoin(offerRevisions, eq(storeTransactions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(grants.accountId, accountId),
        eq(grants.source, 'store'),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
      ),
    )
    // A purchase gives a right for each package and each period. Group these rights into one row. Two periods can
    // overlap.
    .groupBy(storePurchases.id, offers.id, offerRevisions.id)
    .orderBy(storePurchases.id)
  return [
    ...inStores.map(({ renews, from, to, turnsAt, ...purchase }) => ({
      ...purchase,
      statusId:
        renews || purchase.offer.type !== 'subscription' ? GRANT_STATUS.active : GRANT_STATUS.cancelled,
      from: Number(from),
      to: numberOf(to),
      turnsAt: numberOf(turnsAt),
    })),
    ...gifts.map(({ offer, from, to, turnsAt }) => ({
      offer,
      source: 'gift' as const,
      assetId: null,
      statusId: GRANT_STATUS.active,
      from: Number(from),
      to: Number(to),
      turnsAt: Number(turnsAt),
    })),
    ...subscribed.map(({ offer, subscription }) => ({
      offer,
      source: 'order' as const,
      assetId: null,
      statusId: subscription.statusId,
      from: subscription.startedAt,
      to: subscription.periodEnd,
      turnsAt: subscription.periodEnd,
    })),
    ...(await heldAtService(db, accountId, now)).map((held) => ({
      ...held,
      source: 'subscriptionService' as const,
      assetId: null,
      turnsAt: held.to,
    })),
    ...single.map(({ to, ...purchase }) => ({
      ...purchase,
      source: 'order' as const,
      to: numberOf(to),
      turnsAt: numberOf(to),
    })),
  ]
}

/** Converts a numeric value, which PostgreSQL returns as text. */
function numberOf(written: string | null): number | null {
  return written === null ? null : Number(written)
}
