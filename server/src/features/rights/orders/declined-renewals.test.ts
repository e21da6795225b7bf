import { listPaymentMethods, ORDER_SECONDS } from '@ondine/contract/orders'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { CARDS, DATA } from '../../../../test/purchases.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_1, MONTH_2, renewalScene } from '../../../../test/renewal-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { LONGEST_PAYMENT_MS } from '../payments/payments.service.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { subscriptions } from './orders.table.ts'
import { renewSubscriptions } from './renewals.service.ts'

describe.each(MAIN_DB)('renewals that are not paid at once, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    db,
    letters,
    jobParts,
    at,
    work,
    workWithSilentBank,
    list,
    only,
    renewals,
    emailsOf,
    subscribe,
    payNow,
  } = renewalScene(kind)

  /** Gives the saved card of the account to a provider that is not enabled. */
  const switchOff = async () =>
    await db()
      .update(paymentMethods)
      .set({ provider: 'gone' })
      .where(eq(paymentMethods.accountId, scene.actor.account.id))

  it('are orders that wait longer than those of customers, by which both are told apart', () => {
    expect(LONGEST_PAYMENT_MS).toBeGreaterThan(ORDER_SECONDS * 1000)
  })

  describe('a declined renewal', () => {
    it('is retried after 1, 3, 5 and 7 days while access is kept, then the subscription ends', async () => {
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
      expect(emailsOf()).toEqual([...Array(4).fill('paymentDeclined'), 'subscriptionEnded'])
    })

    it('shows when it is retried, and what is due', async () => {
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

    it('of a subscription without a recorded card is retried with a saved card, as it was announced', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      await shop.buy(['rental'], { contentId: titles.encre })
      await db()
        .update(subscriptions)
        .set({ methodId: null })
        .where(eq(subscriptions.accountId, scene.actor.account.id))
      expect(await only()).toMatchObject({ next: { step: 'retries' }, method: { label: '•••• 4242' } })
      await work(MONTH_1 + DAY_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['failed', 'executed'])
      expect(emailsOf()).toEqual(['paymentDeclined'])
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

    it('is one payment for concurrent requests to pay it', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      const { id } = await only()
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await payNow(id)))
      expect(new Set(answers.map(({ result }) => `${result.orderId} ${result.action}`)).size).toBe(1)
    })

    it('that waits on the payment page is not charged to the saved card before the page has expired', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      at(MONTH_1 + DAY_MS - MINUTE_MS)
      const { result } = await payNow((await only()).id)
      await work(MONTH_1 + DAY_MS)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
    })

    it('uses up no retry while the customer leaves the payment page, even before the last retry', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      for (const day of [0, 1, 3, 5]) await work(MONTH_1 + day * DAY_MS)
      const { id } = await only()
      const last = MONTH_1 + 7 * DAY_MS
      at(last - 5 * MINUTE_MS)
      const first = await payNow(id)
      await work(last)
      // The customer sees that the first page has expired, and leaves a second page too.
      at(last + 10 * MINUTE_MS)
      expect(await shop.status(first.result.orderId)).toBe('expired')
      const second = await payNow(id)
      await work(last + 20 * MINUTE_MS)
      expect([second.result.orderId === first.result.orderId, (await list()).length]).toEqual([false, 1])
      expect(await shop.plays(titles.houle)).toBe(0)
      expect(emailsOf()).toEqual(Array(4).fill('paymentDeclined'))
      await work(last + 25 * MINUTE_MS)
      const declined = Array(4).fill('failed')
      expect((await renewals()).map(({ state }) => state)).toEqual([
        ...declined,
        'expired',
        'expired',
        'failed',
      ])
      expect(await list()).toEqual([])
      expect(emailsOf()).toEqual([...Array(4).fill('paymentDeclined'), 'subscriptionEnded'])
    })

    it('keeps its later retries when the customer leaves the payment page just before a retry', async () => {
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
      await work(MONTH_1)
      at(MONTH_1 + DAY_MS - 5 * MINUTE_MS)
      await payNow((await only()).id)
      await work(MONTH_1 + DAY_MS + 10 * MINUTE_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['failed', 'expired', 'failed'])
      expect((await only()).next).toMatchObject({ step: 'retries', at: (MONTH_1 + 3 * DAY_MS) / 1000 })
    })

    it('cannot be paid without a way to pay, with a foreign address, or when nothing is due', async () => {
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

  describe('a card that cannot be charged any more', () => {
    it('because it has expired: another card of the account pays', async () => {
      await subscribe(['cinema-monthly'], CARDS.expiresSoon)
      await shop.buy(['rental'], { contentId: titles.encre })
      expect((await only()).method?.label).toBe('•••• 0069')
      await work(MONTH_1)
      expect((await only()).method?.label).toBe('•••• 0069')
      await work(MONTH_2 - MINUTE_MS)
      expect((await only()).method?.label).toBe('•••• 4242')
      await work(MONTH_2)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed', 'executed'])
    })

    it('because its provider is switched off: another card of the account pays', async () => {
      await subscribe(['cinema-monthly'])
      await switchOff()
      await shop.buy(['rental'], { contentId: titles.encre })
      await work(MONTH_1)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('because its provider is switched off: the customer can pay with a new card, and is not charged twice', async () => {
      await subscribe(['cinema-monthly'])
      await switchOff()
      await work(MONTH_1)
      expect(await renewals()).toEqual([])
      expect(await shop.plays(titles.houle)).toBe(0)
      const { id, next } = await only()
      expect(next).toMatchObject({ step: 'retries', at: (MONTH_1 + DAY_MS) / 1000 })
      const { result } = await payNow(id)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      await work(MONTH_1 + DAY_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('because its provider stays switched off: the subscription ends after the last retry', async () => {
      await subscribe(['cinema-monthly'])
      await switchOff()
      for (let day = 0; day <= 6; day++) await work(MONTH_1 + day * DAY_MS)
      expect(await list()).toHaveLength(1)
      await work(MONTH_1 + 7 * DAY_MS)
      expect([await list(), await renewals(), emailsOf()]).toEqual([[], [], ['subscriptionEnded']])
    })
  })

  describe('a bank', () => {
    it('that asks for a confirmation: the customer gets an e-mail and confirms on the site', async () => {
      await subscribe(['cinema-monthly'])
      const { bank } = shop
      at(MONTH_1)
      bank.charge = async (request) => await bank.start(request)
      await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
      expect(emailsOf()).toEqual(['paymentToConfirm'])
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

    it('that is silent leaves the renewal open, and access unchanged', async () => {
      await subscribe(['cinema-monthly'])
      await workWithSilentBank(MONTH_1)
      expect((await renewals()).map(({ state }) => state)).toEqual(['submitted'])
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1 + HOUR_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('that is silent for a day does not blame the customer, and the card is charged again', async () => {
      await subscribe(['cinema-monthly'])
      await workWithSilentBank(MONTH_1)
      await work(MONTH_1 + DAY_MS)
      expect([(await only()).next.step, emailsOf()]).toEqual(['retries', []])
      await work(MONTH_1 + 2 * DAY_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['expired', 'executed'])
    })
  })
})
