import type { InputOf } from '@ondine/contract/operation'
import { listOptions } from '@ondine/contract/orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  listSubscriptions,
  resumeSubscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { lettersTo } from '../../../test/letters.ts'
import { CARDS, DATA, Purchases, RETURN } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { checkLedger } from '../accounting/check-ledger.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { startMailJobs } from '../mail/mail.service.ts'
import { openPost } from '../mail/postman.ts'
import { ProviderSilent } from '../payments/payment-provider.ts'
import { SandboxBank } from '../sandbox/sandbox-bank.ts'
import { reconcileOrders } from './order-jobs.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { refundOrder } from './refund-order.ts'
import { renewSubscriptions } from './renewal-jobs.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** January, of which the first month of what is bought at noon of the 15th is made: 31 days. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
const MONTH_2 = Date.UTC(2026, 2, 15, 12)
/** Half of that month. */
const HALF = NOON + 15.5 * DAY_MS

/** Plans that exclude one another, and an option of two of them. */
const PLANS = `
packages:
  - key: cinema
    name: { fra: Cinéma }
    titles: [La Houle]
  - key: sport
    name: { fra: Sport }
    titles: [Le Match]
offers:
  - { key: small, type: subscription, name: { fra: Petit, eng: Small }, price: "6.00", every: month, plan: small, packages: [cinema], excludes: [middle, large, large-yearly, setup, free] }
  - { key: small-yearly, type: subscription, name: { fra: Petit }, price: "60.00", every: year, plan: small, packages: [cinema], excludes: [middle, large, large-yearly, setup, free] }
  - { key: middle, type: subscription, name: { fra: Moyen }, price: "9.00", every: month, introduction: { price: "5.00", periods: 2 }, packages: [cinema, sport], excludes: [large] }
  - { key: large, type: subscription, name: { fra: Grand, eng: Large }, price: "12.00", every: month, trialDays: 14, plan: large, packages: [cinema, sport] }
  - { key: large-yearly, type: subscription, name: { fra: Grand }, price: "120.00", every: year, plan: large, packages: [cinema, sport] }
  - { key: setup, type: subscription, name: { fra: Avec frais }, price: "3.00", every: month, setup: "1.50", packages: [cinema] }
  - { key: free, type: subscription, name: { fra: Gratuit }, price: "0", every: month, packages: [cinema] }
  - { key: other, type: subscription, name: { fra: Autre }, price: "20.00", every: month, packages: [sport] }
  - { key: option, type: subscription, name: { fra: Option }, price: "3.10", every: month, packages: [sport], requires: [small, small-yearly, middle], excludes: [large] }
  - { key: film, type: transactional, name: { fra: Location }, price: "3.99", titles: [Encre] }
  - { key: rest, type: subscription, name: { fra: Fini }, price: "99.00", every: month, packages: [sport], excludes: [small], validTo: "2025-12-31" }
`

