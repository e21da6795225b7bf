import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { addOptions, askPayment } from '@ondine/contract/orders'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { deleteAsset } from '../../../../test/builders.ts'
import { CARDS, DATA, Purchases, RETURN, SOLD } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { rowsOf } from '../../../database/rows.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { sandboxNotices, sandboxPayments } from '../sandbox/sandbox.table.ts'
import type { Buyer } from './cart.service.ts'
import { reconcileOrders } from './order-jobs.ts'
import { askPayment as pressPay } from './orders.service.ts'
import { orders, subscriptions } from './orders.table.ts'
import { refundOrder } from './refund-order.ts'
import { settleOrder } from './settlement.service.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const PRESSES = Array.from({ length: 50 }, (_, index) => index)
const PAID = { payment: { provider: 399, customers: -399 }, sale: { customers: 399, sales: -332, vat: -67 } }
const GIVEN_BACK = { payment: { provider: 399, customers: -399 }, refund: { customers: 399, provider: -399 } }

describe.each(MAIN_DB)('settling orders, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })

  const db = () => scene.service.context.db
  const { at } = scene
  const reconcile = async () => await reconcileOrders(shop.parts)
  const stateOf = async (orderId: number) => {
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId))
    return order?.state
  }
  const rights = async ({ account }: Actor = scene.actor) =>
    await db().select().from(grants).where(eq(grants.accountId, account.id))
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id))
  const bankStateOf = async (orderId: number) => {
    const { key } = await shop.paymentOf(orderId)
    const [row] = await db().select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
    return row?.state
  }
  /** Rents a film and pays for it at the bank. The service has not settled the order yet. */
  async function paid(card: string = CARDS.good): Promise<{ orderId: number; action: string }> {
    const order = await shop.order(['rental'], titles.encre)
    await shop.pay(order.action, card)
    expect(await stateOf(order.orderId)).toBe('submitted')
    return order
  }
  /**
   * Makes the database reject new rights while `work` runs, to simulate a crash during the execution of an order.
   */
  async function withoutRights(work: () => Promise<void>): Promise<void> {
    await db().execute(sql`create function refuse_rights() returns trigger language plpgsql as $$
      begin raise exception 'no rights now'; end $$`)
    await db().execute(
      sql`create trigger refuse_rights before insert on grants for each row execute function refuse_rights()`,
    )
    try {
      await work()
    } finally {
      await db().execute(sql`drop function refuse_rights cascade`)
    }
  }

  describe('concurrent requests', () => {
    it('50 presses on one cart are one order with one payment', async () => {
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(PRESSES.map(async () => await shop.ask()))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(
        new Set(answers.map(({ result }) => `${result.orderId} ${result.action} ${result.amount}`)).size,
      ).toBe(1)
      expect(await ordersOf()).toHaveLength(1)
    })

    it('50 presses with a saved card charge it once', async () => {
      const first = await shop.order(['cinema-monthly'])
      await shop.pay(first.action)
      expect(await shop.status(first.orderId)).toBe('executed')
      const { methodId } = await shop.paymentOf(first.orderId)
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(
        PRESSES.map(async () => await shop.ask({ paymentMethod: `saved-${methodId}` })),
      )
      // A request that arrives after the order was executed finds an empty cart.
      expect(answers.every(({ status, error }) => status === 200 || error.code === -500)).toBe(true)
      const done = (await ordersOf()).filter(({ id }) => id !== first.orderId)
      expect(done.map(({ state }) => state)).toEqual(['executed'])
      expect((await rights()).filter(({ source }) => source === 'rental')).toHaveLength(1)
      expect(await shop.movements(done[0]?.id ?? 0)).toEqual(PAID)
    })

    it('50 status calls, notices and runs of the job execute a paid order once', async () => {
      const { orderId } = await paid()
      const statuses = await Promise.all(
        PRESSES.map(async (press) => {
          if (press % 3 === 1) return (await settleOrder(shop.parts, orderId)).state
          if (press % 3 === 2) await reconcile()
          return await shop.status(orderId)
        }),
      )
      expect(new Set(statuses)).toEqual(new Set(['executed']))
      expect(await rights()).toHaveLength(1)
      expect(await shop.movements(orderId)).toEqual(PAID)
    })

    it('50 presses on the page of the bank pay once', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await Promise.all(PRESSES.map(async () => await shop.pay(action, CARDS.good, 'prompt')))
      const { key } = await shop.paymentOf(orderId)
      const [atBank] = await db().select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
      const notices = await db()
        .select()
        .from(sandboxNotices)
        .where(eq(sandboxNotices.paymentId, atBank?.id ?? 0))
      expect(notices).toHaveLength(1)
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('of two paid orders for one plan, one is executed and the other is refunded', async () => {
      const monthly = await shop.order(['cinema-monthly'])
      const yearly = await shop.order(['cinema-yearly'])
      await shop.pay(monthly.action)
      await shop.pay(yearly.action)
      await Promise.all([settleOrder(shop.parts, monthly.orderId), settleOrder(shop.parts, yearly.orderId)])
      const states = [await stateOf(monthly.orderId), await stateOf(yearly.orderId)]
      expect(new Set(states)).toEqual(new Set(['executed', 'failed']))
      const lost = states[0] === 'failed' ? monthly.orderId : yearly.orderId
      expect((await shop.paymentOf(lost)).state).toBe('refunded')
      expect(await bankStateOf(lost)).toBe('refunded')
      const held = await db()
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.accountId, scene.actor.account.id))
      expect(held).toHaveLength(1)
    })
  })

  describe('spec 49: two paid orders for one rental', () => {
    /** Orders the same rental in two windows, between which its price has changed. */
    async function twoOrders(
      key: string,
      contentId?: number,
    ): Promise<{ orderId: number; action: string }[]> {
      await shop.sell(
        SOLD.replace('price: "3.99", class', 'price: "2.99", class').replace('"6.99"', '"5.99"'),
      )
      const cheap = await shop.order([key], contentId)
      await shop.sell()
      return [cheap, await shop.order([key], contentId)]
    }

    it.each([
      ['of a title, one after the other', 'rental'],
      ['of a title, together', 'rental'],
      ['of a season, one after the other', 'season'],
    ])('%s: one is executed, the other is refunded', async (how, key) => {
      const both = await twoOrders(key, key === 'rental' ? titles.encre : undefined)
      await at(NOON + 60_000, async () => {
        for (const { action } of both) await shop.pay(action)
        const settle = async ({ orderId }: { orderId: number }) => await settleOrder(shop.parts, orderId)
        if (how.endsWith('together')) await Promise.all(both.map(settle))
        else for (const each of both) await settle(each)
        const ids = both.map(({ orderId }) => orderId)
        const states = await Promise.all(ids.map(stateOf))
        expect(new Set(states)).toEqual(new Set(['executed', 'failed']))
        expect(await bankStateOf(ids[states.indexOf('failed')] ?? 0)).toBe('refunded')
        expect(await rights()).toHaveLength(1)
      })
    })

    it('both are executed if the second is ordered after the first was paid', async () => {
      for (const minutes of [1, 2])
        await at(
          NOON + minutes * 60_000,
          async () => void (await shop.buy(['rental'], { contentId: titles.encre })),
        )
      expect(await rights()).toHaveLength(2)
    })
  })

  describe('two paid orders for one pay-per-view', () => {
    it.each(['one after the other', 'together'])(
      '%s: one is executed, the other is refunded',
      async (how) => {
        await shop.sell(SOLD.replace('price: "1.50", channel: 7', 'price: "2.50", channel: 7'))
        const dear = await shop.order(['channel-day'])
        await shop.sell()
        const cheap = await shop.order(['channel-day'])
        await shop.pay(dear.action)
        await shop.pay(cheap.action)
        const settle = async ({ orderId }: { orderId: number }) => await settleOrder(shop.parts, orderId)
        if (how === 'together') await Promise.all([settle(dear), settle(cheap)])
        else for (const each of [dear, cheap]) await settle(each)
        const ids = [dear.orderId, cheap.orderId]
        const states = await Promise.all(ids.map(stateOf))
        expect(new Set(states)).toEqual(new Set(['executed', 'failed']))
        const lost = ids[states.indexOf('failed')] ?? 0
        expect((await shop.paymentOf(lost)).state).toBe('refunded')
        expect(await bankStateOf(lost)).toBe('refunded')
        expect(await rights()).toHaveLength(1)
      },
    )

    it('can both be executed when the first right is over before the second is paid', async () => {
      const first = await shop.order(['channel-day'])
      await shop.pay(first.action)
      expect(await shop.status(first.orderId)).toBe('executed')
      await at(NOON + DAY_MS, async () => {
        const second = await shop.order(['channel-day'])
        await shop.pay(second.action)
        expect(await shop.status(second.orderId)).toBe('executed')
      })
      expect(await rights()).toHaveLength(2)
    })
  })

  describe('interrupted', () => {
    it('after the payment, before the notice: the status call of the screen finds the payment', async () => {
      const { orderId } = await paid()
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('after the payment, with the screen closed: the job finds the payment, even past the time of the order', async () => {
      const { orderId } = await paid()
      await at(NOON + DAY_MS, reconcile)
      expect(await stateOf(orderId)).toBe('executed')
      expect(await shop.movements(orderId)).toEqual(PAID)
    })

    it('before the request to the bank: the next press begins the payment of the same order', async () => {
      const first = await shop.order(['rental'], titles.encre)
      const { key } = await shop.paymentOf(first.orderId)
      await db().delete(sandboxPayments).where(eq(sandboxPayments.key, key))
      expect(await shop.status(first.orderId)).toBe('submitted')
      const { result } = await shop.ask()
      expect(result.orderId).toBe(first.orderId)
      await shop.pay(result.action ?? '')
      expect(await shop.status(first.orderId)).toBe('executed')
    })

    it('before the request to the bank, without another press: the order expires', async () => {
      const { orderId } = await shop.order(['rental'], titles.encre)
      const { key } = await shop.paymentOf(orderId)
      await db().delete(sandboxPayments).where(eq(sandboxPayments.key, key))
      await at(NOON + QUARTER_MS, reconcile)
      expect(await stateOf(orderId)).toBe('expired')
    })

    it('between payment and rights: the payment is stored, nothing is half done, and the job finishes the order', async () => {
      const { orderId } = await paid()
      await withoutRights(async () => {
        await expect(settleOrder(shop.parts, orderId)).rejects.toThrow()
        await reconcile()
      })
      expect(await stateOf(orderId)).toBe('to_execute')
      expect(await shop.movements(orderId)).toEqual({ payment: PAID.payment })
      expect(await rights()).toEqual([])
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
      expect(await shop.movements(orderId)).toEqual(PAID)
    })

    it('between the bank’s refund and the books: the refund is booked once', async () => {
      const { orderId } = await paid()
      await db().update(accounts).set({ status: 'BANNED' }).where(eq(accounts.id, scene.actor.account.id))
      const parts = shop.parts
      const { bank } = shop
      // The bank refunds the money, but its answer to the service is lost.
      bank.refund = async (key) => {
        await shop.bank.refund(key)
        throw new ProviderSilent('The bank does not answer.')
      }
      await expect(
        settleOrder({ ...parts, providers: new Map([['sandbox', bank]]) }, orderId),
      ).rejects.toThrow(ProviderSilent)
      expect([await stateOf(orderId), (await shop.paymentOf(orderId)).state]).toEqual(['failed', 'refundDue'])
      await Promise.all([reconcile(), reconcile(), settleOrder(parts, orderId)])
      expect((await shop.paymentOf(orderId)).state).toBe('refunded')
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
    })
  })

  describe('a payment after a change', () => {
    it('is refunded when its title has left the catalogue', async () => {
      const film = await scene.make.asset('Partance', { inPackages: ['recent'] })
      const { orderId, action } = await shop.order(['rental'], film.id)
      await shop.pay(action)
      await deleteAsset(db(), film.id)
      expect(await shop.status(orderId)).toBe('failed')
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
      expect(await bankStateOf(orderId)).toBe('refunded')
    })

    it('spec 36: is refunded and gives no access when its order has expired', async () => {
      const { orderId } = await shop.order(['rental'], titles.encre)
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('expired')
      // Simulate a bank that charges the card after the order has expired.
      const { key } = await shop.paymentOf(orderId)
      await db()
        .update(sandboxPayments)
        .set({ state: 'succeeded', card: CARDS.good, paidAt: NOON + QUARTER_MS + 1000 })
        .where(eq(sandboxPayments.key, key))
      await at(NOON + QUARTER_MS + 60_000, async () => await Promise.all([reconcile(), reconcile()]))
      expect(await stateOf(orderId)).toBe('expired')
      expect(await rights()).toEqual([])
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
      expect(await bankStateOf(orderId)).toBe('refunded')
    })

    it('is refunded when it buys an option whose plan has ended meanwhile', async () => {
      const plan = await shop.buy(['cinema-monthly'])
      const option = await shop.order(['ultra'])
      await shop.pay(option.action)
      await refundOrder(shop.parts, plan)
      expect(await shop.status(option.orderId)).toBe('failed')
      expect((await shop.paymentOf(option.orderId)).state).toBe('refunded')
      expect(await bankStateOf(option.orderId)).toBe('refunded')
      expect(await shop.subscriptions()).toEqual([])
    })

    it('is refunded when its account was deleted meanwhile', async () => {
      const { orderId } = await paid()
      await db().update(accounts).set({ status: 'ARCHIVED' }).where(eq(accounts.id, scene.actor.account.id))
      await reconcile()
      expect([await stateOf(orderId), (await shop.paymentOf(orderId)).state]).toEqual(['failed', 'refunded'])
    })

    it('executes its order when its account was suspended meanwhile', async () => {
      const { orderId } = await paid()
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      await reconcile()
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.encre)).toBe(-2409)
    })
  })

  describe('a provider that is silent', () => {
    const silent = () => {
      const { bank } = shop
      bank.query = async () => {
        throw new ProviderSilent('The bank does not answer.')
      }
      return { ...shop.parts, providers: new Map([['sandbox', bank]]) }
    }

    it('leaves an order open past its time, because it may have been paid', async () => {
      const { orderId } = await paid()
      await at(NOON + DAY_MS, async () => await reconcileOrders(silent()))
      expect(await stateOf(orderId)).toBe('submitted')
      await at(NOON + DAY_MS, reconcile)
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('at the start is reported, and the next press begins the payment of the same order', async () => {
      await shop.add(['rental'], titles.encre)
      const { account, profileId } = scene.actor
      const caller = {
        account: { id: account.id },
        profile: { id: profileId, kid: false, maximumMoralityLevel: 0 },
      }
      const buyer: Buyer = {
        account: { id: account.id, since: NOON / 1000 },
        viewer: await scene.service.context.viewers.of(caller, NOON),
        language: 'fra',
        now: NOON,
        sells: DEFAULT_CONFIGURATION.offers,
        hasGivenCode: async () => true,
      }
      const { bank } = shop
      bank.start = async () => {
        throw new ProviderSilent('The bank does not answer.')
      }
      const parts = { ...shop.parts, providers: new Map([['sandbox', bank]]) }
      const how = {
        method: { paymentData: DATA },
        voucher: undefined,
        seen: {},
        returnTo: new URL(RETURN),
        origin: 'http://localhost',
      }
      await expect(pressPay(parts, buyer, how)).rejects.toMatchObject({ error: 'paymentProviderSilent' })
      const [order] = await ordersOf()
      expect(order?.state).toBe('submitted')
      const { result } = await shop.ask()
      expect(result.orderId).toBe(order?.id)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
    })

    it('makes no status call fail', async () => {
      const { orderId } = await shop.order(['rental'], titles.encre)
      await db()
        .update(payments)
        .set({ provider: 'gone' })
        .where(eq(payments.id, (await shop.paymentOf(orderId)).id))
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('submitted')
    })

    it('does not keep the job from the other orders', async () => {
      const [mine, other] = [await paid(), await scene.make.actor()]
      const theirs = await shop.order(['rental'], titles.sel, other)
      await shop.pay(theirs.action)
      const { key } = await shop.paymentOf(mine.orderId)
      const { bank } = shop
      const query = bank.query.bind(bank)
      bank.query = async (asked) => {
        if (asked === key) throw new Error('This payment breaks the bank.')
        return await query(asked)
      }
      await reconcileOrders({ ...shop.parts, providers: new Map([['sandbox', bank]]) })
      expect([await stateOf(mine.orderId), await stateOf(theirs.orderId)]).toEqual(['submitted', 'executed'])
      await reconcile()
    })
  })

  it('all entries of these tests balance, and no customer’s money is left over', async () => {
    await reconcile()
    const rows = await rowsOf(
      db(),
      sql`select coalesce(sum(cents), 0)::integer as total,
        coalesce(sum(cents) filter (where account = 'customers'), 0)::integer as customers from ledger_entries`,
    )
    expect(rows).toEqual([{ total: 0, customers: 0 }])
    const executed = await db().select().from(orders).where(eq(orders.state, 'executed'))
    expect(executed.length).toBeGreaterThan(5)
  })

  it('concurrent requests to several processes make one order', async () => {
    const other = await scene.service.another()
    const { tokens } = scene.actor
    const extra = { context: { contentId: titles.sel, contentType: 'VOD_ASSET' as const } }
    await scene.service.call(addOptions, { optionIds: [shop.idOf('rental')], extra }, tokens)
    const fields = new URLSearchParams({
      returnUrl: RETURN,
      paymentData: DATA,
      policyValidation: 'true',
    }).toString()
    const answers = await Promise.all(
      [scene.service.app, other.app, scene.service.app, other.app].map(
        async (app) =>
          await app.inject({
            method: 'POST',
            url: askPayment.path,
            headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
            payload: fields,
          }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.json().result?.orderId)).size).toBe(1)
    expect(await ordersOf()).toHaveLength(1)
  })
})
