import { anonymizeMe } from '@ondine/contract/account-calls'
import { listOptions, listPaymentMethods } from '@ondine/contract/orders'
import { listReceipts } from '@ondine/contract/receipts'
import {
  cancelSubscription,
  listSubscriptions,
  payRenewal,
  resumeSubscription,
} from '@ondine/contract/subscriptions'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { changeConfigurationOf } from '../../../test/configuration.ts'
import { lettersTo } from '../../../test/letters.ts'
import { CARDS, DATA, Purchases, RETURN } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { type Order as OrderedLetter, startMailJobs } from '../mail/mail.service.ts'
import { openPost } from '../mail/postman.ts'
import { ProviderSilent } from '../payments/payment-provider.ts'
import { receipts } from '../receipts/receipts.table.ts'
import { reconcileOrders } from './order-jobs.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { refundOrder } from './refund-order.ts'
import { renewSubscriptions, type SubscriptionJobParts } from './renewal-jobs.ts'
import { remind } from './subscription-reminders.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const ORIGIN = 'http://localhost:4000'
/** When the first month of what is bought at noon of 15 January is over. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
const MONTH_2 = Date.UTC(2026, 2, 15, 12)

describe.each(DATABASES)('subscriptions after their purchase, on a database of kind %s', (kind) => {
  // Tokens hold for the whole of the year that these tests go through.
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })
  afterEach(async () => {
    // What a test leaves behind does not renew in the next one.
    await db().update(subscriptions).set({ endedAt: NOON })
    await db().update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.state, 'due'))
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const letters: OrderedLetter[] = []
  const jobParts = (): SubscriptionJobParts => ({
    ...shop.parts,
    originOf: () => ORIGIN,
    mail: { order: async (letter) => void letters.push(letter) },
  })
  const at = (time: number) => scene.service.clock.set(time)
  /** Does at a time what the work in the background does. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions(jobParts())
  }
  async function workWithSilentBank(time: number): Promise<void> {
    const { bank } = shop
    bank.charge = async () => {
      throw new ProviderSilent('The bank does not answer.')
    }
    at(time)
    await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
  }
  const list = async ({ tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listSubscriptions, {}, tokens)).result
  const only = async (actor?: Actor) => {
    const [subscription, ...more] = await list(actor)
    if (!subscription || more.length > 0) throw new Error('There is not one subscription.')
    return subscription
  }
  const renewals = async ({ account }: Actor = scene.actor) =>
    (await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)).filter(
      ({ periodId }) => periodId !== null,
    )
  const lettersOf = ({ account }: Actor = scene.actor) =>
    letters.flatMap((letter) =>
      'accountId' in letter && letter.accountId === account.id ? [letter.letter] : [],
    )
  /** Subscribes and pays. */
  async function subscribe(keys: readonly string[], card: string = CARDS.good, actor: Actor = scene.actor) {
    const { orderId, action } = await shop.order(keys, undefined, actor)
    if (action !== '') await shop.pay(action, card)
    expect(await shop.status(orderId, actor)).toBe('executed')
    return orderId
  }
  const cancel = async (id: number, tokens = scene.actor.tokens) =>
    await scene.service.call(cancelSubscription, { subscriptionId: id }, tokens)
  const resume = async (id: number, tokens = scene.actor.tokens) =>
    await scene.service.call(resumeSubscription, { subscriptionId: id }, tokens)
  const payNow = async (id: number, fields: Record<string, string> = { paymentData: DATA }) =>
    await scene.service.call(
      payRenewal,
      { subscriptionId: id, returnUrl: RETURN, ...fields },
      scene.actor.tokens,
    )

  describe('a renewal', () => {
    it('is charged once when its period begins, books it, and gives the period', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 - 1)
      expect(await renewals()).toEqual([])
      await work(MONTH_1)
      await work(MONTH_1 + MINUTE_MS)
      const [renewal, ...more] = await renewals()
      expect([renewal?.state, renewal?.cents, more]).toEqual(['executed', 899, []])
      expect(await shop.movements(renewal?.id ?? 0)).toEqual({
        payment: { provider: 899, customers: -899 },
        sale: { customers: 899, sales: -749, vat: -150 },
      })
      expect((await only()).validTo).toBe(MONTH_2 / 1000)
      at(MONTH_2 - 1)
      expect(await shop.plays(titles.houle)).toBe(0)
      at(MONTH_2)
      expect(await shop.plays(titles.houle)).toBe(-11)
    })

    it('has a receipt with its period, and a credit note when it goes back, which ends the subscription', async () => {
      const first = await subscribe(['cinema-monthly'])
      await work(MONTH_1)
      const [renewal] = await renewals()
      const receipts = async () => (await scene.service.call(listReceipts, {}, scene.actor.tokens)).result
      expect((await receipts())[0]).toMatchObject({
        kind: 'receipt',
        amount: '8.99',
        lines: [{ title: 'Cinéma', from: MONTH_1 / 1000, to: MONTH_2 / 1000 }],
      })
      at(MONTH_1 + DAY_MS)
      // What is over is given back as a favour; what was paid since goes on.
      await refundOrder(shop.parts, first)
      expect([await shop.plays(titles.houle), (await list()).length]).toEqual([0, 1])
      await refundOrder(shop.parts, renewal?.id ?? 0)
      expect([await shop.plays(titles.houle), await list()]).toEqual([-11, []])
      expect((await receipts()).slice(0, 2)).toMatchObject([
        { kind: 'creditNote', amount: '8.99' },
        { kind: 'creditNote', amount: '8.99' },
      ])
      await work(MONTH_2)
      expect((await renewals()).length).toBe(1)
    })

    it('leaves no moment without access, though the work comes late', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 - HOUR_MS)
      for (const time of [MONTH_1 - 1, MONTH_1, MONTH_1 + 10 * MINUTE_MS]) {
        at(time)
        expect(await shop.plays(titles.houle)).toBe(0)
      }
      await work(MONTH_1 + 11 * MINUTE_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('comes once though a process was killed between the charge and its booking', async () => {
      await subscribe(['cinema-monthly'])
      const parts = jobParts()
      const { bank } = shop
      const charge = bank.charge.bind(bank)
      bank.charge = async (...asked) => {
        await charge(...asked)
        throw new Error('The process is killed.')
      }
      at(MONTH_1)
      await renewSubscriptions({ ...parts, providers: new Map([['sandbox', bank]]) })
      expect((await renewals()).map(({ state }) => state)).toEqual(['submitted'])
      await work(MONTH_1 + HOUR_MS)
      const [renewal, ...more] = await renewals()
      expect([renewal?.state, more]).toEqual(['executed', []])
      expect(Object.keys(await shop.movements(renewal?.id ?? 0)).toSorted()).toEqual(['payment', 'sale'])
    })

    it('is made once by several processes at once', async () => {
      const others = await Promise.all(Array.from({ length: 5 }, async () => await scene.make.actor()))
      for (const actor of others) await subscribe(['cinema-monthly'], CARDS.good, actor)
      at(MONTH_1)
      await Promise.all([1, 2, 3].map(async () => await renewSubscriptions(jobParts())))
      for (const actor of others)
        expect((await renewals(actor)).map(({ state }) => state)).toEqual(['executed'])
    })

    it('of several at the same moment goes on by itself: one goes back, one comes again, the others are executed', async () => {
      const [leaving, declined, optional, ...others] = await Promise.all(
        Array.from({ length: 6 }, async () => await scene.make.actor({ tokenDays: 800 })),
      )
      if (!leaving || !declined || !optional) throw new Error('There are too few customers.')
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal, declined)
      // Both are paid by one card.
      await subscribe(['cinema-monthly', 'ultra'], CARDS.good, optional)
      for (const actor of [leaving, ...others]) await subscribe(['cinema-monthly'], CARDS.good, actor)
      const { id: left } = await only(leaving)
      const { bank } = shop
      const charge = bank.charge.bind(bank)
      bank.charge = async (request, reference) => {
        const answer = await charge(request, reference)
        if (request.customer === String(leaving.account.id)) await cancel(left, leaving.tokens)
        return answer
      }
      at(MONTH_1)
      await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
      const states = async (actor: Actor) => (await renewals(actor)).map(({ state }) => state)
      expect(await states(leaving)).toEqual(['failed'])
      const [refused] = await renewals(leaving)
      expect((await shop.paymentOf(refused?.id ?? 0)).state).toBe('refunded')
      expect(await states(declined)).toEqual(['failed'])
      expect(await states(optional)).toEqual(['executed', 'executed'])
      for (const actor of others) expect(await states(actor)).toEqual(['executed'])
      const [renewal] = await renewals(others[0])
      expect(await shop.movements(renewal?.id ?? 0)).toEqual({
        payment: { provider: 899, customers: -899 },
        sale: { customers: 899, sales: -749, vat: -150 },
      })
      const numbers = (await db().select().from(receipts).where(eq(receipts.kind, 'receipt')))
        .map(({ number }) => number)
        .toSorted((one, other) => one - other)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    })

    it('keeps the terms of the purchase: the introduction, then the full price of the revision', async () => {
      await subscribe(['sport'])
      const dearer = `offers:\n  - { key: sport, type: subscription, name: { fra: Sport }, price: "9.00", every: month, packages: [sport] }`
      await shop.sell(dearer)
      for (const month of [1, 2, 3, 4]) await work(Date.UTC(2026, month, 15, 12))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([249, 249, 500, 500])
      await shop.sell()
    })

    it('counts months from the first day: 31 January, 28 February, 31 March', async () => {
      at(Date.UTC(2026, 0, 31, 10))
      await subscribe(['cinema-monthly'])
      const ends: string[] = []
      for (const day of [Date.UTC(2026, 1, 28, 10), Date.UTC(2026, 2, 31, 10), Date.UTC(2026, 3, 30, 10)]) {
        await work(day - HOUR_MS)
        ends.push(new Date((await only()).validTo * 1000).toISOString().slice(0, 13))
        await work(day)
      }
      expect(ends).toEqual(['2026-02-28T10', '2026-03-31T10', '2026-04-30T10'])
    })

    it('begins a trial’s first paid period with a card that the account has', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await shop.pay(action)
      await shop.status(orderId)
      await shop.add(['trial'])
      await shop.ask({ paymentData: undefined })
      await work(NOON + 14 * DAY_MS)
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 400]])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2026, 1, 28, 12))
    })

    it('of a trial without a card ends it, and keeps no access', async () => {
      const change = await changeConfigurationOf(scene.service, { 'offers.isCardAskedForTrial': false })
      await shop.add(['trial'])
      await shop.ask({ paymentData: undefined })
      await change.undo()
      expect(await shop.plays(titles.match)).toBe(0)
      await work(NOON + 14 * DAY_MS - HOUR_MS)
      at(NOON + 14 * DAY_MS)
      expect(await shop.plays(titles.match)).toBe(-11)
      await work(NOON + 14 * DAY_MS)
      expect([await list(), await renewals()]).toEqual([[], []])
      expect(lettersOf()).toEqual(['subscriptionEnded'])
    })

    it('after a day of downtime is charged once, and the next one comes on its day', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 + DAY_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
      expect((await only()).validTo).toBe(MONTH_2 / 1000)
    })

    it('after three months of downtime charges the month that has begun, and no other', async () => {
      await subscribe(['cinema-monthly'])
      await work(Date.UTC(2026, 3, 20))
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2026, 4, 15, 12))
    })

    it('is no purchase: a renewal that is open stands in no list of offers', async () => {
      await subscribe(['cinema-monthly'])
      await workWithSilentBank(MONTH_1)
      const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(result.map(({ statusId }) => statusId)).toEqual([10])
    })

    it('of a plan that costs nothing needs no card', async () => {
      await subscribe(['once'])
      await work(NOON + 7 * DAY_MS)
      expect((await renewals()).map(({ state, paymentId }) => [state, paymentId])).toEqual([
        ['executed', null],
      ])
      expect(await shop.plays(titles.match)).toBe(0)
    })

    it('of an option ends with the plan that it needs', async () => {
      await subscribe(['cinema-monthly', 'ultra'])
      const [plan, option] = await list()
      await cancel(plan?.id ?? 0)
      expect((await list()).map(({ id, next }) => [id, next.step])).toEqual([
        [plan?.id, 'ends'],
        [option?.id, 'ends'],
      ])
      await work(MONTH_1)
      expect([await list(), await renewals()]).toEqual([[], []])
    })

    it('charges nothing to an account that is suspended, or deleted', async () => {
      const deleted = await scene.make.actor({ tokenDays: 800 })
      await subscribe(['cinema-monthly'])
      await subscribe(['cinema-monthly'], CARDS.good, deleted)
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      await scene.service.call(anonymizeMe, {}, deleted.tokens)
      await work(MONTH_1)
      expect([await renewals(), await renewals(deleted)]).toEqual([[], []])
      const [row] = await db()
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.accountId, deleted.account.id))
      expect([row?.statusId, row?.endedAt]).toEqual([40, NOON])
      expect(lettersOf()).toEqual([])
    })
  })

  describe('a cancellation', () => {
    it('A4.1-04 keeps access until the end of the paid period, and nothing renews', async () => {
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      expect((await cancel(id)).result).toMatchObject({
        statusId: 40,
        next: { step: 'ends', at: MONTH_1 / 1000 },
      })
      await work(MONTH_1 - 1)
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1)
      expect(await shop.plays(titles.houle)).toBe(-11)
      expect([await renewals(), await list()]).toEqual([[], []])
    })

    it('is confirmed by e-mail each time, in the language of the account', async () => {
      const { context } = scene.service
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      const { account } = scene.actor
      await db().update(accounts).set({ language: 'eng' }).where(eq(accounts.id, account.id))
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      await cancel(id)
      await lettersTo(context.settings.DATA_DIR, account.email, 1)
      await resume(id)
      await lettersTo(context.settings.DATA_DIR, account.email, 2)
      await cancel(id)
      const received = await lettersTo(context.settings.DATA_DIR, account.email, 3)
      expect(received.map(({ subject }) => subject)).toEqual([
        'Your Cinema subscription is cancelled',
        'Your Cinema subscription continues',
        'Your Cinema subscription is cancelled',
      ])
      expect(received[0]?.text).toContain('until February 15, 2026')
      expect(received[1]?.text).toContain('€8.99')
      expect(new URL(received[0]?.link ?? '').pathname).toBe('/account/products')
    })

    it('is not confirmed where the operator does not want it', async () => {
      const { context } = scene.service
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      const change = await changeConfigurationOf(scene.service, {
        'offers.consumerRules.isCancellationConfirmed': false,
      })
      await cancel(id)
      await change.undo()
      await resume(id)
      await cancel(id)
      const received = await lettersTo(context.settings.DATA_DIR, scene.actor.account.email, 2)
      expect(received.map(({ subject }) => subject)).toEqual([
        'Votre abonnement Cinéma continue',
        'Votre abonnement Cinéma est résilié',
      ])
    })

    it('just before the renewal takes the opened period back', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 - HOUR_MS)
      await cancel((await only()).id)
      await work(MONTH_1)
      expect(await renewals()).toEqual([])
      expect(await shop.plays(titles.houle)).toBe(-11)
    })

    it('just before the renewal takes the opened period of an option back as well', async () => {
      await subscribe(['cinema-monthly', 'ultra'])
      const [plan] = await list()
      await work(MONTH_1 - HOUR_MS / 2)
      await cancel(plan?.id ?? 0)
      await work(MONTH_1)
      expect([await renewals(), await list()]).toEqual([[], []])
    })

    it('can be taken back until the end, and the subscription renews', async () => {
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      await work(MONTH_1 - HOUR_MS)
      await cancel(id)
      expect((await resume(id)).result).toMatchObject({
        statusId: 10,
        next: { step: 'renews', amount: '8.99' },
      })
      await work(MONTH_1 - MINUTE_MS)
      at(MONTH_1)
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('cannot be taken back after the end', async () => {
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      await cancel(id)
      at(MONTH_1)
      expect((await resume(id)).error.code).toBe(-404)
      await subscribe(['cinema-monthly'])
    })

    it('of a period that is not paid ends the access at once', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      expect((await cancel((await only()).id)).result).toBeNull()
      expect(await shop.plays(titles.houle)).toBe(-11)
      await work(MONTH_1 + 8 * DAY_MS)
      expect(await renewals()).toHaveLength(1)
    })

    it('made twice changes nothing the second time', async () => {
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      const answers = [await cancel(id), await cancel(id)]
      expect(answers.map(({ result }) => result?.statusId)).toEqual([40, 40])
      expect([(await resume(id)).result.statusId, (await resume(id)).result.statusId]).toEqual([10, 10])
    })

    it('of somebody else’s subscription, or of none, is refused', async () => {
      const other = await scene.make.actor()
      await subscribe(['cinema-monthly'], CARDS.good, other)
      const theirs = (await only(other)).id
      for (const id of [theirs, 999_999]) {
        expect((await cancel(id)).error.code).toBe(-404)
        expect((await resume(id)).error.code).toBe(-404)
        expect((await payNow(id)).error.code).toBe(-404)
      }
      expect((await only(other)).statusId).toBe(10)
    })

    it.each([cancelSubscription, resumeSubscription, payRenewal])(
      'by $path needs an id that is one',
      async (operation) => {
        for (const subscriptionId of ['', '0', '-1', '1.5', 'x', '99999999999']) {
          const response = await scene.service.app.inject({
            method: 'POST',
            url: operation.path,
            headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
            payload: new URLSearchParams({ subscriptionId, returnUrl: RETURN }).toString(),
          })
          expect(response.statusCode).toBe(400)
        }
      },
    )

    it('by a child needs the parental code', async () => {
      const child = await scene.make.actor({ profile: { kid: true } })
      for (const operation of [listSubscriptions, cancelSubscription, resumeSubscription, payRenewal]) {
        const fields = { subscriptionId: 1, returnUrl: RETURN }
        expect((await scene.service.call(operation, fields, child.tokens)).error.code).toBe(-1612)
      }
    })

    it('is open to an account that is suspended', async () => {
      await subscribe(['cinema-monthly'])
      const { id } = await only()
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      expect((await cancel(id)).result?.statusId).toBe(40)
      expect((await resume(id)).error.code).toBe(-2409)
      expect((await payNow(id)).error.code).toBe(-2409)
    })
  })

  describe('a declined renewal', () => {
    it('comes again after 1, 3, 5 and 7 days with access kept, then the subscription ends', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      const charged: number[] = []
      for (let day = 0; day <= 9; day++) {
        for (const hour of [0, 12]) {
          const before = (await renewals()).length
          await work(MONTH_1 + day * DAY_MS + hour * HOUR_MS)
          if ((await renewals()).length > before) charged.push(day)
          expect(await shop.plays(titles.houle), `day ${day}`).toBe(day < 7 ? 0 : -11)
        }
      }
      expect(charged).toEqual([0, 1, 3, 5, 7])
      expect((await renewals()).map(({ state }) => state)).toEqual(Array(5).fill('failed'))
      expect(await list()).toEqual([])
      expect(lettersOf()).toEqual([...Array(4).fill('paymentDeclined'), 'subscriptionEnded'])
    })

    it('says when it comes again, and what is due', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      expect((await only()).next).toEqual({
        step: 'retries',
        at: (MONTH_1 + DAY_MS) / 1000,
        amount: '8.99',
      })
      const letter = letters.findLast((each) => each.letter === 'paymentDeclined')
      expect(letter?.subscription).toMatchObject({ date: MONTH_1 + DAY_MS, cents: 899 })
    })

    it('can be paid with another card, which pays from then on', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      const { id } = await only()
      const { result } = await payNow(id)
      expect(result.amount).toBe('8.99')
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await only()).toMatchObject({
        validTo: MONTH_2 / 1000,
        next: { step: 'renews' },
        method: { label: '•••• 4242' },
      })
      await work(MONTH_1 + DAY_MS)
      await work(MONTH_2)
      expect((await renewals()).map(({ state }) => state)).toEqual(['failed', 'executed', 'executed'])
    })

    it('that is paid by two presses at once is one payment', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      const { id } = await only()
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await payNow(id)))
      expect(new Set(answers.map(({ result }) => `${result.orderId} ${result.action}`)).size).toBe(1)
    })

    it('left at the payment page is charged to the saved card no earlier than the page has expired', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      at(MONTH_1 + DAY_MS - MINUTE_MS)
      const { result } = await payNow((await only()).id)
      await work(MONTH_1 + DAY_MS)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
    })

    it('is refused without a way to pay, with a foreign address, and when nothing is due', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      const { id } = await only()
      expect((await payNow(id)).error.code).toBe(-500)
      await work(MONTH_1)
      expect((await payNow(id, {})).error.code).toBe(-2108)
      expect((await payNow(id, { paymentData: '{' })).error.code).toBe(-2109)
      expect((await payNow(id, { paymentData: DATA, returnUrl: 'https://elsewhere.test' })).status).toBe(400)
      expect(await renewals()).toHaveLength(1)
    })

    it('keeps the plan from being bought a second time', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      expect((await shop.add(['cinema-yearly'])).error.code).toBe(-1102)
    })
  })

  describe('a bank', () => {
    it('that wants a confirmation asks its customer by e-mail, and is confirmed on the site', async () => {
      await subscribe(['cinema-monthly'])
      const { bank } = shop
      at(MONTH_1)
      bank.charge = async (request) => await bank.start(request)
      await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
      expect(lettersOf()).toEqual(['paymentToConfirm'])
      const { id, next } = await only()
      expect(next.step).toBe('pays')
      const { result } = await payNow(id)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await renewals()).toHaveLength(1)
    })

    it('that answers late is asked again, and charges once', async () => {
      await subscribe(['cinema-monthly'], CARDS.good)
      const late = await shop.order(['rental'], titles.encre)
      await shop.pay(late.action, CARDS.late)
      at(NOON + MINUTE_MS)
      await shop.status(late.orderId)
      const { result } = await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)
      const saved = result.find(({ label }) => label === '•••• 0119')?.paymentMethod.replace('saved-', '')
      await db()
        .update(subscriptions)
        .set({ methodId: Number(saved) })
        .where(eq(subscriptions.accountId, scene.actor.account.id))
      await work(MONTH_1)
      expect((await renewals()).map(({ state }) => state)).toEqual(['submitted'])
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1 + MINUTE_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('that is silent leaves the renewal open, and access as it was', async () => {
      await subscribe(['cinema-monthly'])
      await workWithSilentBank(MONTH_1)
      expect((await renewals()).map(({ state }) => state)).toEqual(['submitted'])
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1 + HOUR_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })
  })

  describe('reminders', () => {
    const remindAt = async (time: number) => {
      at(time)
      await remind(db(), time)
      await renewSubscriptions(jobParts())
      return lettersOf()
    }

    it('come once before a plan of a year renews, and never before a monthly one', async () => {
      await subscribe(['cinema-yearly'])
      const end = Date.UTC(2027, 0, 15, 12)
      expect(await remindAt(end - 50 * DAY_MS)).toEqual([])
      expect(await remindAt(end - 44 * DAY_MS)).toEqual(['renewalAhead'])
      expect(await remindAt(end - 43 * DAY_MS)).toEqual(['renewalAhead'])
    })

    it('of a renewal do not come where the operator does not want them', async () => {
      await subscribe(['cinema-yearly'])
      const change = await changeConfigurationOf(scene.service, {
        'offers.consumerRules.isRenewalReminded': false,
      })
      expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 44 * DAY_MS)).toEqual([])
      await change.undo()
      // It is not made up for later.
      expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 40 * DAY_MS)).toEqual([])
    })

    it('do not come for what was cancelled', async () => {
      await subscribe(['cinema-yearly'])
      await cancel((await only()).id)
      expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 44 * DAY_MS)).toEqual([])
    })

    it('come once before the card of a subscription expires', async () => {
      await subscribe(['cinema-monthly'], CARDS.expiresSoon)
      expect((await only()).method?.expiresAt).toBe((NOON + 50 * DAY_MS) / 1000)
      expect(await remindAt(NOON + 19 * DAY_MS)).toEqual([])
      expect(await remindAt(NOON + 21 * DAY_MS)).toEqual(['cardExpires'])
      expect(await remindAt(NOON + 22 * DAY_MS)).toEqual(['cardExpires'])
    })
  })

  it('a period stands once in the database, whoever writes it', async () => {
    await subscribe(['cinema-monthly'])
    await work(MONTH_1)
    const { id } = await only()
    const [row] = await db()
      .select()
      .from(subscriptionPeriods)
      .where(and(eq(subscriptionPeriods.subscriptionId, id), eq(subscriptionPeriods.period, 2)))
    if (!row) throw new Error('There is no second period.')
    const { id: _, ...again } = row
    await expect(db().insert(subscriptionPeriods).values(again)).rejects.toThrow()
    const [
      { id: _order, paymentId: _payment, content: _content, ...executed } = {
        id: 0,
        paymentId: 0,
        content: '',
      },
    ] = await renewals()
    await expect(
      db()
        .insert(orders)
        .values({ ...(executed as typeof orders.$inferInsert), content: 'again' }),
    ).rejects.toThrow()
  })
})
