import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listOptions } from '@ondine/contract/orders'
import {
  generateVoucherCodes,
  importVouchers,
  listVouchers,
  redeemGift,
  validateVoucher,
  withdrawVoucher,
} from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { runCommand } from '../../../test/commands.ts'
import { CARDS, Purchases } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { orderItems, orders } from '../orders/orders.table.ts'
import { voucherCodes } from './vouchers.table.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const MANY = Array.from({ length: 50 }, (_, index) => index)

const FILE = `
vouchers:
  - { key: fifth, code: FIFTH-2026, percentage: 20, usesPerAccount: 1000 }
  - { key: all-free, code: ALLFREE, percentage: 100, usesPerAccount: 1000 }
  - { key: three-euros, code: THREE, amount: "3.00", offers: [rental, ultra, cinema-monthly], usesPerAccount: 1000 }
  - { key: first, code: FIRST, amount: "1.00" }
  - { key: ended, code: ENDED, percentage: 10, validTo: "2026-01-01" }
  - { key: to-come, code: TOCOME, percentage: 10, validFrom: "2027-01-01" }
  - { key: last-one, code: LASTONE, percentage: 10, uses: 1 }
  - { key: leaflet, percentage: 50 }
  - { key: present, gift: { offer: cinema-monthly, months: 3 } }
  - { key: opened, code: OPENED, gift: { offer: sport, months: 1 }, uses: 1000 }
`

