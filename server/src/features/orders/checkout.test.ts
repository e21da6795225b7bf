import { anonymizeMe } from '@ondine/contract/account-calls'
import { importOffers } from '@ondine/contract/offers'
import {
  addOptions,
  askPayment,
  checkOrderStatus,
  listOptions,
  listPaymentMethods,
} from '@ondine/contract/orders'
import { channelStream, readAsset } from '@ondine/contract/playback'
import { cancelSubscription } from '@ondine/contract/subscriptions'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { CARDS, DATA, Purchases, RETURN, SOLD } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'
import { cartItems, orders, subscriptions } from './orders.table.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
const DAY_MS = 86_400_000
const QUARTER_MS = 15 * 60_000

describe.each(DATABASES)('a checkout, on a database of kind %s', (kind) => {
  const scene = testScene(kind, {
    actor: { tokenDays: 400 },
    settings: { SANDBOX_PAYMENTS: true, APP_ORIGINS: ['capacitor://localhost'] },
  })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })

  const at = async <Answer>(time: number, work: () => Promise<Answer>): Promise<Answer> => {
    scene.service.clock.set(time)
    try {
      return await work()
    } finally {
      scene.service.clock.set(NOON)
    }
  }
  const ordersOf = async (accountId = scene.actor.account.id) =>
    await scene.service.context.db.select().from(orders).where(eq(orders.accountId, accountId))
  /** Cancels the subscription that runs. */
  const cancel = async () => {
    const subscriptionId = (await subscriptionOf())?.id ?? 0
    await scene.service.call(cancelSubscription, { subscriptionId }, scene.actor.tokens)
  }
  const subscriptionOf = async (accountId = scene.actor.account.id) => {
    const { db } = scene.service.context
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId))
    return row
  }
  const methods = async () => (await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)).result
  /** Buys, so that the account has a saved card. */
  async function buy(keys: string[], card: string = CARDS.good, contentId?: number): Promise<number> {
    const { orderId, action } = await shop.order(keys, contentId)
    await shop.pay(action, card)
    expect(await shop.status(orderId)).toBe('executed')
    return orderId
  }
  /** Asks for a payment with fields as they travel. @returns HTTP status, code, and the field that is wrong */
  async function send(fields: Record<string, string>): Promise<unknown[]> {
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: askPayment.path,
      headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    const { error } = answer.json()
    return [answer.statusCode, error?.code ?? 0, error?.details?.fields?.[0]?.field]
  }

  describe('what is bought', () => {
    it('A7.1-26 A7.1-30 A7.2-02 A4.2-07 A3-29 a film is rented, and plays a moment later', async () => {
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
      // It plays for 48 hours from now on.
      expect(await at(NOON + 2 * DAY_MS - 1, async () => await shop.plays(titles.encre))).toBe(0)
      expect(await at(NOON + 2 * DAY_MS, async () => await shop.plays(titles.encre))).toBe(-11)
      expect(await shop.movements(result.orderId)).toEqual({
        payment: { provider: 399, customers: -399 },
        sale: { customers: 399, sales: -332, vat: -67 },
      })
    })

    it('decision 49: a rental is begun within 30 days; two of one title follow each other', async () => {
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

    it('a subscription that was cancelled and has run out is bought again', async () => {
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

    it('a season opens its episodes, an event itself, a channel itself for its hours', async () => {
      expect(await shop.plays(titles.episode)).toBe(-11)
      await buy(['season'])
      expect(await shop.plays(titles.episode)).toBe(0)
      await buy(['regatta'], CARDS.good, titles.regatta)
      expect(await shop.plays(titles.regatta)).toBe(0)
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

    it('a trial costs nothing, and is had once', async () => {
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

    it('what is free is executed without payment data', async () => {
      await shop.add(['once'])
      const { result } = await shop.ask({ paymentData: undefined })
      expect(result.action).toBeNull()
      expect(await shop.status(result.orderId)).toBe('executed')
    })

    it('the first payment is the setup with the lower price of the beginning', async () => {
      const { amount } = await shop.order(['sport'])
      expect(amount).toBe('3.99')
    })

    it('the cart is empty once it is bought, and A8.1-03 there is nothing to pay', async () => {
      await buy(['cinema-monthly'])
      expect((await shop.ask()).error.code).toBe(-500)
    })
  })

  describe('cards', () => {
    it('a declined card leaves the page open for another one', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await shop.pay(action, CARDS.declined)
      expect((await shop.page(action)).body).toContain('a refusé cette carte')
      expect(await shop.status(orderId)).toBe('submitted')
      await shop.pay(action)
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('a second factor is confirmed on the page', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await shop.pay(action, CARDS.confirmed)
      expect(await shop.status(orderId)).toBe('submitted')
      expect((await shop.page(action)).body).toContain('Confirmez ce paiement')
      await shop.press(action, { do: 'confirm' })
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('nothing is confirmed that no card asked for', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await shop.press(action, { do: 'confirm' })
      expect(await shop.status(orderId)).toBe('submitted')
    })

    it('a payment that is cancelled fails, and the cart can be paid again', async () => {
      const first = await shop.order(['rental'], titles.encre)
      await shop.press(first.action, { do: 'cancel' })
      expect(await shop.status(first.orderId)).toBe('failed')
      const { result } = await shop.ask()
      expect(result.orderId).not.toBe(first.orderId)
      await shop.pay(first.action)
      expect(await shop.status(first.orderId)).toBe('failed')
      expect(await shop.plays(titles.encre)).toBe(-11)
    })

    it('a bank that answers late holds the order open past its time, and its yes counts', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await at(NOON + QUARTER_MS - 1000, async () => await shop.pay(action, CARDS.late))
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('submitted')
      await at(NOON + QUARTER_MS + 29_000, async () => {
        expect(await shop.status(orderId)).toBe('executed')
        expect(await shop.plays(titles.encre)).toBe(0)
      })
    })

    it('A7.1-28 A3-28 a card that has paid is listed first, and pays without a page', async () => {
      expect(await methods()).toEqual([
        {
          brandBillingProviderId: 5,
          paymentProvider: 'sandbox',
          paymentBrand: 'card',
          paymentMethod: 'new',
          label: null,
          lastUsage: null,
          hasDashboard: false,
        },
      ])
      await buy(['cinema-monthly'])
      const [saved, fresh] = await methods()
      expect(saved).toMatchObject({ paymentBrand: 'visa', label: '•••• 4242', lastUsage: NOON / 1000 })
      expect(fresh).toMatchObject({ paymentMethod: 'new' })
      expect((await subscriptionOf())?.methodId).toBe(Number(saved?.paymentMethod.replace('saved-', '')))
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({
        paymentBrand: saved?.paymentBrand,
        paymentMethod: saved?.paymentMethod,
      })
      expect(result.action).toBeNull()
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('a saved card may be refused, ask for a second factor, or leave its charge unanswered', async () => {
      const outcomes: unknown[] = []
      for (const [card, key] of [
        [CARDS.failsAtRenewal, 'cinema-monthly'],
        [CARDS.confirmed, 'sport'],
        [CARDS.late, 'season'],
      ] as const) {
        const { orderId, action } = await shop.order([key])
        await shop.pay(action, card)
        if (card === CARDS.confirmed) await shop.press(action, { do: 'confirm' })
        const paid = async () => await shop.status(orderId)
        expect(await at(NOON + 30_000, paid)).toBe('executed')
        const label = `•••• ${card.slice(-4)}`
        const paymentMethod = (await methods()).find((each) => each.label === label)?.paymentMethod
        await shop.add(['rental'], titles.encre)
        const { result } = await shop.ask({ paymentMethod })
        outcomes.push([result.action !== null, await shop.status(result.orderId)])
        if (result.action !== null) await shop.press(result.action, { do: 'confirm' })
        outcomes.push(await at(NOON + 30_000, async () => await shop.status(result.orderId)))
      }
      expect(outcomes).toEqual([
        [false, 'failed'],
        'failed',
        [true, 'submitted'],
        'executed',
        [false, 'submitted'],
        'executed',
      ])
    })
  })

  describe('an order', () => {
    it('keeps the amount and the terms of when it was submitted', async () => {
      const { orderId, action, amount } = await shop.order(['rental'], titles.encre)
      const { tokens } = await scene.make.operator()
      const dearer = SOLD.replace('price: "3.99"', 'price: "9.99"').replace(
        'class: recent',
        'class: recent, hours: 1',
      )
      await scene.service.call(importOffers, { file: dearer }, tokens)
      try {
        // The cart shows the old price: it is not bought by the new one, and the new one is not paid unseen.
        expect((await shop.ask()).error.code).toBe(-409)
        await shop.pay(action)
        expect([amount, await shop.status(orderId)]).toEqual(['3.99', 'executed'])
        expect((await shop.paymentOf(orderId)).cents).toBe(399)
        expect(await at(NOON + 29 * DAY_MS, async () => await shop.plays(titles.encre))).toBe(0)
      } finally {
        await scene.service.call(importOffers, { file: SOLD }, tokens)
      }
    })

    it('an offer that went off sale since it was put into the cart is not ordered', async () => {
      await shop.add(['sport'])
      const { tokens } = await scene.make.operator()
      const ended = SOLD.replace(
        'excludes: [cinema-yearly]',
        'excludes: [cinema-yearly], validTo: "2026-01-15T13:00:00Z"',
      )
      await scene.service.call(importOffers, { file: ended }, tokens)
      try {
        await shop.add(['sport'])
        expect(await at(NOON + 3_600_000, async () => (await shop.ask()).error.code)).toBe(-1605)
        expect(await ordersOf()).toEqual([])
      } finally {
        await scene.service.call(importOffers, { file: SOLD }, tokens)
      }
    })

    it('A7.2-02 of somebody else is not there, nor one that never was', async () => {
      const { orderId } = await shop.order(['rental'], titles.encre)
      const other = await scene.make.actor()
      const asked = async (id: number) =>
        (await scene.service.call(checkOrderStatus, { orderId: id }, other.tokens)).error.code
      expect([await asked(orderId), await asked(2_000_000_000)]).toEqual([-404, -404])
      for (const orderId of ['', '-1', '1.5', 'x', '99999999999']) {
        const url = `${checkOrderStatus.path}?orderId=${orderId}`
        const answer = await scene.service.app.inject({ url, headers: scene.actor.tokens })
        expect([answer.statusCode, answer.json().error.details.fields[0].field]).toEqual([400, 'orderId'])
      }
    })

    it('decision 36: expires after 15 minutes without a payment, and the page takes no money then', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      expect(await at(NOON + QUARTER_MS - 1, async () => await shop.status(orderId))).toBe('submitted')
      await at(NOON + QUARTER_MS, async () => {
        expect((await shop.page(action)).body).toContain('a expiré')
        await shop.pay(action)
        expect(await shop.status(orderId)).toBe('expired')
      })
      expect(await shop.plays(titles.encre)).toBe(-11)
      expect(await shop.movements(orderId)).toEqual({})
    })

    it('that has expired makes way for a new one of the same', async () => {
      const first = await shop.order(['rental'], titles.encre)
      const second = await at(NOON + QUARTER_MS, async () => await shop.order(['rental'], titles.encre))
      expect(second.orderId).not.toBe(first.orderId)
      expect(await shop.status(first.orderId)).toBe('expired')
    })

    it('is the same one when it is asked for again, on the same page, with another card too', async () => {
      await buy(['cinema-monthly'])
      const [saved] = await methods()
      const first = await shop.order(['rental'], titles.encre)
      const again = await shop.order(['rental'], titles.encre)
      expect(again).toEqual(first)
      const { result } = await shop.ask({ paymentMethod: saved?.paymentMethod })
      expect([result.orderId, result.action]).toEqual([first.orderId, null])
      // The page in the other window takes nothing more.
      await shop.pay(first.action)
      expect(await shop.status(first.orderId)).toBe('executed')
      expect(Object.keys(await shop.movements(first.orderId)).toSorted()).toEqual(['payment', 'sale'])
    })
  })

  describe('bad input', () => {
    const GOOD = { returnUrl: RETURN, paymentData: DATA, policyValidation: 'true' }

    it('A8.1-05 every field missing or wrong is told, and nothing is ordered', async () => {
      await shop.add(['rental'], titles.encre)
      const without = (name: keyof typeof GOOD) => {
        const { [name]: _, ...rest } = GOOD
        return rest
      }
      const wrong: [unknown[], Record<string, string>][] = [
        [[400, -400, 'returnUrl'], without('returnUrl')],
        [[400, -400, 'policyValidation'], without('policyValidation')],
        [[400, -400, 'policyValidation'], { ...GOOD, policyValidation: 'false' }],
        [[400, -400, 'policyValidation'], { ...GOOD, policyValidation: 'perhaps' }],
        [[400, -2108, undefined], without('paymentData')],
        [[400, -2108, undefined], { ...GOOD, paymentData: '' }],
        [[400, -2109, undefined], { ...GOOD, paymentData: 'card' }],
        [[400, -2109, undefined], { ...GOOD, paymentData: '[]' }],
        [[400, -2109, undefined], { ...GOOD, paymentData: '{"brandBillingProviderId":"5"}' }],
        [[400, -2109, undefined], { ...GOOD, paymentData: '{"brandBillingProviderId":6}' }],
        [[400, -400, 'paymentData'], { ...GOOD, paymentData: 'x'.repeat(2001) }],
        [[400, -2109, undefined], { ...GOOD, paymentProvider: 'stripe' }],
        [[400, -2109, undefined], { ...GOOD, paymentBrand: 'gold' }],
        [[400, -2109, undefined], { ...GOOD, paymentMethod: 'saved-1000000' }],
        [[400, -2109, undefined], { ...GOOD, paymentMethod: 'saved-1; drop table' }],
        [[400, -911, undefined], { ...GOOD, voucher: 'FREE' }],
      ]
      for (const [answer, fields] of wrong) expect(await send(fields), JSON.stringify(fields)).toEqual(answer)
      expect(await ordersOf()).toEqual([])
      expect(await send(GOOD)).toEqual([200, 0, undefined])
    })

    it('no price or amount is taken from the client', async () => {
      await shop.add(['rental'], titles.encre)
      // The amount is what the customer saw: it is compared.
      expect((await send({ ...GOOD, amount: '0.01' })).slice(0, 2)).toEqual([409, -409])
      expect(await ordersOf()).toEqual([])
      await send({ ...GOOD, amount: '3.99', price: '-5', cents: '1' })
      expect((await ordersOf()).map(({ cents }) => cents)).toEqual([399])
    })

    it('the saved card of another account is none', async () => {
      await buy(['cinema-monthly'])
      const [saved] = await methods()
      const other = await scene.make.actor()
      await shop.add(['sport'], undefined, other)
      expect((await shop.ask({ paymentMethod: saved?.paymentMethod }, other)).error.code).toBe(-2109)
      expect(await ordersOf(other.account.id)).toEqual([])
    })

    it.each([
      'https://evil.test/',
      '//evil.test/',
      'http://localhost.evil.test/',
      'http://localhost:4001/',
      'https://localhost/',
      'http://user:pass@localhost/',
      'javascript:alert(1)',
      'data:text/html,x',
      'ondine-evil://x',
      'capacitor://evil.test/',
      'http://',
      '\\\\evil.test\\',
    ])('leads back to no foreign address: %s', async (returnUrl) => {
      await shop.add(['rental'], titles.encre)
      expect(await send({ ...GOOD, returnUrl })).toEqual([400, -400, 'returnUrl'])
      expect(await ordersOf()).toEqual([])
    })

    it.each([
      ['http://localhost/offers?step=2', 'http://localhost/offers?step=2&orderId='],
      ['/offers/confirmation', 'http://localhost/offers/confirmation?orderId='],
      ['ondine://offers/confirmation', 'ondine://offers/confirmation?orderId='],
      ['capacitor://localhost/offers', 'capacitor://localhost/offers?orderId='],
    ])('A4.8-09 leads back to this site and to the app, with the order: %s', async (returnUrl, back) => {
      await shop.add(['rental'], titles.encre)
      const { result } = await shop.ask({ returnUrl })
      await shop.pay(result.action ?? '')
      const page = await shop.page(result.action ?? '')
      expect(page.body).toContain(`href="${back.replaceAll('&', '&amp;')}${result.orderId}"`)
    })
  })

  it('A7.1-10 an account that is deleted leaves its orders and the ledger, and neither cart nor cards', async () => {
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

  it('what is written into a name, or comes back in an address, is text on the page', async () => {
    await shop.add(['rental'], titles.encre)
    const { result } = await shop.ask({ returnUrl: '/offers?x="><script>alert(1)</script>' })
    await scene.service.context.db
      .update(sandboxPayments)
      .set({ description: '<img src=x onerror=alert(1)>' })
      .where(sql`true`)
    const { body } = await shop.page(result.action ?? '')
    await shop.press(result.action ?? '', { do: 'cancel' })
    const done = await shop.page(result.action ?? '')
    expect(body + done.body).not.toMatch(/<script|<img/)
  })

  it('A7.1-26 takes a cart whose fields are as clients send them', async () => {
    const { tokens } = scene.actor
    const extra = { context: { contentId: titles.sel, contentType: 'VOD_ASSET' as const } }
    const optionIds = [shop.idOf('rental')]
    const { result } = await scene.service.call(addOptions, { optionIds, resetOrder: true, extra }, tokens)
    expect(result).toBeNull()
  })
})
