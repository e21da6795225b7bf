import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkLedger, exportLedger } from '@ondine/contract/ledger'
import { refundOrder } from '@ondine/contract/operated-orders'
import { generateVoucherCodes, importVouchers, redeemGift } from '@ondine/contract/vouchers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { checkLedger as compare } from './check-ledger.ts'

const VOUCHERS = `
vouchers:
  - { key: fifth, code: FIFTH, percentage: 20, usesPerAccount: 10 }
  - { key: present, gift: { offer: sport, months: 1 } }
`

describe.each(MAIN_DB)('accounting, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Record<string, string>
  /** Order ids of one account. The account buys every kind of offer. */
  let rental: number
  let refunded: number

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
    operator = (await scene.make.operator()).tokens
    await scene.service.call(importVouchers, { file: VOUCHERS }, operator)
    const actor = await scene.make.actor()
    const buy = async (keys: string[], contentId?: number, voucher?: string) => {
      await shop.add(keys, contentId, actor)
      const { result } = await shop.ask({ voucher }, actor)
      if (result.action !== null) await shop.pay(result.action)
      expect(await shop.status(result.orderId, actor)).toBe('executed')
      return result.orderId
    }
    rental = await buy(['rental'], titles.encre, 'FIFTH')
    refunded = await buy(['rental'], titles.sel)
    await scene.service.call(refundOrder, { idOrder: refunded }, operator)
    await buy(['cinema-monthly'])
    await buy(['season'])
    await buy(['channel-day'])
    const { codes } = (await scene.service.call(generateVoucherCodes, { key: 'present', count: 1 }, operator))
      .result
    expect(
      (await scene.service.call(redeemGift, { voucherCode: codes[0] ?? '' }, actor.tokens)).error.code,
    ).toBe(0)
    // Three more orders: a cancelled order, an order paid after the account bought an offer that excludes it, and
    // an open order.
    await shop.add(['rental'], titles.fort, actor)
    const failed = (await shop.ask({ voucher: 'FIFTH' }, actor)).result
    await shop.press(failed.action ?? '', { do: 'cancel' })
    expect(await shop.status(failed.orderId, actor)).toBe('failed')
    const other = await scene.make.actor()
    const monthly = await shop.order(['cinema-monthly'], undefined, other)
    const yearly = await shop.order(['cinema-yearly'], undefined, other)
    await shop.pay(yearly.action)
    await shop.pay(monthly.action)
    expect([await shop.status(yearly.orderId, other), await shop.status(monthly.orderId, other)]).toEqual([
      'executed',
      'failed',
    ])
    await shop.order(['rental'], titles.encre, other)
  })

  const db = () => scene.service.context.db
  const check = async () => (await scene.service.call(checkLedger, {}, operator)).result
  const written = async (month: string) =>
    (await scene.service.call(exportLedger, { month }, operator)).result.csv

  it('finds no faults when everything matches', async () => {
    expect(await check()).toEqual({ orders: 9, payments: 9, faults: [] })
    expect(await runCommand(scene.service, 'ledger check')).toBe('All match: 9 orders, 9 payments.')
  })

  const ORDER = sql`(select id from orders order by id limit 1)`
  const PAYMENT = sql`(select payment_id from orders order by id limit 1)`
  const BANK = sql`(select key from payments where id = ${PAYMENT})`
  it.each([
    [
      'another amount than its payment',
      sql`update orders set cents = cents + 1 where id = ${ORDER}`,
      sql`update orders set cents = cents - 1 where id = ${ORDER}`,
    ],
    [
      'another amount than its offers',
      sql`update order_items set discount_cents = discount_cents + 1 where order_id = ${ORDER}`,
      sql`update order_items set discount_cents = discount_cents - 1 where order_id = ${ORDER}`,
    ],
    [
      'is executed, but was not paid',
      sql`update payments set state = 'failed' where id = ${PAYMENT}`,
      sql`update payments set state = 'succeeded' where id = ${PAYMENT}`,
    ],
    [
      'was not received, but the ledger has it',
      sql`update payments set state = 'open' where id = ${PAYMENT}`,
      sql`update payments set state = 'succeeded' where id = ${PAYMENT}`,
    ],
    [
      'is refunded here or in the ledger',
      sql`update payments set state = 'refunded' where id = ${PAYMENT}`,
      sql`update payments set state = 'succeeded' where id = ${PAYMENT}`,
    ],
    [
      'was received, but the ledger has another amount',
      sql`update payments set cents = cents + 1 where id = ${PAYMENT}`,
      sql`update payments set cents = cents - 1 where id = ${PAYMENT}`,
    ],
    [
      'gives no rights, but is not refunded',
      sql`update orders set state = 'expired' where id = ${ORDER}`,
      sql`update orders set state = 'executed' where id = ${ORDER}`,
    ],
    [
      'but one of its offers gave no right',
      sql`update grants set source_id = 'x' || source_id where source = 'rental'`,
      sql`update grants set source_id = substr(source_id, 2) where source = 'rental'`,
    ],
    [
      'no executed order of its account has it',
      sql`update grants set source_id = 'x' || source_id where source = 'payPerView'`,
      sql`update grants set source_id = substr(source_id, 2) where source = 'payPerView'`,
    ],
    [
      'is a gift, but no code was used for it',
      sql`update grants set source_id = 'x' || source_id where source = 'gift'`,
      sql`update grants set source_id = substr(source_id, 2) where source = 'gift'`,
    ],
    [
      'but one of its rights has not ended',
      sql`update grants set ended_at = null where ended_at is not null`,
      sql`update grants set ended_at = valid_from where source_id = (
        select i.id::text from order_items i join orders o on o.id = i.order_id join payments p on p.id = o.payment_id
        where p.state = 'refunded' and o.state = 'executed')`,
    ],
    [
      'no receipt of its amount and VAT',
      sql`update receipts set vat_cents = vat_cents + 1 where payment_id = ${PAYMENT}`,
      sql`update receipts set vat_cents = vat_cents - 1 where payment_id = ${PAYMENT}`,
    ],
    [
      'a refund of a sale or a credit note, but not both',
      sql`update receipts set payment_id = ${PAYMENT} where kind = 'creditNote'`,
      sql`update receipts set payment_id = (select payment_id from orders order by id offset 1 limit 1) where kind = 'creditNote'`,
    ],
    [
      'receipts of 2026: a number is missing',
      sql`update receipt_counters set last = last + 1 where kind = 'receipt'`,
      sql`update receipt_counters set last = last - 1 where kind = 'receipt'`,
    ],
    [
      'counts another number of uses than it has',
      sql`update voucher_codes set uses = uses + 1`,
      sql`update voucher_codes set uses = uses - 1`,
    ],
    [
      'keeps the use of its voucher, or is open but has released it',
      sql`update voucher_uses set released_at = now() where id = (select voucher_use_id from orders where id = ${ORDER})`,
      sql`update voucher_uses set released_at = null where id = (select voucher_use_id from orders where id = ${ORDER})`,
    ],
    [
      'has another amount at its provider: 320 cents, not 319',
      sql`update sandbox_payments set cents = cents + 1 where key = ${BANK}`,
      sql`update sandbox_payments set cents = cents - 1 where key = ${BANK}`,
    ],
    [
      'is refunded at its provider, but not here',
      sql`update sandbox_payments set state = 'refunded' where key = ${BANK}`,
      sql`update sandbox_payments set state = 'succeeded' where key = ${BANK}`,
    ],
    [
      'is refunded here, but not at its provider',
      sql`update sandbox_payments set state = 'succeeded' where state = 'refunded'`,
      sql`update sandbox_payments set state = 'refunded' where key in (select key from payments where state = 'refunded')`,
    ],
    [
      'was not received here, but its provider has it',
      sql`update sandbox_payments set state = 'succeeded' where state = 'failed'`,
      sql`update sandbox_payments set state = 'failed' where key in (select key from payments where state = 'failed')`,
    ],
    [
      'was not executed for an hour',
      sql`update orders set state = 'to_execute', submitted_at = submitted_at - interval '2 hours' where id = ${ORDER}`,
      sql`update orders set state = 'executed', submitted_at = submitted_at + interval '2 hours' where id = ${ORDER}`,
    ],
  ])('lists the fault "%s"', async (words, change, back) => {
    await db().execute(change)
    try {
      const { faults } = await check()
      const said = faults.map(({ subject, fault }) => `${subject}: ${fault}`)
      expect(
        said.some((line) => line.includes(words)),
        said.join('\n'),
      ).toBe(true)
      await expect(runCommand(scene.service, 'ledger check')).rejects.toThrow(words)
    } finally {
      await db().execute(back)
    }
    expect((await check()).faults).toEqual([])
  })

  it('reports a provider that is silent or switched off', async () => {
    const { db: database, clock } = scene.service.context
    const { bank } = shop
    bank.bookOf = async () => {
      throw new ProviderSilent('The bank does not answer.')
    }
    const silent = await compare({ db: database, clock, providers: new Map([['sandbox', bank]]) })
    expect(new Set(silent.faults.map(({ fault }) => fault))).toEqual(
      new Set(['its provider does not answer']),
    )
    const off = await compare({ db: database, clock, providers: new Map() })
    expect(off.faults[0]?.fault).toBe('its provider sandbox is switched off')
  })

  it('writes a month as CSV with amounts that sum to zero', async () => {
    const [head, ...lines] = (await written('2026-01')).trimEnd().split('\n')
    expect(head).toBe('time,movement,kind,account,amount,payment,provider,receipt')
    const rows = lines.map((line) => line.split(','))
    const cents = rows.map(([, , , , amount = '']) => Number(amount.replace('.', '')))
    expect(cents.reduce((sum, each) => sum + each, 0)).toBe(0)
    const ofRental = (await shop.paymentOf(rental)).id
    expect(
      rows
        .filter((row) => row[5] === String(ofRental))
        .map(([time, , payment, account, amount, , provider, receipt]) => [
          time,
          payment,
          account,
          amount,
          provider,
          receipt,
        ]),
    ).toEqual([
      [new Date(NOON).toISOString(), 'payment', 'provider', '3.19', 'sandbox', ''],
      [new Date(NOON).toISOString(), 'payment', 'customers', '-3.19', 'sandbox', ''],
      [new Date(NOON).toISOString(), 'sale', 'customers', '3.19', 'sandbox', 'R2026-000001'],
      [new Date(NOON).toISOString(), 'sale', 'sales', '-2.66', 'sandbox', 'R2026-000001'],
      [new Date(NOON).toISOString(), 'sale', 'vat', '-0.53', 'sandbox', 'R2026-000001'],
    ])
    const ofRefund = (await shop.paymentOf(refunded)).id
    expect(
      rows
        .filter((row) => row[5] === String(ofRefund) && row[2] === 'refund')
        .map((row) => [row[3], row[4], row[7]]),
    ).toEqual([
      ['provider', '-3.99', 'C2026-000001'],
      ['sales', '3.32', 'C2026-000001'],
      ['vat', '0.67', 'C2026-000001'],
    ])
    expect(await written('2025-12')).toBe(`${head}\n`)
    const file = join(scene.service.context.settings.DATA_DIR, 'january.csv')
    expect(await runCommand(scene.service, 'ledger export', [file], { month: '2026-01' })).toBe(
      `Wrote ${rows.length} entries of 2026-01 to ${file}.`,
    )
    expect(await readFile(file, 'utf8')).toBe(await written('2026-01'))
  })

  it.each(['', '2026', '2026-13', '2026-1', '2026-00', '26-01', '2026-01-01', "2026-01'"])(
    'refuses the month "%s"',
    async (month) => {
      expect((await scene.service.call(exportLedger, { month }, operator)).error.code).toBe(-400)
      await expect(runCommand(scene.service, 'ledger export', ['/nowhere'], { month })).rejects.toThrow(
        'Give a month',
      )
    },
  )
})
