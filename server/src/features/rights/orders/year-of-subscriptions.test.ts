import { checkLedger } from '@ondine/contract/ledger'
import { amountText } from '@ondine/contract/money'
import { migrateOffer } from '@ondine/contract/offers'
import { checkOrderStatus } from '@ondine/contract/orders'
import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  listSubscriptions,
  payRenewal,
  resumeSubscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { CARDS, DATA, Purchases, RETURN, SOLD } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { makeSoldTitles } from '../../../../test/sold-titles.ts'
import { rowsOf } from '../../../database/rows.ts'
import { reconcileOrders } from './order-jobs.ts'
import { renewSubscriptions } from './renewals.service.ts'
import { remind } from './subscription-reminders.ts'

const DAY_MS = 86_400_000
/** Number of accounts in one run. Each account acts two to five times on average. */
const ACCOUNTS = Number(process.env.ONDINE_ACCOUNTS ?? 12)
const RUNS = Number(process.env.ONDINE_RUNS ?? 2)
/** Time limit for all runs on a busy machine, in milliseconds. */
const PATIENCE_MS = 600_000 + RUNS * ACCOUNTS * 3000

/** An action of an account on a day. */
const action = fc.record({
  day: fc.integer({ min: 0, max: 365 }),
  account: fc.nat({ max: ACCOUNTS - 1 }),
  does: fc.constantFrom('buy', 'buy', 'buy', 'cancel', 'resume', 'pay', 'leave', 'change', 'change', 'undo'),
  offer: fc.constantFrom('cinema-monthly', 'cinema-yearly', 'sport', 'trial', 'once'),
  card: fc.constantFrom(...Object.values(CARDS)),
})
const STEADY = { day: 0, account: ACCOUNTS, does: 'buy', offer: 'cinema-monthly', card: CARDS.good } as const
/** On a random day, the operator raises the price of an offer for all its subscribers. */
const raise = fc.record({
  day: fc.integer({ min: 0, max: 330 }),
  offer: fc.constantFrom('cinema-monthly', 'cinema-yearly', 'sport', 'trial', 'once'),
})
const STEADY_PRICE = { day: 100, offer: 'cinema-monthly' } as const
/**
 * Random days on which the service is down. It is never down on the day of the steady account's price increase.
 */
const downtime = fc.uniqueArray(
  fc.integer({ min: 1, max: 364 }).filter((day) => day !== STEADY_PRICE.day),
  { maxLength: 40 },
)

