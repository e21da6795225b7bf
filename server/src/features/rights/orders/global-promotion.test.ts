import { changeConfiguration, readConfiguration } from '@ondine/contract/configuration-calls'
import { availableOffers, type Offer, withdrawOffer } from '@ondine/contract/offers'
import { readOrder } from '@ondine/contract/operated-orders'
import { listOptions } from '@ondine/contract/orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import { listChanges, listSubscriptions } from '@ondine/contract/subscriptions'
import { importVouchers, validateVoucher } from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { pdfText } from '../../../../test/pdf-text.ts'
import { Purchases, SOLD } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { reconcileOrders } from './order-jobs.ts'
import { orders } from './orders.table.ts'
import { renewSubscriptions } from './renewals.service.ts'

const PATH = 'offers.globalPromotion'

describe.each(MAIN_DB)('the promotion of the configuration, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Tokens
  const undo: (() => Promise<void>)[] = []

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
    operator = (await scene.make.operator()).tokens
  })
  afterEach(async () => {
    for (const each of undo.splice(0).toReversed()) await each()
    await shop.endSubscriptions()
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  /** Activates the operator's promotion for the offer `key`, with these settings. */
  async function promote(key: string, fields: Record<string, unknown> = {}): Promise<void> {
    const promotion = {
      offerId: shop.idOf(key),
      discountEnabled: true,
      discountedPrice: '4.49',
      discountPeriods: 2,
      discountDescription: { fra: 'Offre de rentrée', eng: 'Back to school' },
      ...fields,
    }
    undo.push((await changeConfigurationOf(scene.service, { [PATH]: promotion })).undo)
  }
  const offered = async (key: string, languageId = 'fra') => {
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: availableOffers.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ languageId }).toString(),
    })
    const { result } = answer.json<{ result: Offer[] }>()
    return result.find(({ idOption }) => idOption === shop.idOf(key))
  }
  const lines = async () => (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
  /** Returns the amounts that the cart shows: the amount due now, and each later charge. */
  const shown = async () =>
    (await lines()).map(({ cartPrice, cartRenewals }) => [
      cartPrice,
      ...cartRenewals.map(({ priceWithVat }) => priceWithVat),
    ])
  const ordersOf = async () =>
    await db().select().from(orders).where(eq(orders.accountId, scene.actor.account.id)).orderBy(orders.id)
  async function work(time: number): Promise<void> {
    scene.service.clock.set(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions({
      ...shop.parts,
      originOf: () => 'http://localhost',
      mail: { order: async () => {} },
    })
  }
  const month = (number: number) => Date.UTC(2026, number, 15, 12)
  async function buy(keys: string[]): Promise<number> {
    const { orderId, action } = await shop.order(keys)
    if (action !== '') await shop.pay(action)
    expect(await shop.status(orderId)).toBe('executed')
    return orderId
  }

  describe('that is active', () => {
    it('A3-31 A3-26 A3-19 is shown with its own offer only, in the language of the viewer', async () => {
      await promote('cinema-monthly')
      expect(await offered('cinema-monthly')).toMatchObject({
        priceWithVat: '8.99',
        discount: { active: true, discountedPriceWithVat: '4.49', recurringPercentage: 50, periods: 2 },
        globalPromotion: {
          discountedPrice: '4.49',
          discountPeriods: 2,
          discountDescription: 'Offre de rentrée',
        },
      })
      expect((await offered('cinema-monthly', 'eng'))?.globalPromotion).toMatchObject({
        discountDescription: 'Back to school',
      })
      expect(await offered('cinema-yearly')).toMatchObject({
        discount: { active: false },
        globalPromotion: null,
      })
    })

    it('A3-31 A3-26 lowers the first periods in the cart, and the renewals after them cost the full price', async () => {
      await promote('cinema-monthly')
      await shop.add(['cinema-monthly', 'ultra'])
      expect(await shown()).toEqual([
        ['4.49', '4.49', '8.99'],
        ['2.00', '2.00'],
      ])
      expect((await lines()).map(({ globalPromotion }) => globalPromotion?.discountedPrice)).toEqual([
        '4.49',
        undefined,
      ])
    })

    it('A3-31 is charged for its periods even if it ends meanwhile, and the full price afterwards', async () => {
      await promote('cinema-monthly')
      await buy(['cinema-monthly'])
      await undo.pop()?.()
      for (const number of [1, 2, 3]) await work(month(number))
      expect((await ordersOf()).map(({ state, cents }) => [state, cents])).toEqual([
        ['executed', 449],
        ['executed', 449],
        ['executed', 899],
        ['executed', 899],
      ])
    })

    it('A3-31 is part of the shown price of the next renewal', async () => {
      await promote('cinema-monthly')
      await buy(['cinema-monthly'])
      const next = async () =>
        (await scene.service.call(listSubscriptions, {}, scene.actor.tokens)).result.map(
          (each) => each.next.amount,
        )
      expect(await next()).toEqual(['4.49'])
      await work(month(1))
      expect(await next()).toEqual(['8.99'])
    })

    it('A3-31 is printed with the usual price on the receipts of its periods only', async () => {
      await promote('cinema-monthly')
      await buy(['cinema-monthly'])
      await work(month(1))
      await work(month(2))
      const { tokens } = scene.actor
      const { result } = await scene.service.call(listReceipts, {}, tokens)
      const texts: string[] = []
      for (const { idReceipt } of result.toReversed()) {
        const url = readReceipt.path.replace(':idReceipt', String(idReceipt))
        const { rawPayload } = await scene.service.app.inject({ method: 'GET', url, headers: tokens })
        texts.push(pdfText(rawPayload).replaceAll(/\s/g, ' '))
      }
      expect(texts.map((text) => text.includes('(offre spéciale, prix habituel : 8,99 €)'))).toEqual([
        true,
        true,
        false,
      ])
      expect(result.toReversed().map(({ lines: [line] }) => line?.usualAmount)).toEqual([
        '8.99',
        '8.99',
        null,
      ])
    })

    it('A3-31 is shown to operators with the usual price, on the purchase and on its renewals', async () => {
      await promote('cinema-monthly')
      await buy(['cinema-monthly', 'ultra'])
      await work(month(1))
      await work(month(2))
      const promotion = { price: '4.49', periods: 2, usualPrice: '8.99' }
      const shownItems: unknown[] = []
      const written: string[] = []
      for (const { id } of await ordersOf()) {
        const { result } = await scene.service.call(readOrder, { idOrder: id }, operator)
        for (const item of result.items) {
          shownItems.push([item.key, item.amount, item.promotion])
          const [, ...itemLines] = (await runCommand(scene.service, 'orders show', [String(id)])).split('\n')
          written.push(itemLines.find((line) => line.startsWith(`  ${item.key},`)) ?? '')
        }
      }
      const bought = shownItems.slice(0, 2)
      expect(bought).toContainEqual(['cinema-monthly', '4.49', promotion])
      expect(bought).toContainEqual(['ultra', '2.00', null])
      expect(shownItems.slice(2).filter((item) => JSON.stringify(item).includes('cinema'))).toEqual([
        ['cinema-monthly', '4.49', promotion],
        ['cinema-monthly', '8.99', null],
      ])
      const ends = written.map((line) => /, discount 0\.00 EUR(.*)$/.exec(line)?.[1])
      expect(ends.filter((end) => end !== '')).toEqual(
        Array(2).fill(', promotion of 4.49 EUR for 2 periods, usual price 8.99 EUR'),
      )
    })

    it('A3-31 of one period is written in the singular', async () => {
      await promote('cinema-monthly', { discountPeriods: 1 })
      const orderId = await buy(['cinema-monthly'])
      expect(await runCommand(scene.service, 'orders show', [String(orderId)])).toContain(
        'promotion of 4.49 EUR for 1 period, usual price',
      )
    })

    it('A3-31 begins when a trial ends', async () => {
      await promote('trial', { discountedPrice: '1.00', discountPeriods: 1 })
      await shop.add(['trial'])
      expect(await shown()).toEqual([['0.00', '1.00', '4.00']])
      await buy(['trial'])
      await work(NOON + 14 * 86_400_000)
      await work(Date.UTC(2026, 1, 28, 12))
      expect((await ordersOf()).map(({ cents }) => cents)).toEqual([0, 100, 400])
    })

    it('A3-31 A4.8-02 is lowered further by a voucher', async () => {
      const file = 'vouchers:\n  - { key: half, code: HALF, percentage: 50 }\n'
      expect((await scene.service.call(importVouchers, { file }, operator)).error.code).toBe(0)
      await promote('cinema-monthly')
      await shop.add(['cinema-monthly'])
      const { result } = await scene.service.call(
        validateVoucher,
        { voucherCode: 'HALF' },
        scene.actor.tokens,
      )
      expect(result.promotions.map(({ discountedPrice }) => discountedPrice)).toEqual(['2.24'])
      expect((await shop.ask({ voucher: 'HALF', amount: '2.24' })).result.amount).toBe('2.24')
    })

    it('A3-31 is for new subscriptions: a change to its plan costs the usual price', async () => {
      await buy(['sport'])
      await promote('cinema-yearly', { discountedPrice: '10.00' })
      const [subscription] = (await scene.service.call(listSubscriptions, {}, scene.actor.tokens)).result
      const { result } = await scene.service.call(
        listChanges,
        { subscriptionId: subscription?.id ?? 0 },
        scene.actor.tokens,
      )
      expect(result.map(({ priceWithVat, renewals }) => [priceWithVat, renewals[0]?.priceWithVat])).toEqual([
        ['89.90', '89.90'],
      ])
    })
  })

  describe('that began or ended between the cart and the order', () => {
    const SEEN = { amount: '8.99', renewals: ['8.99'] }
    const SEEN_LOWER = { amount: '4.49', renewals: ['4.49', '8.99'] }
    const code = async (fields: Parameters<typeof shop.ask>[0]) => (await shop.ask(fields)).error.code

    it('A3-31 makes no order for an outdated amount; the new amount is shown, and can be paid', async () => {
      await shop.add(['cinema-monthly'])
      expect(await shown()).toEqual([['8.99', '8.99']])
      await promote('cinema-monthly')
      expect(await code(SEEN)).toBe(-409)
      expect(await ordersOf()).toEqual([])
      expect(await shown()).toEqual([['4.49', '4.49', '8.99']])
      expect((await shop.ask(SEEN_LOWER)).result.amount).toBe('4.49')
    })

    it('A3-31 charges nobody more than was shown', async () => {
      await promote('cinema-monthly')
      await shop.add(['cinema-monthly'])
      await undo.pop()?.()
      expect(await code(SEEN_LOWER)).toBe(-409)
      expect(await ordersOf()).toEqual([])
      expect((await shop.ask(SEEN)).result.amount).toBe('8.99')
    })

    it('A3-31 makes no order for outdated charges after a trial', async () => {
      await shop.add(['trial'])
      await promote('trial', { discountedPrice: '1.00' })
      expect(await code({ amount: '0.00', renewals: ['4.00'] })).toBe(-409)
      expect(await code({ amount: '0.00', renewals: ['1.00', '4.00'] })).toBe(0)
    })

    it('A3-31 changes no open order: the order is shown and paid as it was submitted', async () => {
      await promote('cinema-monthly')
      await shop.add(['cinema-monthly'])
      const { result } = await shop.ask(SEEN_LOWER)
      await undo.pop()?.()
      expect(await shown()).toEqual([['4.49', '4.49', '8.99']])
      expect(await code(SEEN)).toBe(-409)
      const again = await shop.ask(SEEN_LOWER)
      expect(again.result.orderId).toBe(result.orderId)
      await shop.pay(again.result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it.each<[string, Parameters<typeof shop.ask>[0]]>([
      ['no amount', { amount: 'none' }],
      ['a negative amount', { amount: '-8.99' }],
      ['an amount with a comma', { amount: '8,99' }],
      ['a huge amount', { amount: '99999999.99' }],
      ['no later charge', { renewals: [] }],
      ['a later charge too many', { renewals: ['8.99', '8.99'] }],
    ])('A7.1-30 makes no order where %s was shown', async (_, fields) => {
      await shop.add(['cinema-monthly'])
      expect(await code(fields)).toBe(-409)
      expect(await ordersOf()).toEqual([])
    })

    it.each(['8.99', '[8.99]', '["8"]', '{}', '["8.99"'])(
      'A7.1-30 refuses later charges that are written as %s',
      async (renewals) => {
        await shop.add(['cinema-monthly'])
        const answer = await scene.service.app.inject({
          method: 'POST',
          url: '/proxy/askPayment',
          headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({
            returnUrl: 'http://localhost/offers/confirmation',
            policyValidation: 'true',
            renewals,
          }).toString(),
        })
        expect(answer.statusCode).toBe(400)
        expect(await ordersOf()).toEqual([])
      },
    )
  })

  describe('that has no effect', () => {
    const isPromoted = async (key = 'cinema-monthly') => (await offered(key))?.globalPromotion !== null

    it('A3-31 because it is off', async () => {
      await promote('cinema-monthly', { discountEnabled: false })
      expect(await isPromoted()).toBe(false)
      await shop.add(['cinema-monthly'])
      expect(await shown()).toEqual([['8.99', '8.99']])
    })

    it('A3-31 because the offer became cheaper, or now has its own introduction', async () => {
      await promote('cinema-monthly')
      for (const price of ['"4.49"', '"9.00", introduction: { price: "8.00", periods: 1 }']) {
        await shop.sell(
          `offers:\n  - { key: cinema-monthly, type: subscription, name: { fra: Cinéma, eng: Cinema }, price: ${price}, every: month, plan: cinema, packages: [cinema] }`,
        )
        expect(await isPromoted()).toBe(false)
      }
      // An invalid promotion does not prevent changes to other fields of the configuration.
      const change = await changeConfigurationOf(scene.service, { 'offers.mobilePayment': true })
      await change.undo()
      await shop.sell()
      expect(await isPromoted()).toBe(true)
    })

    it('A3-31 because subscriptions are sold elsewhere', async () => {
      await promote('cinema-monthly')
      undo.push((await changeConfigurationOf(scene.service, { 'offers.subscription': 'external' })).undo)
      expect(await isPromoted()).toBe(false)
    })
  })

  describe('is refused by the configuration', () => {
    const good = () => ({
      offerId: shop.idOf('cinema-monthly'),
      discountEnabled: true,
      discountedPrice: '4.49',
    })
    /** Changes the promotion's settings. @returns HTTP status and the wrong fields */
    async function change(value: object) {
      const { revision } = (await scene.service.call(readConfiguration, {}, operator)).result
      const { status, error } = await scene.service.call(
        changeConfiguration,
        { revision, changes: [{ path: PATH, value }], reason: '' },
        operator,
      )
      const fields = (error?.details as { fields?: { field: string }[] } | undefined)?.fields ?? []
      return [status, ...fields.map(({ field }) => field)]
    }

    it.each<[string, string, () => object]>([
      ['no offer', 'offerId', () => ({ offerId: undefined })],
      ['an unknown offer', 'offerId', () => ({ offerId: 999_999 })],
      ['a negative number', 'offerId', () => ({ offerId: -1 })],
      ['the key of an offer', 'offerId', () => ({ offerId: 'cinema-monthly' })],
      ['a rental', 'offerId', () => ({ offerId: shop.idOf('rental') })],
      ['an event', 'offerId', () => ({ offerId: shop.idOf('regatta') })],
      ['an offer with an introduction', 'offerId', () => ({ offerId: shop.idOf('sport') })],
      ['no price', 'discountedPrice', () => ({ discountedPrice: undefined })],
      ['a number for a price', 'discountedPrice', () => ({ discountedPrice: 4.49 })],
      ['a price with a comma', 'discountedPrice', () => ({ discountedPrice: '4,49' })],
      ['a price of zero', 'discountedPrice', () => ({ discountedPrice: '0.00' })],
      ['a negative price', 'discountedPrice', () => ({ discountedPrice: '-1.00' })],
      ['the price of the offer', 'discountedPrice', () => ({ discountedPrice: '8.99' })],
      ['a higher price', 'discountedPrice', () => ({ discountedPrice: '123456.00' })],
      ['no period', 'discountPeriods', () => ({ discountPeriods: 0 })],
      ['half a period', 'discountPeriods', () => ({ discountPeriods: 1.5 })],
      [
        'a description that is no list of languages',
        'discountDescription',
        () => ({ discountDescription: 'Promo' }),
      ],
      ['an unknown field', 'discountPercent', () => ({ discountPercent: 50 })],
    ])('A3-31 with %s', async (_, field, wrong) => {
      expect(await change({ ...good(), ...wrong() })).toEqual([400, `${PATH}.${field}`])
      expect((await offered('cinema-monthly'))?.globalPromotion).toBeNull()
    })

    it('A3-31 for an offer that was withdrawn', async () => {
      await scene.service.call(withdrawOffer, { key: 'cinema-yearly' }, operator)
      expect(await change({ ...good(), offerId: shop.idOf('cinema-yearly') })).toEqual([
        400,
        `${PATH}.offerId`,
      ])
      await shop.sell(SOLD)
    })

    it('A3-31 but not while it is off, even with an unknown offer', async () => {
      undo.push(
        (
          await changeConfigurationOf(scene.service, {
            [PATH]: { ...good(), offerId: 999_999, discountEnabled: false },
          })
        ).undo,
      )
      expect((await offered('cinema-monthly'))?.globalPromotion).toBeNull()
    })
  })
})