describe.each(DATABASES)('changes of plan, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell(PLANS)
  })
  afterEach(async () => {
    // What a test leaves behind does not renew in the next one.
    await db().update(subscriptions).set({ endedAt: NOON })
    await db().update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.state, 'due'))
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const at = (time: number) => scene.service.clock.set(time)
  const parts = () => ({ ...shop.parts, originOf: () => 'http://localhost', mail: { order: async () => {} } })
  /** Does at a time what the work in the background does. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions(parts())
  }
  const list = async ({ tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listSubscriptions, {}, tokens)).result
  const only = async (actor?: Actor) => {
    const [subscription, ...more] = await list(actor)
    if (!subscription || more.length > 0) throw new Error('There is not one subscription.')
    return subscription
  }
  /** Subscribes and pays. @returns the id of the first subscription */
  async function subscribe(keys: readonly string[], card: string = CARDS.good, actor: Actor = scene.actor) {
    const { orderId, action } = await shop.order(keys, undefined, actor)
    if (action !== '') await shop.pay(action, card)
    expect(await shop.status(orderId, actor)).toBe('executed')
    const [first] = await list(actor)
    if (!first) throw new Error('There is no subscription.')
    return first.id
  }
  const changes = async (subscriptionId: number, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listChanges, { subscriptionId }, tokens)).result
  const changeTo = async (subscriptionId: number, key: string) => {
    const found = (await changes(subscriptionId)).find(({ idOption }) => idOption === shop.idOf(key))
    if (!found) throw new Error(`${key} is no change.`)
    return found
  }
  const ask = async (
    subscriptionId: number,
    fields: Pick<InputOf<typeof changeSubscription>, 'idOption' | 'idRevision' | 'amount'> &
      Partial<InputOf<typeof changeSubscription>>,
    { tokens }: Pick<Actor, 'tokens'> = scene.actor,
  ) =>
    await scene.service.call(
      changeSubscription,
      { subscriptionId, returnUrl: RETURN, paymentData: DATA, policyValidation: true, ...fields },
      tokens,
    )
  const change = async (subscriptionId: number, key: string, fields = {}) => {
    const { idOption, idRevision, amount } = await changeTo(subscriptionId, key)
    return await ask(subscriptionId, { idOption, idRevision, amount, ...fields })
  }
  /** Asks for an upgrade and pays it. @returns the id of its order */
  async function upgrade(subscriptionId: number, key: string, card: string = CARDS.good): Promise<number> {
    const { result } = await change(subscriptionId, key)
    if (!result.payment) throw new Error(`${key} is no upgrade.`)
    const { action, orderId } = result.payment
    if (action !== null) await shop.pay(action, card)
    await shop.status(orderId)
    return orderId
  }
  const undo = async (subscriptionId: number) =>
    await scene.service.call(undoChange, { subscriptionId }, scene.actor.tokens)
  const cancel = async (subscriptionId: number) =>
    await scene.service.call(cancelSubscription, { subscriptionId }, scene.actor.tokens)
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)
  const renewals = async () => (await ordersOf()).filter(({ periodId }) => periodId !== null)
  const faults = async () =>
    (await checkLedger({ db: db(), clock: scene.service.clock, providers: shop.parts.providers })).faults

  describe('the plans that one can change to', () => {
    it('are those that exclude it, the cheapest first, dearer ones now and others with the next period', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const all = await changes(id)
      expect(
        all.map(({ title, pricePeriodicity, starts, at, amount, credit }) => [
          title,
          pricePeriodicity,
          starts,
          at,
          amount,
          credit,
        ]),
      ).toEqual([
        ['Gratuit', 'monthly', 'nextPeriod', MONTH_1 / 1000, '0.00', '0.00'],
        ['Avec frais', 'monthly', 'nextPeriod', MONTH_1 / 1000, '4.50', '0.00'],
        ['Moyen', 'monthly', 'now', HALF / 1000, '2.00', '3.00'],
        ['Grand', 'monthly', 'now', HALF / 1000, '9.00', '3.00'],
        ['Petit', 'yearly', 'nextPeriod', MONTH_1 / 1000, '60.00', '0.00'],
        ['Grand', 'yearly', 'now', HALF / 1000, '117.00', '3.00'],
      ])
    })

    it('are none for an option, and while the payment is overdue', async () => {
      await subscribe(['small', 'option'], CARDS.failsAtRenewal)
      const [plan, option] = await list()
      expect(await changes(option?.id ?? 0)).toEqual([])
      await work(MONTH_1)
      expect(await changes(plan?.id ?? 0)).toEqual([])
    })

    it('leave out what another subscription excludes, and what is not on sale', async () => {
      const id = await subscribe(['small'])
      await subscribe(['other'])
      const apart = `offers:\n  - { key: other, type: subscription, name: { fra: Autre }, price: "20.00", every: month, packages: [sport], excludes: [middle] }`
      await shop.sell(apart)
      // Terms of a purchase are kept: what was bought before excludes nothing.
      expect((await changes(id)).map(({ title }) => title)).toContain('Moyen')
      const [, second] = await list()
      await cancel(second?.id ?? 0)
      await work(MONTH_1)
      await work(MONTH_1 + MINUTE_MS)
      await subscribe(['other'])
      const shown = (await changes(id)).map(({ title }) => title)
      expect(shown).not.toContain('Moyen')
      expect(shown).not.toContain('Fini')
      await shop.sell(PLANS)
    })

    it('name the options that the plan does not allow', async () => {
      await subscribe(['small', 'option'])
      const [plan] = await list()
      expect((await changeTo(plan?.id ?? 0, 'large')).endsOptions).toEqual(['Option'])
      expect((await changeTo(plan?.id ?? 0, 'middle')).endsOptions).toEqual([])
      expect((await changeTo(plan?.id ?? 0, 'free')).endsOptions).toEqual(['Option'])
    })

    it('are refused for somebody else’s subscription, for none, and to an account that is suspended', async () => {
      const other = await scene.make.actor()
      const theirs = await subscribe(['small'], CARDS.good, other)
      for (const subscriptionId of [theirs, 999_999])
        for (const operation of [listChanges, undoChange])
          expect(
            (await scene.service.call(operation, { subscriptionId }, scene.actor.tokens)).error.code,
          ).toBe(-404)
      const id = await subscribe(['small'])
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      for (const operation of [listChanges, undoChange])
        expect(
          (await scene.service.call(operation, { subscriptionId: id }, scene.actor.tokens)).error.code,
        ).toBe(-2409)
    })
  })

  describe('an upgrade', () => {
    it('starts when it is paid, credits the unused time, and ends the old plan', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      expect(await shop.plays(titles.match)).toBe(-11)
      const { result } = await change(id, 'large')
      expect(result).toMatchObject({ starts: 'now', payment: { amount: '9.00' } })
      expect([await shop.plays(titles.match), (await only()).title]).toEqual([-11, 'Petit'])
      await shop.pay(result.payment?.action ?? '')
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      expect([await shop.plays(titles.match), await shop.plays(titles.houle)]).toEqual([0, 0])
      expect(await only()).toMatchObject({
        title: 'Grand',
        statusId: 10,
        next: { step: 'renews', amount: '12.00' },
        validTo: Date.UTC(2026, 1, 28, 0) / 1000,
      })
      // The old plan does not renew.
      await work(MONTH_1)
      expect(await renewals()).toEqual([])
      await work(Date.UTC(2026, 1, 28, 0))
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 1200]])
      expect(await faults()).toEqual([])
    })

    it('books what was paid, and names the credit on its receipt', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const orderId = await upgrade(id, 'large')
      expect(await shop.movements(orderId)).toEqual({
        payment: { provider: 900, customers: -900 },
        sale: { customers: 900, sales: -750, vat: -150 },
      })
      const [receipt] = (await scene.service.call(listReceipts, {}, scene.actor.tokens)).result
      expect(receipt).toMatchObject({
        amount: '9.00',
        vat: '1.50',
        lines: [{ title: 'Grand', amount: '9.00', credit: '3.00', discount: '0.00', from: HALF / 1000 }],
      })
      const printed = await scene.service.app.inject({
        method: 'GET',
        url: readReceipt.path.replace(':idReceipt', String(receipt?.idReceipt)),
        headers: scene.actor.tokens,
      })
      expect([printed.statusCode, printed.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    })

    it('has no second trial, and an introduction as any purchase', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      await upgrade(id, 'middle')
      await work(Date.UTC(2026, 1, 28, 0))
      await work(Date.UTC(2026, 2, 31, 0))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([500, 900])
    })

    it('out of a trial credits nothing that was not paid', async () => {
      const { orderId, action } = await shop.order(['film'], titles.encre)
      await shop.pay(action)
      await shop.status(orderId)
      const id = await subscribe(['large'])
      at(NOON + DAY_MS)
      expect(await changeTo(id, 'middle')).toMatchObject({ starts: 'nextPeriod', amount: '5.00' })
      await change(id, 'middle')
      await work(NOON + 14 * DAY_MS)
      expect((await only()).title).toBe('Moyen')
      expect((await renewals()).map(({ cents }) => cents)).toEqual([500])
      // A trial was had, whatever plan the subscription has now.
      expect(
        (await scene.service.call(listChanges, { subscriptionId: id }, scene.actor.tokens)).result.find(
          ({ title }) => title === 'Grand',
        )?.amount,
      ).toBe('7.00')
    })

    it('with more credit than its price costs nothing, and the rest is time', async () => {
      const id = await subscribe(['small-yearly'])
      const found = await changeTo(id, 'large')
      expect(found).toMatchObject({ starts: 'now', amount: '0.00', credit: '60.00' })
      const { result } = await change(id, 'large', { paymentData: undefined })
      expect(result.payment?.action).toBeNull()
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      const { validTo, method } = await only()
      expect(validTo).toBe(found.renewals[0]?.at)
      // 60.00 pays for five months: one, and four of an average length.
      expect(validTo * 1000).toBe(new Date(NOON + 4 * 2_629_746_000).setUTCMonth(5))
      expect(method?.label).toBe('•••• 4242')
      await work(validTo * 1000 - 2 * HOUR_MS)
      expect([await shop.plays(titles.match), await renewals()]).toEqual([0, []])
      await work(validTo * 1000)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([1200])
      expect(await faults()).toEqual([])
    })

    it('of an upgrade credits what the first one was worth, not only what was paid for it', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      expect(await changeTo(id, 'middle')).toMatchObject({ amount: '2.00', credit: '3.00' })
      await upgrade(id, 'middle')
      const second = (await only()).id
      expect((await changeTo(second, 'large')).credit).toBe('5.00')
      await upgrade(second, 'large')
      expect([(await only()).title, await faults()]).toEqual(['Grand', []])
    })

    it('ends options that it does not allow, with their credit, and keeps the others', async () => {
      await subscribe(['small', 'option'])
      const [plan] = await list()
      at(HALF)
      expect(await changeTo(plan?.id ?? 0, 'large')).toMatchObject({ credit: '4.55', amount: '7.45' })
      expect(await changeTo(plan?.id ?? 0, 'middle')).toMatchObject({ credit: '3.00', amount: '2.00' })
      await upgrade(plan?.id ?? 0, 'middle')
      expect((await list()).map(({ title, next }) => [title, next.step])).toEqual([
        ['Option', 'renews'],
        ['Moyen', 'renews'],
      ])
      const [, middle] = await list()
      await upgrade(middle?.id ?? 0, 'large')
      expect((await list()).map(({ title }) => title)).toEqual(['Grand'])
      await work(MONTH_1)
      expect(await renewals()).toEqual([])
    })

    it('of a plan that was cancelled renews', async () => {
      const id = await subscribe(['small'])
      await cancel(id)
      at(HALF)
      await upgrade(id, 'large')
      expect(await only()).toMatchObject({ statusId: 10, next: { step: 'renews' } })
    })

    it('asked for by many at once is one payment', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await change(id, 'large')))
      expect(
        new Set(answers.map(({ result }) => `${result.payment?.orderId} ${result.payment?.action}`)).size,
      ).toBe(1)
    })

    it('paid in two tabs for two plans gives one, and the other payment goes back', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const asked = [(await change(id, 'large')).result.payment, (await change(id, 'middle')).result.payment]
      for (const payment of asked) await shop.pay(payment?.action ?? '')
      const states = await Promise.all(asked.map(async (payment) => await shop.status(payment?.orderId ?? 0)))
      expect(states.toSorted()).toEqual(['executed', 'failed'])
      await work(HALF + MINUTE_MS)
      const failed = asked[states.indexOf('failed')]
      expect((await shop.paymentOf(failed?.orderId ?? 0)).state).toBe('refunded')
      expect([(await list()).length, await faults()]).toEqual([1, []])
    })

    it('is found when its process was killed after the payment, and gives the plan once', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const { result } = await change(id, 'large')
      await shop.pay(result.payment?.action ?? '')
      await Promise.all([1, 2, 3].map(async () => await reconcileOrders(shop.parts)))
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      expect((await only()).title).toBe('Grand')
      expect(await faults()).toEqual([])
    })

    it('that is declined or left leaves the old plan as it was', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const orderId = await upgrade(id, 'large', CARDS.declined)
      expect(await shop.status(orderId)).toBe('submitted')
      await work(HALF + 16 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('expired')
      expect(await only()).toMatchObject({ title: 'Petit', next: { step: 'renews' } })
      await upgrade(id, 'large')
      expect((await only()).title).toBe('Grand')
    })

    it('paid after the old plan has renewed goes back: more would be owed than was credited', async () => {
      const id = await subscribe(['small'])
      at(MONTH_1 - 5 * MINUTE_MS)
      const { result } = await change(id, 'large')
      await shop.pay(result.payment?.action ?? '')
      at(MONTH_1)
      await renewSubscriptions(parts())
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('failed')
      await work(MONTH_1 + MINUTE_MS)
      expect((await shop.paymentOf(result.payment?.orderId ?? 0)).state).toBe('refunded')
      expect([(await only()).title, await faults()]).toEqual(['Petit', []])
    })

    it('costs what was shown for a quarter of an hour, and is refused after it', async () => {
      const id = await subscribe(['small-yearly'])
      at(NOON + DAY_MS)
      const { idOption, idRevision, amount } = await changeTo(id, 'large-yearly')
      const fields = { idOption, idRevision, amount }
      at(NOON + DAY_MS + 2 * HOUR_MS)
      expect((await ask(id, fields)).error.code).toBe(-409)
      at(NOON + DAY_MS + 10 * MINUTE_MS)
      expect((await ask(id, fields)).result.payment?.amount).toBe(amount)
    })

    it('that went back ends the new plan', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const orderId = await upgrade(id, 'large')
      await refundOrder(shop.parts, orderId)
      expect([await list(), await shop.plays(titles.houle), await faults()]).toEqual([[], -11, []])
    })

    it('ends when the payment goes back whose unused time was credited to it', async () => {
      const id = await subscribe(['small-yearly'])
      const [purchase] = await ordersOf()
      await upgrade(id, 'large')
      await refundOrder(shop.parts, purchase?.id ?? 0)
      expect([await list(), await shop.plays(titles.match), await faults()]).toEqual([[], -11, []])
    })

    it('ends with the first payment also where it was upgraded in turn', async () => {
      const id = await subscribe(['small'])
      const [purchase] = await ordersOf()
      at(HALF)
      await upgrade(id, 'middle')
      await upgrade((await only()).id, 'large')
      await refundOrder(shop.parts, purchase?.id ?? 0)
      expect([await list(), await shop.plays(titles.match), await faults()]).toEqual([[], -11, []])
    })

    it('that has renewed since stays: it is paid by itself', async () => {
      const id = await subscribe(['small'])
      const [purchase] = await ordersOf()
      at(HALF)
      await upgrade(id, 'large')
      const { validTo } = await only()
      await work(validTo * 1000)
      await refundOrder(shop.parts, purchase?.id ?? 0)
      expect([(await only()).title, await shop.plays(titles.match), await faults()]).toEqual(['Grand', 0, []])
    })

    it('is refused with another amount, revision or plan, or without a way to pay, and changes nothing', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const { idOption, idRevision, amount } = await changeTo(id, 'large')
      const right = { idOption, idRevision, amount }
      for (const wrong of ['0.00', '8.98', '9.01', '-9.00', '9,00', 'x', '99999999.00', ''])
        expect((await ask(id, { ...right, amount: wrong })).error.code).toBe(-409)
      expect((await ask(id, { ...right, idRevision: idRevision + 1000 })).error.code).toBe(-409)
      for (const key of ['small', 'other', 'option', 'film', 'rest'])
        expect((await ask(id, { ...right, idOption: shop.idOf(key) })).error.code).toBe(-404)
      expect((await ask(id, { ...right, idOption: 999_999 })).error.code).toBe(-404)
      expect((await ask(999_999, right)).error.code).toBe(-404)
      expect((await ask(id, { ...right, paymentData: '' })).error.code).toBe(-2108)
      expect((await ask(id, { ...right, paymentData: '{' })).error.code).toBe(-2109)
      expect((await ask(id, { ...right, returnUrl: 'https://elsewhere.test' })).status).toBe(400)
      expect((await ordersOf()).length).toBe(1)
      expect((await only()).title).toBe('Petit')
    })

    it('is refused with a silent bank, and begins anew when it answers', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const start = vi.spyOn(SandboxBank.prototype, 'start')
      start.mockRejectedValueOnce(new ProviderSilent('The bank does not answer.'))
      expect((await change(id, 'large')).error.code).toBe(-505)
      start.mockRestore()
      await upgrade(id, 'large')
      expect((await only()).title).toBe('Grand')
    })

    it('that waits for its payment is not in the cart: it is not paid from there', async () => {
      const id = await subscribe(['small'])
      await change(id, 'large')
      const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(result.map(({ title, statusId }) => [title, statusId])).toEqual([['Petit', 10]])
    })

    it('that waits for its payment is charged what it says, and nobody who was shown less', async () => {
      const id = await subscribe(['small'])
      at(MONTH_1 - 5 * MINUTE_MS)
      const dearer = await changeTo(id, 'large')
      const { result } = await change(id, 'large')
      // The old plan renews meanwhile: what is left of it is more.
      at(MONTH_1)
      await renewSubscriptions(parts())
      const { idOption, idRevision, amount } = await changeTo(id, 'large')
      expect(Number(amount)).toBeLessThan(Number(dearer.amount))
      expect((await ask(id, { idOption, idRevision, amount })).error.code).toBe(-409)
      const again = await ask(id, { idOption, idRevision, amount: dearer.amount })
      expect(again.result.payment?.orderId).toBe(result.payment?.orderId)
    })
  })

  describe('a downgrade', () => {
    it('is noted, shown, and starts with the next period', async () => {
      const id = await subscribe(['large-yearly'])
      const end = Date.UTC(2027, 0, 15, 12)
      expect((await change(id, 'small', { paymentData: undefined })).result).toEqual({
        starts: 'nextPeriod',
        payment: null,
      })
      expect(await only()).toMatchObject({
        title: 'Grand',
        change: { idOption: shop.idOf('small'), title: 'Petit', periodicity: 'monthly' },
        next: { step: 'renews', at: end / 1000, amount: '6.00' },
      })
      await work(end - HOUR_MS)
      expect(await shop.plays(titles.match)).toBe(0)
      await work(end)
      expect(await only()).toMatchObject({
        id,
        title: 'Petit',
        change: null,
        periodicity: 'monthly',
        validTo: Date.UTC(2027, 1, 15, 12) / 1000,
      })
      expect([await shop.plays(titles.match), await shop.plays(titles.houle)]).toEqual([-11, 0])
      await work(Date.UTC(2027, 1, 15, 12))
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([
        ['executed', 600],
        ['executed', 600],
      ])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2027, 2, 15, 12))
      expect(await faults()).toEqual([])
    })

    it('has a receipt of the new plan, with its setup fee once', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await work(MONTH_1)
      await work(MONTH_2)
      const { result } = await scene.service.call(listReceipts, {}, scene.actor.tokens)
      expect(result.map(({ amount, lines }) => [amount, lines[0]?.title])).toEqual([
        ['3.00', 'Avec frais'],
        ['4.50', 'Avec frais'],
        ['6.00', 'Petit'],
      ])
    })

    it('can be taken back until then, also when its period is open', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await work(MONTH_1 - HOUR_MS)
      expect((await undo(id)).result).toMatchObject({ change: null, next: { amount: '6.00' } })
      expect((await undo(id)).result.change).toBeNull()
      await work(MONTH_1 - MINUTE_MS)
      at(MONTH_1)
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600])
      expect((await only()).title).toBe('Petit')
    })

    it('is confirmed by e-mail once, with the plan, its price and the day, and so is taking it back', async () => {
      const { context } = scene.service
      const { account } = scene.actor
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      await db().update(accounts).set({ language: 'eng' }).where(eq(accounts.id, account.id))
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await lettersTo(context.settings.DATA_DIR, account.email, 1)
      await change(id, 'setup')
      await undo(id)
      await lettersTo(context.settings.DATA_DIR, account.email, 2)
      await undo(id)
      await change(id, 'free')
      const received = await lettersTo(context.settings.DATA_DIR, account.email, 3)
      expect(received.map(({ subject }) => subject)).toEqual([
        'Your subscription changes to Avec frais on February 15, 2026',
        'You keep your Small subscription',
        'Your subscription changes to Gratuit on February 15, 2026',
      ])
      const [noted, undone, other] = received
      expect(noted?.text).toContain(
        'Your Small subscription changes to Avec frais on February 15, 2026, for €4.50.',
      )
      expect(undone?.text).toContain('It renews on February 15, 2026 for €6.00.')
      expect(other?.text).toContain('for €0.00.')
      expect(new URL(noted?.link ?? '').pathname).toBe('/account/products')
    })

    it('noted when its period is open takes the place of it', async () => {
      const id = await subscribe(['small'])
      await work(MONTH_1 - HOUR_MS)
      await change(id, 'free')
      await work(MONTH_1 - MINUTE_MS)
      await work(MONTH_1)
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 0]])
    })

    it('cannot be taken back once its period has begun', async () => {
      const id = await subscribe(['small'], CARDS.failsAtRenewal)
      await change(id, 'setup')
      await work(MONTH_1)
      expect((await undo(id)).error.code).toBe(-409)
      expect(await only()).toMatchObject({ change: null, next: { step: 'retries', amount: '4.50' } })
    })

    it('that is declined comes again as any renewal, and ends the subscription', async () => {
      const id = await subscribe(['small'], CARDS.failsAtRenewal)
      await change(id, 'setup')
      for (const day of [0, 1, 3, 5, 7, 8]) await work(MONTH_1 + day * DAY_MS)
      expect([await list(), await shop.plays(titles.houle)]).toEqual([[], -11])
      expect((await renewals()).map(({ state }) => state)).toEqual(Array(5).fill('failed'))
    })

    it('goes with a cancellation, and makes a cancelled plan go on', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      expect((await cancel(id)).result).toMatchObject({ change: null, next: { step: 'ends' } })
      await scene.service.call(resumeSubscription, { subscriptionId: id }, scene.actor.tokens)
      expect(await only()).toMatchObject({ change: null, next: { amount: '6.00' } })
      await cancel(id)
      await change(id, 'setup')
      expect(await only()).toMatchObject({ statusId: 10, change: { title: 'Avec frais' } })
    })

    it('ends the options that it does not allow with their period', async () => {
      await subscribe(['small', 'option'])
      const [plan] = await list()
      await change(plan?.id ?? 0, 'setup')
      expect((await list()).map(({ title, next }) => [title, next.step])).toEqual([
        ['Petit', 'renews'],
        ['Option', 'ends'],
      ])
      await work(MONTH_1 - HOUR_MS)
      await work(MONTH_1)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
    })

    it('ends the options that it does not allow also where they end before the plan', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      await subscribe(['option'])
      await work(MONTH_1)
      await change(id, 'setup')
      const option = (await list()).find(({ title }) => title === 'Option')
      expect(option?.next).toMatchObject({ step: 'ends', at: option?.validTo })
      await work((option?.validTo ?? 0) * 1000 - HOUR_MS)
      await work((option?.validTo ?? 0) * 1000)
      await work(MONTH_2)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      // The plan that renewed once, and the one that it changed to.
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600, 450])
    })

    it('noted when the period of an option is open takes that back', async () => {
      const id = await subscribe(['small', 'option'])
      await work(MONTH_1 - HOUR_MS / 2)
      await change(id, 'setup')
      await work(MONTH_1)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
    })

    it('to another offer of the same plan begins anew, as it was shown: with its setup fee and its introduction', async () => {
      const twin = `offers:\n  - { key: small-twin, type: subscription, name: { fra: Petit bis }, price: "5.00", every: month, plan: small, setup: "1.00", introduction: { price: "2.00", periods: 2 }, packages: [cinema] }`
      const id = await subscribe(['small'])
      await work(MONTH_1)
      await shop.sell(twin)
      expect((await changeTo(id, 'small-twin')).amount).toBe('3.00')
      await change(id, 'small-twin')
      expect((await only()).next.amount).toBe('3.00')
      for (const month of [2, 3, 4]) await work(Date.UTC(2026, month, 15, 12))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600, 300, 200, 500])
    })

    it('keeps the plan that it leads to from being bought meanwhile', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      expect((await shop.add(['setup'])).error.code).not.toBe(0)
      expect((await shop.add(['small-yearly'])).error.code).toBe(-1102)
    })

    it('noted twice, and another one after it, is the last one', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await change(id, 'setup')
      await change(id, 'free')
      await work(MONTH_1)
      expect((await only()).title).toBe('Gratuit')
    })

    it('keeps the terms that were seen, whatever the offer says later', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await shop.sell(
        `offers:\n  - { key: setup, type: subscription, name: { fra: Avec frais }, price: "50.00", every: month, setup: "1.50", packages: [cinema] }`,
      )
      await work(MONTH_1)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
      await shop.sell(PLANS)
    })

    it('made upgrade before its time ends with the old plan', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      at(HALF)
      await upgrade(id, 'large')
      await work(MONTH_1)
      expect([(await only()).title, await renewals()]).toEqual(['Grand', []])
    })
  })

  it.each([listChanges, changeSubscription, undoChange])(
    '$path needs ids that are ones',
    async (operation) => {
      for (const wrong of ['', '0', '-1', '1.5', 'x', '99999999999'])
        for (const field of operation === changeSubscription
          ? ['subscriptionId', 'idOption', 'idRevision']
          : ['subscriptionId']) {
          const fields = {
            subscriptionId: '1',
            idOption: '1',
            idRevision: '1',
            amount: '1.00',
            returnUrl: RETURN,
          }
          const response = await scene.service.app.inject({
            method: 'POST',
            url: operation.path,
            headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
            payload: new URLSearchParams({ ...fields, [field]: wrong }).toString(),
          })
          expect(response.statusCode).toBe(400)
        }
    },
  )

  it('a child needs the parental code to change a plan', async () => {
    const child = await scene.make.actor({ profile: { kid: true } })
    const fields = {
      subscriptionId: 1,
      idOption: 1,
      idRevision: 1,
      amount: '1.00',
      returnUrl: RETURN,
      policyValidation: true,
    }
    for (const operation of [listChanges, changeSubscription, undoChange])
      expect((await scene.service.call(operation, fields, child.tokens)).error.code).toBe(-1612)
  })

  it('a period of a change stands once in the database', async () => {
    const id = await subscribe(['small'])
    await change(id, 'setup')
    await work(MONTH_1)
    const rows = await db()
      .select()
      .from(subscriptionPeriods)
      .where(and(eq(subscriptionPeriods.subscriptionId, id), eq(subscriptionPeriods.state, 'paid')))
    expect(rows).toHaveLength(1)
  })
})