describe.each(MAIN_DB)('a year of subscriptions, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let start = NOON
  let operator: Tokens
  /** The last price. Each price is used only once, so that an e-mail can announce each price change. */
  let cents = 1000

  beforeAll(async () => {
    await makeSoldTitles(scene)
    await shop.sell()
    operator = (await scene.make.operator()).tokens
  })

  async function act(
    actor: Actor,
    { does, offer, card }: Pick<Action, 'does' | 'offer' | 'card'>,
  ): Promise<void> {
    const { tokens } = actor
    if (does === 'buy' || does === 'leave') {
      if ((await shop.add([offer], undefined, actor)).error.code !== 0) return
      const { result, error } = await shop.ask({}, actor)
      if (error.code !== 0) return
      // A customer can leave without paying.
      if (does === 'buy' && result.action !== null) await shop.pay(result.action, card)
      await shop.status(result.orderId, actor)
      return
    }
    for (const { id: subscriptionId } of (await scene.service.call(listSubscriptions, {}, tokens)).result) {
      if (does === 'cancel') await scene.service.call(cancelSubscription, { subscriptionId }, tokens)
      else if (does === 'resume') await scene.service.call(resumeSubscription, { subscriptionId }, tokens)
      else if (does === 'undo') await scene.service.call(undoChange, { subscriptionId }, tokens)
      else if (does === 'change') await change(actor, subscriptionId, { offer, card })
      else {
        const fields = { subscriptionId, returnUrl: RETURN, paymentData: DATA }
        const { result, error } = await scene.service.call(payRenewal, fields, tokens)
        if (error.code !== 0) continue
        if (result.action !== null) await shop.pay(result.action, card)
        await scene.service.call(checkOrderStatus, { orderId: result.orderId }, tokens)
      }
    }
  }

  /** Raises the price of an offer, and migrates the subscriptions with older prices. */
  async function raisePrice({ offer: key }: Pick<Raise, 'offer'>): Promise<void> {
    cents++
    const price = amountText(cents)
    await shop.sell(SOLD.replace(new RegExp(`(key: ${key},.*?price: )"[^"]*"`), `$1"${price}"`))
    const { error } = await scene.service.call(migrateOffer, { key }, operator)
    expect(error.code).toBe(0)
  }

  /** Changes a subscription to the given offer if possible, otherwise to the first available plan. */
  async function change(
    actor: Actor,
    subscriptionId: number,
    { offer, card }: Pick<Action, 'offer' | 'card'>,
  ): Promise<void> {
    const { tokens } = actor
    const { result: changes } = await scene.service.call(listChanges, { subscriptionId }, tokens)
    const chosen = changes.find(({ idOption }) => idOption === shop.idOf(offer)) ?? changes[0]
    if (!chosen) return
    const { idOption, idRevision, amount } = chosen
    const { result, error } = await scene.service.call(
      changeSubscription,
      {
        subscriptionId,
        idOption,
        idRevision,
        amount,
        returnUrl: RETURN,
        paymentData: DATA,
        policyValidation: true,
      },
      tokens,
    )
    if (error.code !== 0 || result.payment === null) return
    const { action, orderId } = result.payment
    if (action !== null) await shop.pay(action, card)
    await shop.status(orderId, actor)
  }

  it(
    'every entry balances, each period is paid once, and nobody has access without a payment',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 2 * ACCOUNTS, maxLength: 5 * ACCOUNTS }),
          fc.array(raise, { minLength: 2, maxLength: 12 }),
          downtime,
          async (actions, raises, down) => {
            scene.service.clock.set(start)
            const actors: Actor[] = []
            // The last account is not random: it buys a plan and lets it renew, because the random actions do not
            // always include a renewal.
            for (let count = 0; count <= ACCOUNTS; count++)
              actors.push(await scene.make.actor({ tokenDays: 3000 }))
            const parts = {
              ...shop.parts,
              originOf: () => 'http://localhost',
              mail: { order: async () => {} },
            }
            for (let day = 0; day <= 400; day++) {
              const now = start + day * DAY_MS
              if (down.includes(day)) continue
              scene.service.clock.set(now)
              for (const each of [STEADY_PRICE, ...raises].filter((one) => one.day === day))
                await raisePrice(each)
              for (const each of [STEADY, ...actions].filter((one) => one.day === day)) {
                const actor = actors[each.account]
                if (actor) await act(actor, each)
              }
              // Run the jobs a minute after noon, for late answers of banks, and an hour before the next noon,
              // when periods open.
              for (const later of [60_000, 23 * 3_600_000]) {
                scene.service.clock.set(now + later)
                await reconcileOrders(shop.parts)
                await renewSubscriptions(parts)
              }
              if (day % 7 !== 0) continue
              await remind(scene.service.context.db, now)
              await hold(now)
            }
            await hold(start + 401 * DAY_MS)
            await happened()
            expect((await scene.service.call(checkLedger, {}, operator)).result.faults).toEqual([])
            start += 402 * DAY_MS
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      )
    },
    PATIENCE_MS,
  )

  /**
   * Checks the invariants of all accounts after the background jobs. Each check is one statement for all accounts.
   */
  async function hold(now: number): Promise<void> {
    const { db } = scene.service.context
    const faults = {
      unbalanced: sql`select movement_id from ledger_entries group by movement_id having sum(cents) <> 0`,
      // Customers' money that was neither used for a sale nor refunded.
      leftOver: sql`select 1 from ledger_entries where account = 'customers' having coalesce(sum(cents), 0) <> 0`,
      // Executed orders without a sale, and sales without an executed order. A payment of 0 cents only saves a
      // card.
      unsold: sql`select id from orders where state = 'executed' and payment_id is not null and (cents > 0) <>
        exists (select 1 from ledger_movements m where m.payment_id = orders.payment_id and m.kind = 'sale')`,
      givenAway: sql`select p.id from payments p join ledger_movements m on m.payment_id = p.id and m.kind = 'sale'
        where not exists (select 1 from orders where orders.payment_id = p.id and orders.state = 'executed')`,
      paidTwice: sql`select period_id from orders where state = 'executed' and period_id is not null
        group by period_id having count(*) > 1`,
      unpaid: sql`select p.id from subscription_periods p where p.state = 'paid'
        and not exists (select 1 from orders where orders.period_id = p.id and orders.state = 'executed')`,
      // Overlapping paid periods of one subscription.
      overlapping: sql`select a.id from subscription_periods a join subscription_periods b
        on a.subscription_id = b.subscription_id and a.id <> b.id and a.state = 'paid' and b.state = 'paid'
        and a.starts_at < b.ends_at and b.starts_at < a.ends_at`,
      // Temporary rights for an unpaid period that outlast their ended subscription.
      accessAfterEnd: sql`select s.id from subscriptions s join grants g on g.account_id = s.account_id and g.source = 'subscription'
        where s.ended_at is not null and g.source_id like 'renewal-%'
        and g.source_id in (select 'renewal-' || p.id || '-' || n from subscription_periods p, generate_series(0, 20) n
          where p.subscription_id = s.id)
        and least(g.ended_at, g.valid_to) > s.ended_at + interval '1 minute'`,
      // Upgrades whose replaced subscription did not end at the start of the new plan.
      notReplaced: sql`select o.id from orders o join subscriptions s on s.id = o.replaces_id
        where o.state = 'executed' and s.ended_at is distinct from o.closed_at`,
      // Renewals with new terms whose amount no e-mail announced: neither a month before, nor when the customer
      // scheduled a change.
      untold: sql`select p.id from subscription_periods p join offer_revisions r on r.id = p.changes_to
        where p.state = 'paid' and not exists (select 1 from subscription_letters l where l.subscription_id = p.subscription_id
        and l.letter in ('priceChanges', 'changeNoted') and l.cents = p.cents and l.about <= p.starts_at)`,
      // Renewals whose amount is no price of their offer revision.
      mispriced: sql`select i.id from order_items i join orders o on o.id = i.order_id and o.state = 'executed' and o.period_id is not null
        join offer_revisions r on r.id = i.offer_revision_id
        cross join lateral (select (r.terms ->> 'cents')::integer as full_cents, (r.terms ->> 'setupCents')::integer as setup,
          coalesce((r.terms -> 'introduction' ->> 'cents')::integer, (r.terms ->> 'cents')::integer) as introduced) t
        where i.cents not in (full_cents, introduced, full_cents + setup, introduced + setup)`,
      stuck: sql`select p.id from subscription_periods p where p.state = 'due'
        and p.next_attempt_at < ${new Date(now - 3 * DAY_MS).toISOString()}::timestamptz`,
    }
    for (const [name, fault] of Object.entries(faults))
      expect([name, await rowsOf(db, fault)]).toEqual([name, []])
  }

  /** Checks that subscriptions have renewed and migrated. Without both, the test would prove nothing. */
  async function happened(): Promise<void> {
    const { db } = scene.service.context
    const [count] = await rowsOf<{ renewals: number }>(
      db,
      sql`select count(*)::integer as renewals from orders where state = 'executed' and period_id is not null`,
    )
    expect(count?.renewals).toBeGreaterThan(0)
    const [migrated] = await rowsOf<{ count: number }>(
      db,
      sql`select count(*)::integer as count from subscriptions where is_migrated`,
    )
    expect(migrated?.count).toBeGreaterThan(0)
  }
})

type Raise = typeof raise extends fc.Arbitrary<infer Value> ? Value : never
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never
