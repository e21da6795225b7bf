import { listOptions } from '@ondine/contract/orders'
import { importVouchers, withdrawVoucher } from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { VOUCHERS, voucherScene } from '../../../../test/voucher-scene.ts'
import { orderItems } from '../orders/orders.table.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const MANY = Array.from({ length: 50 }, (_, index) => index)

describe.each(MAIN_DB)('vouchers, on a database of kind %s', (kind) => {
  const { scene, shop, titles, operator, db, at, validate, redeem, usesOf, ordersOf, rights, codesOf } =
    voucherScene(kind)

  describe('discounts', () => {
    it('A7.1-29 A3-30 A9-04 take off a percentage, rounded to cents, with its VAT; small letters and spaces in the code do not matter', async () => {
      await shop.add(['cinema-monthly'])
      const { result } = await validate(' fifth 2026 ')
      expect(result).toEqual({
        promotions: [
          {
            item: shop.idOf('cinema-monthly'),
            discountType: 'percentage',
            discountValue: '20.00',
            discountVat: '0.30',
            discountedPrice: '7.19',
          },
        ],
        gift: null,
      })
      const [shown] = (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect([shown?.cartPrice, shown?.cartValidPromotions]).toEqual(['8.99', result.promotions])
    })

    it('A9-04 take off a fixed amount once, from the first offers of the voucher, and never below zero', async () => {
      await shop.add(['ultra', 'cinema-monthly'])
      const { promotions } = (await validate('THREE')).result
      expect(
        promotions.map(({ item, discountValue, discountedPrice }) => [item, discountValue, discountedPrice]),
      ).toEqual([
        [shop.idOf('ultra'), '2.00', '0.00'],
        [shop.idOf('cinema-monthly'), '1.00', '7.99'],
      ])
      const { result } = await shop.ask({ voucher: 'THREE' })
      expect(result.amount).toBe('7.99')
    })

    it('A4.8-02 are not applicable to other offers: nothing is taken off, and an order with the code is refused', async () => {
      await shop.add(['sport'])
      expect((await validate('THREE')).result).toEqual({ promotions: [], gift: null })
      expect((await shop.ask({ voucher: 'THREE' })).error.code).toBe(-911)
      const [shown] = (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect(shown?.cartValidPromotions).toEqual([])
      expect(await ordersOf()).toEqual([])
    })

    it('A4.8-01 end when their cart is replaced', async () => {
      await shop.add(['cinema-monthly'])
      await validate('FIFTH2026')
      await shop.add(['cinema-monthly'])
      const [shown] = (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect(shown?.cartValidPromotions).toEqual([])
    })
  })

  describe('an order', () => {
    it('A7.1-30 keeps the discount with which it was submitted, and its payment is the lower amount', async () => {
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({ voucher: 'fifth-2026' })
      expect(result.amount).toBe('3.19')
      const changed = VOUCHERS.replace('percentage: 20', 'percentage: 90')
      await scene.service.call(importVouchers, { file: changed }, operator)
      await scene.service.call(withdrawVoucher, { key: 'fifth' }, operator)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      await scene.service.call(importVouchers, { file: VOUCHERS }, operator)
      const [order] = await ordersOf()
      expect([order?.cents, order?.discountCents]).toEqual([319, 80])
      const items = await db().select().from(orderItems).where(eq(orderItems.orderId, result.orderId))
      expect(items.map(({ cents, discountCents }) => [cents, discountCents])).toEqual([[319, 80]])
      expect(await shop.movements(result.orderId)).toEqual({
        payment: { provider: 319, customers: -319 },
        sale: { customers: 319, sales: -266, vat: -53 },
      })
    })

    it('with less than 0.50 € left to pay is free, because providers refuse such an amount', async () => {
      await shop.add(['rental'], titles.encre)
      expect((await validate('ALMOST')).result.promotions).toMatchObject([{ discountedPrice: '0.00' }])
      const { result } = await shop.ask({ voucher: 'ALMOST', paymentData: undefined })
      expect([result.amount, result.action, await shop.status(result.orderId)]).toEqual([
        '0.00',
        null,
        'executed',
      ])
      expect((await ordersOf()).map(({ discountCents }) => discountCents)).toEqual([399])
      expect(await shop.movements(result.orderId)).toEqual({})
    })

    it('with nothing left to pay needs no payment', async () => {
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({ voucher: 'ALLFREE', paymentData: undefined })
      expect([result.amount, result.action, await shop.status(result.orderId)]).toEqual([
        '0.00',
        null,
        'executed',
      ])
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('stays the same when it is requested again, with its voucher or without; another voucher is refused', async () => {
      await shop.add(['rental'], titles.encre)
      const before = await usesOf('FIFTH2026')
      const { result } = await shop.ask({ voucher: 'FIFTH2026' })
      expect((await shop.ask({ voucher: 'FIFTH2026' })).result).toEqual(result)
      expect((await shop.ask()).result).toEqual(result)
      expect((await shop.ask({ voucher: 'THREE' })).error.code).toBe(-409)
      expect((await ordersOf()).length).toBe(1)
      expect(await usesOf('FIFTH2026')).toBe((before ?? 0) + 1)
    })

    it('that fails or expires gives its use back', async () => {
      await shop.add(['rental'], titles.encre)
      const failed = (await shop.ask({ voucher: 'FIRST' })).result
      expect((await validate('FIRST')).error.code).toBe(-15004)
      await shop.press(failed.action ?? '', { do: 'cancel' })
      expect(await shop.status(failed.orderId)).toBe('failed')
      const late = (await shop.ask({ voucher: 'FIRST' })).result
      expect(late.orderId).not.toBe(failed.orderId)
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(late.orderId))).toBe('expired')
      // A second request for the status must not release the use again.
      await at(NOON + QUARTER_MS, async () => await shop.status(late.orderId))
      const last = (await shop.ask({ voucher: 'FIRST' })).result
      await shop.pay(last.action ?? '')
      expect(await shop.status(last.orderId)).toBe('executed')
      await shop.add(['rental'], titles.sel)
      expect((await shop.ask({ voucher: 'FIRST' })).error.code).toBe(-15004)
      expect((await ordersOf()).map(({ discountCents }) => discountCents)).toEqual([100, 100, 100])
    })

    it('that was paid but cannot be executed gives its use back', async () => {
      const buyer = scene.actor
      const before = (await usesOf('FIFTH2026')) ?? 0
      await shop.add(['cinema-monthly'])
      const monthly = (await shop.ask({ voucher: 'FIFTH2026' })).result
      await shop.add(['cinema-yearly'])
      const yearly = (await shop.ask()).result
      await shop.pay(yearly.action ?? '')
      expect(await shop.status(yearly.orderId)).toBe('executed')
      await shop.pay(monthly.action ?? '')
      expect(await shop.status(monthly.orderId, buyer)).toBe('failed')
      expect(await usesOf('FIFTH2026')).toBe(before)
    })
  })

  describe('concurrent requests', () => {
    it('give the last use to exactly one of 50 accounts', async () => {
      const buyers: Actor[] = []
      for (const _ of MANY) {
        const buyer = await scene.make.actor()
        await shop.add(['rental'], titles.encre, buyer)
        buyers.push(buyer)
      }
      const answers = await Promise.all(
        buyers.map(async (buyer) => await shop.ask({ voucher: 'LASTONE' }, buyer)),
      )
      const codes = answers.map(({ error }) => error.code)
      expect(codes.filter((code) => code === 0)).toHaveLength(1)
      expect(codes.filter((code) => code === -15004)).toHaveLength(49)
      expect(await usesOf('LASTONE')).toBe(1)
      const winner = answers.findIndex(({ error }) => error.code === 0)
      const loser = buyers[winner === 0 ? 1 : 0]
      expect(loser && (await ordersOf(loser))).toEqual([])
    })

    it('give one gift to exactly one of 50 accounts', async () => {
      const [code = ''] = await codesOf('present', 1)
      const takers: Actor[] = []
      for (const _ of MANY) takers.push(await scene.make.actor())
      const answers = await Promise.all(takers.map(async (taker) => await redeem(code, taker)))
      expect(answers.filter(({ error }) => error.code === 0)).toHaveLength(1)
      const given = await Promise.all(takers.map(async (taker) => (await rights(taker)).length))
      expect(given.filter((count) => count === 1)).toHaveLength(1)
      expect(given.filter((count) => count === 0)).toHaveLength(49)
    })

    it('of one account with two codes for one cart make one order', async () => {
      const codes = await codesOf('leaflet', 2)
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(codes.map(async (voucher) => await shop.ask({ voucher })))
      expect(answers.map(({ error }) => error.code).toSorted((one, other) => other - one)).toEqual([0, -409])
      expect(await ordersOf()).toHaveLength(1)
    })
  })

  describe('gifts', () => {
    it('give their plan for their months, once, without a card', async () => {
      const [code = '', other = ''] = await codesOf('present', 2)
      expect(await shop.plays(titles.houle)).toBe(-11)
      expect((await validate(code)).result).toEqual({
        promotions: [],
        gift: { idOption: shop.idOf('cinema-monthly'), title: 'Cinéma', months: 3 },
      })
      const { result } = await redeem(code.toLowerCase())
      const end = Date.UTC(2026, 3, 15, 12)
      expect(result).toEqual({
        idOption: shop.idOf('cinema-monthly'),
        title: 'Cinéma',
        months: 3,
        userValidityFrom: NOON / 1000,
        userValidityTo: end / 1000,
      })
      expect(await shop.plays(titles.houle)).toBe(0)
      expect(await at(end - 1, async () => await shop.plays(titles.houle))).toBe(0)
      expect(await at(end, async () => await shop.plays(titles.houle))).toBe(-11)
      expect((await redeem(code)).error.code).toBe(-15004)
      // An account can redeem one code of a voucher. The other codes are for other accounts.
      expect((await redeem(other)).error.code).toBe(-15004)
      expect(await rights()).toHaveLength(1)
      const { result: held } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(held).toMatchObject([
        { idOption: shop.idOf('cinema-monthly'), statusId: 10, cartPrice: null, userValidityTo: end / 1000 },
      ])
    })

    it('of a plan that runs already are refused, and stay valid for other accounts', async () => {
      const { orderId, action } = await shop.order(['cinema-monthly'])
      await shop.pay(action, CARDS.good)
      expect(await shop.status(orderId)).toBe('executed')
      const [code = ''] = await codesOf('present', 1)
      expect((await redeem(code)).error.code).toBe(-1102)
      expect((await redeem(code, await scene.make.actor())).error.code).toBe(0)
    })

    it('are not discounts, and discounts are not gifts', async () => {
      await shop.add(['cinema-monthly'])
      const [code = ''] = await codesOf('present', 1)
      expect((await shop.ask({ voucher: code })).error.code).toBe(-911)
      expect((await redeem('FIFTH2026')).error.code).toBe(-911)
      expect([await ordersOf(), await rights()]).toEqual([[], []])
    })
  })
})
