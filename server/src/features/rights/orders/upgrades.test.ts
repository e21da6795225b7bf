import { listOptions } from '@ondine/contract/orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import { listChanges } from '@ondine/contract/subscriptions'
import { describe, expect, it, vi } from 'vitest'
import { planChangeScene } from '../../../../test/plan-change-scene.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { SandboxBank } from '../sandbox/sandbox-bank.service.ts'
import { reconcileOrders } from './order-jobs.ts'
import { refundOrder } from './refund-order.ts'
import { renewSubscriptions } from './renewals.service.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** End of the first month of a subscription that is bought at noon of 15 January. The month has 31 days. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
/** Middle of the first month. */
const HALF = NOON + 15.5 * DAY_MS

describe.each(MAIN_DB)('upgrades, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    at,
    parts,
    work,
    list,
    only,
    subscribe,
    changeTo,
    ask,
    change,
    upgrade,
    cancel,
    ordersOf,
    renewals,
    faults,
  } = planChangeScene(kind)

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
      // The replaced plan must not renew.
      await work(MONTH_1)
      expect(await renewals()).toEqual([])
      await work(Date.UTC(2026, 1, 28, 0))
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 1200]])
      expect(await faults()).toEqual([])
    })

    it('is free if less than 0.50 € is left to pay, because providers refuse such an amount', async () => {
      const id = await subscribe(['small'])
      // 25 of 31 days of 6.00 are 4.84. The first period of the other plan costs 5.00.
      at(NOON + 6 * DAY_MS)
      const { idOption, idRevision, amount } = await changeTo(id, 'middle')
      expect(amount).toBe('0.00')
      expect((await ask(id, { idOption, idRevision, amount: '0.16' })).status).toBe(409)
      const { result } = await change(id, 'middle', { paymentData: undefined })
      expect(result.payment).toMatchObject({ amount: '0.00', action: null })
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      expect([await shop.plays(titles.match), (await only()).title]).toEqual([0, 'Moyen'])
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

    it('has no second trial, but an introduction like any purchase', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      await upgrade(id, 'middle')
      await work(Date.UTC(2026, 1, 28, 0))
      await work(Date.UTC(2026, 2, 31, 0))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([500, 900])
    })

    it('during a trial credits nothing, because nothing was paid', async () => {
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
      // The account used its trial of the old plan. The trial stays used after the upgrade.
      expect(
        (await scene.service.call(listChanges, { subscriptionId: id }, scene.actor.tokens)).result.find(
          ({ title }) => title === 'Grand',
        )?.amount,
      ).toBe('7.00')
    })

    it('costs nothing when the credit exceeds its price, and the rest of the credit becomes time', async () => {
      const id = await subscribe(['small-yearly'])
      const found = await changeTo(id, 'large')
      expect(found).toMatchObject({ starts: 'now', amount: '0.00', credit: '60.00' })
      const { result } = await change(id, 'large', { paymentData: undefined })
      expect(result.payment?.action).toBeNull()
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      const { validTo, method } = await only()
      expect(validTo).toBe(found.renewals[0]?.at)
      // 60.00 pays for five months: the first by the calendar, the other four of average length.
      expect(validTo * 1000).toBe(new Date(NOON + 4 * 2_629_746_000).setUTCMonth(5))
      expect(method?.label).toBe('•••• 4242')
      await work(validTo * 1000 - 2 * HOUR_MS)
      expect([await shop.plays(titles.match), await renewals()]).toEqual([0, []])
      await work(validTo * 1000)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([1200])
      expect(await faults()).toEqual([])
    })

    it('of an upgraded plan credits the worth of that plan, not only the amount paid for it', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      expect(await changeTo(id, 'middle')).toMatchObject({ amount: '2.00', credit: '3.00' })
      await upgrade(id, 'middle')
      const second = (await only()).id
      expect((await changeTo(second, 'large')).credit).toBe('5.00')
      await upgrade(second, 'large')
      expect([(await only()).title, await faults()]).toEqual(['Grand', []])
    })

    it('ends and credits the options that it does not allow, and keeps the others', async () => {
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

    it('of a cancelled plan renews', async () => {
      const id = await subscribe(['small'])
      await cancel(id)
      at(HALF)
      await upgrade(id, 'large')
      expect(await only()).toMatchObject({ statusId: 10, next: { step: 'renews' } })
    })

    it('is one payment for concurrent requests', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await change(id, 'large')))
      expect(
        new Set(answers.map(({ result }) => `${result.payment?.orderId} ${result.payment?.action}`)).size,
      ).toBe(1)
    })

    it('that is paid in two tabs for two plans gives one plan, and the other payment is refunded', async () => {
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

    it('is found when the process was killed after the payment, and gives the plan once', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const { result } = await change(id, 'large')
      await shop.pay(result.payment?.action ?? '')
      await Promise.all([1, 2, 3].map(async () => await reconcileOrders(shop.parts)))
      expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
      expect((await only()).title).toBe('Grand')
      expect(await faults()).toEqual([])
    })

    it('that is declined or abandoned leaves the old plan unchanged', async () => {
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

    it('that is paid after the old plan has renewed is refunded, because more credit would be due', async () => {
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

    it('that settles together with the renewal of a trial: one of both is given, and the other is refunded', async () => {
      const id = await subscribe(['large'])
      const end = NOON + 14 * DAY_MS
      at(end - 5 * MINUTE_MS)
      const { result } = await change(id, 'largest')
      const { action, orderId = 0 } = result.payment ?? {}
      await shop.pay(action ?? '')
      at(end)
      const { takeOver } = shop.parts
      // The customer's screen requests the status while the renewal is charged, so one slice settles both orders.
      const known = { state: 'succeeded', paidAt: end, method: null } as const
      await renewSubscriptions({
        ...parts(),
        takeOver: async (renewal) => {
          const [, renewed] = await Promise.all([takeOver({ orderId, known, at: end }), takeOver(renewal)])
          return renewed
        },
      })
      await work(end + MINUTE_MS)
      const [renewal] = await renewals()
      const both = [await shop.paymentOf(orderId), await shop.paymentOf(renewal?.id ?? 0)]
      expect(both.map(({ state }) => state).sort()).toEqual(['refunded', 'succeeded'])
      expect(new Set([await shop.status(orderId), renewal?.state])).toEqual(new Set(['executed', 'failed']))
      expect([(await list()).length, await faults()]).toEqual([1, []])
    })

    it('costs the shown amount for a quarter of an hour, and is refused afterwards', async () => {
      const id = await subscribe(['small-yearly'])
      at(NOON + DAY_MS)
      const { idOption, idRevision, amount } = await changeTo(id, 'large-yearly')
      const fields = { idOption, idRevision, amount }
      at(NOON + DAY_MS + 2 * HOUR_MS)
      expect((await ask(id, fields)).error.code).toBe(-409)
      at(NOON + DAY_MS + 10 * MINUTE_MS)
      expect((await ask(id, fields)).result.payment?.amount).toBe(amount)
    })

    it('that is refunded ends the new plan', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const orderId = await upgrade(id, 'large')
      await refundOrder(shop.parts, orderId)
      expect([await list(), await shop.plays(titles.houle), await faults()]).toEqual([[], -11, []])
    })

    it('ends when the payment whose unused time it credited is refunded', async () => {
      const id = await subscribe(['small-yearly'])
      const [purchase] = await ordersOf()
      await upgrade(id, 'large')
      await refundOrder(shop.parts, purchase?.id ?? 0)
      expect([await list(), await shop.plays(titles.match), await faults()]).toEqual([[], -11, []])
    })

    it('ends when the payment of an option whose unused time it credited is refunded', async () => {
      const id = await subscribe(['small'])
      const optionOrder = await shop.buy(['option'])
      at(HALF)
      expect((await changeTo(id, 'large')).credit).toBe('4.55')
      await upgrade(id, 'large')
      expect((await list()).map(({ title }) => title)).toEqual(['Grand'])
      await refundOrder(shop.parts, optionOrder)
      expect([await list(), await shop.plays(titles.match), await faults()]).toEqual([[], -11, []])
    })

    it('remains when the payment of an option that ended before is refunded', async () => {
      const id = await subscribe(['small'])
      const optionOrder = await shop.buy(['option'])
      const [, option] = await list()
      await cancel(option?.id ?? 0)
      await work(MONTH_1)
      at(MONTH_1 + 15 * DAY_MS)
      await upgrade(id, 'large')
      await refundOrder(shop.parts, optionOrder)
      expect([(await only()).title, await shop.plays(titles.match), await faults()]).toEqual(['Grand', 0, []])
    })

    it('remains when an earlier payment of the same plan is refunded', async () => {
      const earlier = await shop.buy(['middle'])
      await cancel((await only()).id)
      at(MONTH_1 + DAY_MS)
      const id = await subscribe(['small'])
      at(MONTH_1 + 16 * DAY_MS)
      await upgrade(id, 'middle')
      await refundOrder(shop.parts, earlier)
      expect([(await only()).title, await shop.plays(titles.match), await faults()]).toEqual(['Moyen', 0, []])
    })

    it('ends with the refund of the first payment even after a second upgrade', async () => {
      const id = await subscribe(['small'])
      const [purchase] = await ordersOf()
      at(HALF)
      await upgrade(id, 'middle')
      await upgrade((await only()).id, 'large')
      await refundOrder(shop.parts, purchase?.id ?? 0)
      expect([await list(), await shop.plays(titles.match), await faults()]).toEqual([[], -11, []])
    })

    it('that has renewed remains after the refund of the first payment, because its renewal was paid', async () => {
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

    it('is refused while the bank is silent, and begins again when it answers', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const start = vi.spyOn(SandboxBank.prototype, 'start')
      start.mockRejectedValueOnce(new ProviderSilent('The bank does not answer.'))
      expect((await change(id, 'large')).error.code).toBe(-505)
      start.mockRestore()
      await upgrade(id, 'large')
      expect((await only()).title).toBe('Grand')
    })

    it('that waits for its payment is not in the cart, so it is not paid from there', async () => {
      const id = await subscribe(['small'])
      await change(id, 'large')
      const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(result.map(({ title, statusId }) => [title, statusId])).toEqual([['Petit', 10]])
    })

    it('that waits for its payment keeps its amount, and is refused to customers who were shown less', async () => {
      const id = await subscribe(['small'])
      at(MONTH_1 - 5 * MINUTE_MS)
      const dearer = await changeTo(id, 'large')
      const { result } = await change(id, 'large')
      // The old plan renews after the order was submitted, so its unused time is worth more than the credit.
      at(MONTH_1)
      await renewSubscriptions(parts())
      const { idOption, idRevision, amount } = await changeTo(id, 'large')
      expect(Number(amount)).toBeLessThan(Number(dearer.amount))
      expect((await ask(id, { idOption, idRevision, amount })).error.code).toBe(-409)
      const again = await ask(id, { idOption, idRevision, amount: dearer.amount })
      expect(again.result.payment?.orderId).toBe(result.payment?.orderId)
    })
  })
})