describe.each(DATABASES)('vouchers, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { tokenDays: 400 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Record<string, string>

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
    operator = (await scene.make.operator()).tokens
    expect((await scene.service.call(importVouchers, { file: FILE }, operator)).error.code).toBe(0)
  })

  const db = () => scene.service.context.db
  const at = async <Answer>(time: number, work: () => Promise<Answer>): Promise<Answer> => {
    scene.service.clock.set(time)
    try {
      return await work()
    } finally {
      scene.service.clock.set(NOON)
    }
  }
  const validate = async (voucherCode: string, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.call(validateVoucher, { voucherCode }, tokens)
  const codeOf = async (voucherCode: string) => (await validate(voucherCode)).error.code
  const redeem = async (voucherCode: string, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.call(redeemGift, { voucherCode }, tokens)
  const usesOf = async (code: string) => {
    const [row] = await db().select().from(voucherCodes).where(eq(voucherCodes.code, code))
    return row?.uses
  }
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id))
  const rights = async ({ account }: Actor = scene.actor) =>
    await db().select().from(grants).where(eq(grants.accountId, account.id))
  const codesOf = async (key: string, count: number) =>
    (await scene.service.call(generateVoucherCodes, { key, count }, operator)).result.codes

  describe('what they take off', () => {
    it('A7.1-29 A3-30 A9-04 a percentage, rounded to cents, with its VAT; small letters and spaces do not matter', async () => {
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

    it('A9-04 a fixed amount once, off the first offers that it is for, and nothing below zero', async () => {
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

    it('A4.8-02 it is not applicable to offers that it is not for: nothing is taken off, and it pays nothing', async () => {
      await shop.add(['sport'])
      expect((await validate('THREE')).result).toEqual({ promotions: [], gift: null })
      expect((await shop.ask({ voucher: 'THREE' })).error.code).toBe(-911)
      const [shown] = (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect(shown?.cartValidPromotions).toEqual([])
      expect(await ordersOf()).toEqual([])
    })

    it('A4.8-01 the voucher of a cart goes with it', async () => {
      await shop.add(['cinema-monthly'])
      await validate('FIFTH2026')
      await shop.add(['cinema-monthly'])
      const [shown] = (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect(shown?.cartValidPromotions).toEqual([])
    })
  })

  describe('an order', () => {
    it('A7.1-30 keeps the discount of when it was submitted, and its payment is the lower one', async () => {
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({ voucher: 'fifth-2026' })
      expect(result.amount).toBe('3.19')
      const changed = FILE.replace('percentage: 20', 'percentage: 90')
      await scene.service.call(importVouchers, { file: changed }, operator)
      await scene.service.call(withdrawVoucher, { key: 'fifth' }, operator)
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      await scene.service.call(importVouchers, { file: FILE }, operator)
      const [order] = await ordersOf()
      expect([order?.cents, order?.discountCents]).toEqual([319, 80])
      const items = await db().select().from(orderItems).where(eq(orderItems.orderId, result.orderId))
      expect(items.map(({ cents, discountCents }) => [cents, discountCents])).toEqual([[319, 80]])
      expect(await shop.movements(result.orderId)).toEqual({
        payment: { provider: 319, customers: -319 },
        sale: { customers: 319, sales: -266, vat: -53 },
      })
    })

    it('of nothing left to pay needs no payment', async () => {
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({ voucher: 'ALLFREE', paymentData: undefined })
      expect([result.amount, result.action, await shop.status(result.orderId)]).toEqual([
        '0.00',
        null,
        'executed',
      ])
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('is the same one when it is asked for again, with its voucher or without; another voucher has to wait', async () => {
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
      // Looked at again, it gives nothing back twice.
      await at(NOON + QUARTER_MS, async () => await shop.status(late.orderId))
      const last = (await shop.ask({ voucher: 'FIRST' })).result
      await shop.pay(last.action ?? '')
      expect(await shop.status(last.orderId)).toBe('executed')
      await shop.add(['rental'], titles.sel)
      expect((await shop.ask({ voucher: 'FIRST' })).error.code).toBe(-15004)
      expect((await ordersOf()).map(({ discountCents }) => discountCents)).toEqual([100, 100, 100])
    })

    it('that was paid and cannot be given gives its use back', async () => {
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

  describe('at once', () => {
    it('of 50 accounts that want the last use exactly one gets it', async () => {
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

    it('of 50 presses on one gift one gets it', async () => {
      const [code = ''] = await codesOf('present', 1)
      const takers: Actor[] = []
      for (const _ of MANY) takers.push(await scene.make.actor())
      const answers = await Promise.all(takers.map(async (taker) => await redeem(code, taker)))
      expect(answers.filter(({ error }) => error.code === 0)).toHaveLength(1)
      const given = await Promise.all(takers.map(async (taker) => (await rights(taker)).length))
      expect(given.filter((count) => count === 1)).toHaveLength(1)
      expect(given.filter((count) => count === 0)).toHaveLength(49)
    })

    it('an account that asks for two carts at once uses a code once', async () => {
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
      // One of a batch is for another account: an account takes one of it.
      expect((await redeem(other)).error.code).toBe(-15004)
      expect(await rights()).toHaveLength(1)
      const { result: held } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(held).toMatchObject([
        { idOption: shop.idOf('cinema-monthly'), statusId: 10, cartPrice: null, userValidityTo: end / 1000 },
      ])
    })

    it('of a plan that is paid are kept for later: it runs already', async () => {
      const { orderId, action } = await shop.order(['cinema-monthly'])
      await shop.pay(action, CARDS.good)
      expect(await shop.status(orderId)).toBe('executed')
      const [code = ''] = await codesOf('present', 1)
      expect((await redeem(code)).error.code).toBe(-1102)
      expect((await redeem(code, await scene.make.actor())).error.code).toBe(0)
    })

    it('and discounts are two things', async () => {
      await shop.add(['cinema-monthly'])
      const [code = ''] = await codesOf('present', 1)
      expect((await shop.ask({ voucher: code })).error.code).toBe(-911)
      expect((await redeem('FIFTH2026')).error.code).toBe(-911)
      expect([await ordersOf(), await rights()]).toEqual([[], []])
    })
  })

  describe('bad input', () => {
    it.each([
      ['ENDED', -911],
      ['TOCOME', -911],
      ['NOTHING', -911],
      ["' or 1=1 --", -911],
      ['%', -911],
      ['FIFTH2026X', -911],
      ['ß'.repeat(50), -911],
      ['', -400],
      ['x'.repeat(101), -400],
    ])('A8.3-09 A8.1-03 the code "%s" is answered like any other call, with %i', async (code, answer) => {
      await shop.add(['cinema-monthly'])
      const { status, error } = await validate(code)
      expect([status, error.code]).toEqual([400, answer])
      expect((await redeem(code)).error.code).toBe(answer)
      if (answer === -911) {
        expect(error.message).toBe('Ce code promotionnel n’est pas valable.')
        expect((await shop.ask({ voucher: code })).error.code).toBe(-911)
      }
      expect(await ordersOf()).toEqual([])
    })

    it('ten wrong codes a minute, and then none for a minute; right ones do not count', async () => {
      await shop.add(['cinema-monthly'])
      for (let guess = 0; guess < 9; guess++) {
        expect(await codeOf(`GUESS${guess}`)).toBe(-911)
        expect(await codeOf('FIFTH2026')).toBe(0)
      }
      expect((await shop.ask({ voucher: 'GUESS' })).error.code).toBe(-911)
      expect((await redeem('GUESS')).status).toBe(429)
      expect((await shop.ask({ voucher: 'FIFTH2026' })).status).toBe(429)
      expect(await ordersOf()).toEqual([])
      await at(NOON + MINUTE_MS, async () => expect(await codeOf('FIFTH2026')).toBe(0))
      expect((await validate('FIFTH2026', await scene.make.actor())).status).toBe(200)
    })

    const WRONG: [string, string][] = [
      ['- { key: x }', 'line 2: vouchers.0.key must have one of percentage, amount, gift'],
      ['- { key: x, percentage: 10, amount: "1.00" }', 'must have one of percentage, amount, gift'],
      ['- { key: x, percentage: 0 }', 'percentage must be 1 or more'],
      ['- { key: x, percentage: 101 }', 'percentage must be at most 100'],
      ['- { key: x, percentage: -5 }', 'percentage must be 1 or more'],
      ['- { key: x, percentage: 12.5 }', 'percentage must be a whole number of percent'],
      ['- { key: x, amount: 3.00 }', 'amount must be an amount in quotation marks'],
      ['- { key: x, amount: "-3.00" }', 'amount must be an amount such as'],
      ['- { key: x, amount: "0" }', 'amount must be more than 0'],
      ['- { key: x, amount: "99999999" }', 'amount must be an amount such as'],
      ['- { key: X, percentage: 5 }', 'key must be a name in small letters'],
      ['- { percentage: 5 }', 'key must be a name in small letters'],
      ['- { key: x, percentage: 5, code: "a b" }', 'code must have letters, digits and dashes alone'],
      ['- { key: x, percentage: 5, code: AB }', 'code must have 4 to 40 letters and digits'],
      ['- { key: x, percentage: 5, code: fifth-2026 }', 'code is of another voucher: FIFTH2026'],
      ['- { key: fifth, percentage: 5, code: OTHER }', 'code cannot change: it is FIFTH2026'],
      ['- { key: x, percentage: 5, offers: [nothing] }', 'vouchers.0.offers.0 names no offer: nothing'],
      ['- { key: x, percentage: 5, offers: [] }', 'offers must have one offer at least'],
      ['- { key: x, gift: { offer: rental, months: 1 } }', 'gift.offer names no subscription: rental'],
      ['- { key: x, gift: { offer: sport, months: 0 } }', 'gift.months must be 1 or more'],
      [
        '- { key: x, gift: { offer: sport, months: 1 }, offers: [sport] }',
        'offers must not be given for a gift',
      ],
      ['- { key: x, percentage: 5, uses: 0 }', 'uses must be 1 or more'],
      ['- { key: x, percentage: 5, usesPerAccount: -1 }', 'usesPerAccount must be 1 or more'],
      [
        '- { key: x, percentage: 5, validFrom: "2026-02-01", validTo: "2026-01-01" }',
        'validTo must be later than validFrom',
      ],
      ['- { key: x, percentage: 5, validTo: soon }', 'validTo must be a date in quotation marks'],
      ['- { key: x, percentage: 5, discount: 3 }', 'discount is not known here'],
      ['- { key: x, percentage: 5 }\n- { key: x, percentage: 6 }', 'line 3: vouchers.1.key stands twice: x'],
      ['  nothing: 1', 'must be a list of vouchers'],
    ]
    it.each(WRONG)('a file is taken as a whole or not at all: %s', async (lines, reason) => {
      const before = (await scene.service.call(listVouchers, {}, operator)).result
      const good = '- { key: good, percentage: 5 }\n'
      for (const file of [`vouchers:\n${lines}`, `vouchers:\n${lines}\n${good}`]) {
        const { error } = await scene.service.call(importVouchers, { file }, operator)
        expect(error.code).toBe(-400)
        if (!file.endsWith(good)) expect(JSON.stringify(error.details?.fields)).toContain(reason)
      }
      expect((await scene.service.call(listVouchers, {}, operator)).result).toEqual(before)
    })

    it.each([0, -1, 10_001])('a batch has from 1 to 10000 codes, not %i', async (count) => {
      const { error } = await scene.service.call(generateVoucherCodes, { key: 'leaflet', count }, operator)
      expect(error.code).toBe(-400)
    })

    it('what is not there is not found', async () => {
      const key = 'nothing'
      expect((await scene.service.call(generateVoucherCodes, { key, count: 1 }, operator)).error.code).toBe(
        -404,
      )
      expect((await scene.service.call(withdrawVoucher, { key }, operator)).error.code).toBe(-404)
    })
  })

  it('the command imports, lists, generates a batch as CSV, and withdraws', async () => {
    const folder = scene.service.context.settings.DATA_DIR
    const [written, csv] = [join(folder, 'vouchers.yaml'), join(folder, 'codes.csv')]
    await writeFile(written, 'vouchers:\n  - { key: winter, percentage: 30, offers: [rental] }\n')
    const run = async (name: string, ...args: string[]) =>
      await runCommand(scene.service, `vouchers ${name}`, args)
    expect(await run('import', written)).toBe('added: winter')
    expect(await run('import', written)).toBe('unchanged: winter')
    expect(await run('generate', 'winter', '1500', csv)).toBe(`Wrote 1500 codes to ${csv}.`)
    const [head, ...rows] = (await readFile(csv, 'utf8')).trimEnd().split('\n')
    expect(head).toBe('code,voucher')
    expect(new Set(rows).size).toBe(1500)
    expect(rows.every((row) => /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4},winter$/.test(row))).toBe(true)
    expect(await run('list')).toContain('winter  30 %  rental, codes: 1500, uses: 0')
    await shop.add(['rental'], titles.encre)
    const code = rows[7]?.split(',')[0] ?? ''
    expect((await validate(code)).result.promotions).toMatchObject([{ discountedPrice: '2.79' }])
    await run('withdraw', 'winter')
    expect((await validate(code)).error.code).toBe(-911)
    expect(await run('list')).toContain('winter  30 %  rental, codes: 1500, uses: 0, withdrawn')
    await expect(run('withdraw', 'nothing')).rejects.toThrow('There is no voucher nothing')
    await expect(run('generate', 'winter', '0', csv)).rejects.toThrow('from 1 to 10000')
    await writeFile(written, 'vouchers:\n  - { key: winter, percentage: 130 }\n')
    await expect(run('import', written)).rejects.toThrow('line 2: vouchers.0.percentage must be at most 100')
  })
})
