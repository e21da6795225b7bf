import { anonymizeMe } from '@ondine/contract/account-calls'
import { addOptions, listOptions, OFFER_VALIDITY, optionsValidity } from '@ondine/contract/orders'
import { channelStream, readAsset } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { checkoutScene, DAY_MS } from '../../../../test/checkout-scene.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { cartItems, subscriptions } from './orders.table.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const

describe.each(MAIN_DB)('a checkout, on a database of kind %s', (kind) => {
  const { scene, shop, titles, at, ordersOf, cancel, subscriptionOf, buy } = checkoutScene(kind)

  it('A7.1-26 A7.1-30 A7.2-02 A4.2-07 A3-29 rents a film, which then plays at once', async () => {
    expect(await shop.plays(titles.encre)).toBe(-11)
    expect((await shop.add(['rental'], titles.encre)).error.code).toBe(0)
    const { result } = await shop.ask()
    expect(result).toMatchObject({ amount: '3.99' })
    expect(await shop.status(result.orderId)).toBe('submitted')
    expect(await shop.plays(titles.encre)).toBe(-11)
    await shop.pay(result.action ?? '')
    expect(await shop.status(result.orderId)).toBe('executed')
    expect(await shop.plays(titles.encre)).toBe(0)
    expect(await shop.plays(titles.sel)).toBe(-11)
    const { tokens } = scene.actor
    const read = await scene.service.call(readAsset, { idAsset: titles.encre, ...LANGUAGES }, tokens)
    expect(read.status).toBe(200)
    // The 48 hours of the rental have started with the first play.
    expect(await at(NOON + 2 * DAY_MS - 1, async () => await shop.plays(titles.encre))).toBe(0)
    expect(await at(NOON + 2 * DAY_MS, async () => await shop.plays(titles.encre))).toBe(-11)
    expect(await shop.movements(result.orderId)).toEqual({
      payment: { provider: 399, customers: -399 },
      sale: { customers: 399, sales: -332, vat: -67 },
    })
  })

  it('spec 49: a rental can be started within 30 days; a second rental of a title follows the first', async () => {
    await buy(['rental'], CARDS.good, titles.encre)
    expect(await at(NOON + 30 * DAY_MS - 1, async () => await shop.plays(titles.encre))).toBe(0)
    expect(await at(NOON + 30 * DAY_MS, async () => await shop.plays(titles.encre))).toBe(-11)
    await buy(['rental'], CARDS.good, titles.encre)
    const { db } = scene.service.context
    const held = await db.select().from(grants).where(eq(grants.accountId, scene.actor.account.id))
    expect(held.map(({ source, assetId, slotSeconds }) => [source, assetId, slotSeconds])).toEqual([
      ['rental', titles.encre, 172_800],
      ['rental', titles.encre, 172_800],
    ])
    expect(new Set(held.map(({ sourceId }) => sourceId)).size).toBe(2)
  })

  it('A4.1-01 a subscription opens its packages until the end of its period', async () => {
    await buy(['cinema-monthly'])
    expect(await shop.plays(titles.houle)).toBe(0)
    expect(await subscriptionOf()).toMatchObject({
      plan: 'cinema',
      statusId: 10,
      period: 1,
      periodStart: NOON,
      periodEnd: Date.UTC(2026, 1, 15, 12),
      hadTrial: false,
      endedAt: null,
    })
    expect(await at(Date.UTC(2026, 1, 15, 12) - 1, async () => await shop.plays(titles.houle))).toBe(0)
    expect(await at(Date.UTC(2026, 1, 15, 12), async () => await shop.plays(titles.houle))).toBe(-11)
    const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
    expect(result).toMatchObject([
      {
        idOption: shop.idOf('cinema-monthly'),
        statusId: 10,
        cartPrice: null,
        userValidityActive: true,
        userValidityPending: false,
        userValidityFrom: NOON / 1000,
        userValidityTo: Date.UTC(2026, 1, 15, 12) / 1000,
      },
    ])
  })

  it('A4.1-02 A7.1-25 an offer is pending from the cart until it is paid, and the account is told each status', async () => {
    const { tokens } = scene.actor
    const optionId = shop.idOf('cinema-monthly')
    const told = async () => {
      const validity = await scene.service.call(optionsValidity, {}, tokens)
      const options = await scene.service.call(listOptions, {}, tokens)
      return [validity.result, options.result.map(({ userValidityPending }) => userValidityPending)]
    }
    expect(await told()).toEqual([[], []])
    await shop.add(['cinema-monthly'])
    expect(await told()).toEqual([[{ optionId, statusId: OFFER_VALIDITY.ordered }], [true]])
    const { result } = await shop.ask()
    expect(await told()).toEqual([[{ optionId, statusId: OFFER_VALIDITY.pendingPayment }], [true]])
    await shop.pay(result.action ?? '')
    expect(await shop.status(result.orderId)).toBe('executed')
    expect(await told()).toEqual([[{ optionId, statusId: OFFER_VALIDITY.active }], [false]])
    await cancel()
    expect(await told()).toEqual([[{ optionId, statusId: OFFER_VALIDITY.cancelled }], [false]])
    expect((await scene.service.call(optionsValidity, {}, {})).error.code).toBe(-1)
  })

  it('a subscription that was cancelled and has ended can be bought again', async () => {
    await buy(['cinema-monthly'])
    await cancel()
    await at(NOON + 40 * DAY_MS, async () => await buy(['cinema-yearly']))
    const { db } = scene.service.context
    const all = await db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.accountId, scene.actor.account.id))
      .orderBy(subscriptions.id)
    expect(all.map(({ endedAt }) => endedAt)).toEqual([NOON + 40 * DAY_MS, null])
    expect(all[1]?.periodEnd).toBe(Date.UTC(2027, 1, 24, 12))
  })

  it('a season opens its episodes, an event opens itself while it is on, a channel opens itself for its hours', async () => {
    expect(await shop.plays(titles.episode)).toBe(-11)
    await buy(['season'])
    expect(await shop.plays(titles.episode)).toBe(0)
    await buy(['regatta'], CARDS.good, titles.regatta)
    // Even after the purchase, the boat race can be played only between its start and its end.
    const sail = async () => await shop.plays(titles.regatta)
    expect(await sail()).toBe(-1605)
    expect(await at(NOON + DAY_MS, sail)).toBe(0)
    expect(await at(NOON + 2 * DAY_MS, sail)).toBe(-1605)
    // The list of purchases has the event until its end.
    const bought = async () => {
      const { result } = await scene.service.call(listOptions, { offerType: 'ppv' }, scene.actor.tokens)
      return result.map(({ idAsset, userValidityTo }) => [idAsset, userValidityTo])
    }
    const ends = NOON + 2 * DAY_MS
    expect(await at(ends - 1, bought)).toEqual([[titles.regatta, ends / 1000]])
    expect(await at(ends, bought)).toEqual([])
    const watch = async () =>
      (
        await scene.service.call(
          channelStream,
          { idChannel: titles.channel, format: 'dash' },
          scene.actor.tokens,
        )
      ).error.code
    expect(await watch()).toBe(-1721)
    await buy(['channel-day'])
    expect(await watch()).not.toBe(-1721)
    expect(await at(NOON + DAY_MS, watch)).toBe(-1721)
  })

  it('a trial costs nothing, and an account gets it once', async () => {
    const { orderId, action, amount } = await shop.order(['trial'])
    await shop.pay(action)
    expect([amount, await shop.status(orderId)]).toEqual(['0.00', 'executed'])
    expect(await shop.plays(titles.match)).toBe(0)
    expect(await subscriptionOf()).toMatchObject({
      period: 0,
      periodStart: NOON,
      periodEnd: NOON + 14 * DAY_MS,
      startedAt: NOON + 14 * DAY_MS,
      hadTrial: true,
    })
    expect(await shop.movements(orderId)).toEqual({})
    await cancel()
    const again = await at(NOON + 15 * DAY_MS, async () => await shop.order(['trial']))
    expect(again.amount).toBe('4.00')
  })

  it('a free order is executed without payment data', async () => {
    await shop.add(['once'])
    const { result } = await shop.ask({ paymentData: undefined })
    expect(result.action).toBeNull()
    expect(await shop.status(result.orderId)).toBe('executed')
  })

  it('the first payment is the setup fee with the introductory price', async () => {
    const { amount } = await shop.order(['sport'])
    expect(amount).toBe('3.99')
  })

  it('the cart is empty after the purchase, and A8.1-03 there is nothing to pay', async () => {
    await buy(['cinema-monthly'])
    expect((await shop.ask()).error.code).toBe(-500)
  })

  it('A7.1-10 a deleted account leaves its orders and the ledger behind, but neither cart nor cards', async () => {
    const orderId = await buy(['cinema-monthly'])
    await shop.add(['rental'], titles.encre)
    const { account, tokens } = scene.actor
    expect((await scene.service.call(anonymizeMe, {}, tokens)).error.code).toBe(0)
    const { db } = scene.service.context
    const [cards, cart] = [
      await db.$count(paymentMethods, eq(paymentMethods.accountId, account.id)),
      await db.$count(cartItems, eq(cartItems.accountId, account.id)),
    ]
    expect([cards, cart]).toEqual([0, 0])
    expect((await ordersOf(account.id)).map(({ id, state }) => [id, state])).toEqual([[orderId, 'executed']])
    expect(Object.keys(await shop.movements(orderId)).toSorted()).toEqual(['payment', 'sale'])
  })

  it('A7.1-26 accepts the fields of a cart in the form in which clients send them', async () => {
    const { tokens } = scene.actor
    const extra = { context: { contentId: titles.sel, contentType: 'VOD_ASSET' as const } }
    const optionIds = [shop.idOf('rental')]
    const { result } = await scene.service.call(addOptions, { optionIds, resetOrder: true, extra }, tokens)
    expect(result).toBeNull()
  })
})
