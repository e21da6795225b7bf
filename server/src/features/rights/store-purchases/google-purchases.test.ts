import { anonymizeMe } from '@ondine/contract/account-calls'
import { describe, expect, it } from 'vitest'
import type { GoogleSubscription } from '../../../../test/fake-google-play.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { type Sent, storePurchasesScene } from '../../../../test/store-purchases-scene.ts'
import { openGooglePlay } from './open-stores.ts'
import { checkStorePurchases } from './store-purchases.service.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Length of a subscription period in the fake store. */
const PERIOD_MS = 7 * DAY_MS
const NO_RIGHTS = -11

describe.each(MAIN_DB)('purchases in Google’s store, on a database of kind %s', (kind) => {
  const { google, scene, shop, titles, run, at, link, codeOf, rightsOf, validity, post } =
    storePurchasesScene(kind)

  const token = () => `token-${run.serial}`
  const order = () => `GPA.0000-0000-${run.serial}`
  /** Adds a subscription to the fake Google Play. */
  const subscribe = (changes: Partial<GoogleSubscription> = {}, purchaseToken = token()): void => {
    google.subscriptions.set(purchaseToken, {
      productId: 'cinema',
      state: 'ACTIVE',
      startTime: NOON,
      expiryTime: NOON + PERIOD_MS,
      orderId: order(),
      renews: true,
      ...google.subscriptions.get(purchaseToken),
      ...changes,
    })
  }
  const sent = (params: Sent['transactionParams'] = {}): Sent => ({
    transactionId: order(),
    provider: 'google',
    transactionParams: { productId: 'cinema', purchaseToken: token(), ...params },
  })
  const notify = async (told: Record<string, unknown>, authorization = google.bearer()) =>
    await post('/payments/google/notices', google.notice(told), { authorization })
  const changed = (notificationType: number, purchaseToken = token(), subscriptionId = 'cinema') => ({
    subscriptionNotification: { version: '1.0', notificationType, purchaseToken, subscriptionId },
  })
  const voided = (orderId: string, refundType = 1) => ({
    voidedPurchaseNotification: { purchaseToken: token(), orderId, productType: 1, refundType },
  })
  const check = async () => {
    const { db, offers: book, clock, log, settings: own } = scene.service.context
    await checkStorePurchases({
      db,
      book,
      clock,
      log,
      apple: undefined,
      google: await openGooglePlay(own),
    })
  }
  /** Returns the requests that the fake Google Play received for the purchases of one test. */
  const asked = () =>
    google.requests.filter((request) => request.startsWith('GET') && request.includes(`/${token()}`))
  const acknowledged = () => google.requests.filter((request) => /:(?:acknowledge|consume)$/.test(request))

  it('A7.3-01 A1-01 A3-23 give the rights of the product’s offer, and are acknowledged once', async () => {
    subscribe()
    const first = await link(sent())
    expect(first.result).toEqual({
      idOption: shop.idOf('cinema-monthly'),
      isActive: true,
      statusId: 10,
      userValidityFrom: NOON / 1000,
      userValidityTo: (NOON + PERIOD_MS) / 1000,
    })
    expect(await shop.plays(titles.houle)).toBe(0)
    expect((await link({ ...sent(), transactionId: token() })).result).toEqual(first.result)
    expect(await rightsOf()).toHaveLength(1)
    expect(acknowledged()).toEqual([`POST subscriptions/cinema/tokens/${token()}:acknowledge`])
    at(NOON + PERIOD_MS)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it('A7.3-01 belong to one account', async () => {
    subscribe()
    expect(await codeOf(sent())).toBe(0)
    const other = await scene.make.actor()
    expect(await codeOf(sent(), other)).toBe(-2333)
    expect(await shop.plays(titles.houle, other)).toBe(NO_RIGHTS)
  })

  it('A8.1-06 rent the title that the app names; the product can then be bought again', async () => {
    google.products.set(token(), {
      productId: 'rental',
      purchaseState: 0,
      purchaseTime: NOON,
      orderId: order(),
    })
    expect(await codeOf(sent({ productId: 'rental' }))).toBe(-3010)
    expect(await codeOf(sent({ productId: 'rental', contentId: titles.encre }))).toBe(-3011)
    expect(acknowledged()).toEqual([])
    const params = { productId: 'rental', contentId: titles.encre, contentType: 'VOD_ASSET' } as const
    expect((await link(sent(params))).result).toMatchObject({ isActive: true, userValidityTo: null })
    expect(await shop.plays(titles.encre)).toBe(0)
    expect(acknowledged()).toEqual([`POST products/rental/tokens/${token()}:consume`])
  })

  it.each<[string, Partial<GoogleSubscription>, Partial<Sent>, number]>([
    ['that are not paid yet', { state: 'PENDING' }, {}, -2109],
    ['with the order of another', {}, { transactionId: 'GPA.1-2-3' }, -2109],
    [
      'with an unknown token',
      {},
      { transactionParams: { productId: 'cinema', purchaseToken: 'none' } },
      -2109,
    ],
    ['of another product', { productId: 'sport' }, {}, -2109],
    [
      'of a product that is not sold',
      {},
      { transactionParams: { productId: 'x', purchaseToken: 'none' } },
      -1605,
    ],
    ['without a token', {}, { transactionParams: { productId: 'cinema' } }, -2108],
    ['without a product', {}, { transactionParams: { purchaseToken: 'none' } }, -2108],
  ])('A8.1-05 are refused %s', async (_what, purchase, fields, code) => {
    subscribe(purchase)
    expect(await codeOf({ ...sent(), ...fields })).toBe(code)
    expect(await rightsOf()).toEqual([])
    expect(acknowledged()).toEqual([])
  })

  it('change nothing while Google does not answer, and can be linked later', async () => {
    subscribe()
    google.fault = () => 503
    expect(await codeOf(sent())).toBe(-505)
    expect(await rightsOf()).toEqual([])
    google.fault = () => undefined
    expect(await codeOf(sent())).toBe(0)
  })

  it('are given when Google cannot be told, and acknowledged later', async () => {
    subscribe()
    google.fault = (request) => (request.endsWith(':acknowledge') ? 503 : undefined)
    expect(await codeOf(sent())).toBe(0)
    expect(await shop.plays(titles.houle)).toBe(0)
    google.fault = () => undefined
    at(NOON + HOUR_MS)
    await check()
    expect(google.subscriptions.get(token())?.isAcknowledged).toBe(true)
  })

  it('continue when they are renewed, however often that is reported', async () => {
    subscribe()
    await link(sent())
    at(NOON + PERIOD_MS)
    subscribe({ expiryTime: NOON + 2 * PERIOD_MS, orderId: `${order()}..0` })
    for (const _ of [1, 2, 3]) expect(await notify(changed(2))).toBe(200)
    expect(await rightsOf()).toHaveLength(2)
    at(NOON + 2 * PERIOD_MS - 1)
    expect(await shop.plays(titles.houle)).toBe(0)
    at(NOON + 2 * PERIOD_MS)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it('continue when their renewal was not reported', async () => {
    subscribe()
    await link(sent())
    subscribe({ expiryTime: NOON + 2 * PERIOD_MS, orderId: `${order()}..0` })
    at(NOON + PERIOD_MS + HOUR_MS)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    await check()
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('continue within minutes when Google reports their renewal late', async () => {
    subscribe()
    await link(sent())
    const end = NOON + PERIOD_MS
    at(end + 10 * MINUTE_MS)
    await check()
    subscribe({ expiryTime: end + PERIOD_MS, orderId: `${order()}..0` })
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    at(end + 20 * MINUTE_MS)
    await check()
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('are queried once a day when hours have passed since their end', async () => {
    subscribe()
    await link(sent())
    const timesAskedAt = async (time: number) => {
      at(time)
      google.requests.length = 0
      await check()
      return asked().length
    }
    const end = NOON + PERIOD_MS
    expect(await timesAskedAt(end + 4 * HOUR_MS)).toBe(1)
    expect(await timesAskedAt(end + 4 * HOUR_MS + DAY_MS - 1)).toBe(0)
    expect(await timesAskedAt(end + 4 * HOUR_MS + DAY_MS)).toBe(1)
  })

  it('are all queried in one run, the longest overdue first', async () => {
    const tokens = Array.from({ length: 110 }, (_, number) => `${token()}-${number}`)
    const first = `${token()}-first`
    for (const [number, purchaseToken] of [...tokens, first].entries()) {
      const expiryTime = NOON + PERIOD_MS - (purchaseToken === first ? HOUR_MS : 0)
      subscribe({ orderId: `${order()}-${number}`, expiryTime, isAcknowledged: true }, purchaseToken)
      expect(await notify(changed(4, purchaseToken))).toBe(200)
    }
    google.requests.length = 0
    at(NOON + PERIOD_MS + HOUR_MS)
    await check()
    expect(asked()[0]).toBe(`GET subscriptionsv2/tokens/${first}`)
    expect(asked().toSorted()).toEqual(
      [...tokens, first].map((each) => `GET subscriptionsv2/tokens/${each}`).toSorted(),
    )
  })

  it('that were bought once stay with their deleted account', async () => {
    google.products.set(token(), {
      productId: 'rental',
      purchaseState: 0,
      purchaseTime: NOON,
      orderId: order(),
    })
    const params = { productId: 'rental', contentId: titles.encre, contentType: 'VOD_ASSET' } as const
    const leaver = await scene.make.actor()
    await link(sent(params), leaver)
    expect((await scene.service.call(anonymizeMe, {}, leaver.tokens)).status).toBe(200)
    expect(await codeOf(sent(params))).toBe(-2333)
    expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
  })

  it('A4.1-01 without renewal are cancelled, and play until their end', async () => {
    subscribe()
    await link(sent())
    subscribe({ state: 'CANCELED', renews: false })
    expect(await notify(changed(3))).toBe(200)
    expect(await validity()).toEqual([{ optionId: shop.idOf('cinema-monthly'), statusId: 40 }])
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it.each(['EXPIRED', 'ON_HOLD', 'PAUSED'])(
    'end in the state %s, and continue when they are paid',
    async (state) => {
      subscribe()
      await link(sent())
      subscribe({ state })
      expect(await notify(changed(12))).toBe(200)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      subscribe({ state: 'ACTIVE' })
      expect(await notify(changed(1))).toBe(200)
      expect(await shop.plays(titles.houle)).toBe(0)
    },
  )

  it('end when their order is refunded, even if the order was not known', async () => {
    subscribe()
    await link(sent())
    expect(await notify(voided(order(), 2))).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(0)
    expect(await notify(voided('GPA.1-2-3'))).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(0)
    at(NOON + PERIOD_MS)
    subscribe({ expiryTime: NOON + 2 * PERIOD_MS, orderId: `${order()}..0` })
    for (const _ of [1, 2]) expect(await notify(voided(`${order()}..0`))).toBe(200)
    expect(await notify(changed(2))).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it('that were bought once end when they are refunded', async () => {
    google.products.set(token(), {
      productId: 'rental',
      purchaseState: 0,
      purchaseTime: NOON,
      orderId: order(),
    })
    await link(sent({ productId: 'rental', contentId: titles.encre, contentType: 'VOD_ASSET' }))
    const product = google.products.get(token())
    if (product) product.purchaseState = 1
    const oneTimeProductNotification = {
      version: '1.0',
      notificationType: 2,
      purchaseToken: token(),
      sku: 'rental',
    }
    expect(await notify({ oneTimeProductNotification })).toBe(200)
    expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
  })

  it('that replace another one in the store stay with its account', async () => {
    subscribe()
    await link(sent())
    const next = `${token()}-next`
    subscribe({ productId: 'sport', orderId: `${order()}-next`, linkedPurchaseToken: token() }, next)
    subscribe({ state: 'EXPIRED' })
    expect(await notify(changed(4, next, 'sport'))).toBe(200)
    expect(await notify(changed(13))).toBe(200)
    expect(await shop.plays(titles.match)).toBe(0)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it.each<[string, () => string]>([
    ['no bearer', () => ''],
    ['another scheme', () => 'Basic eA=='],
    ['a forged token', () => google.bearer({}, true)],
    ['a token for another service', () => google.bearer({ aud: 'https://other.test' })],
    [
      'the token of another account',
      () => google.bearer({ email: 'other@ondine-test.iam.gserviceaccount.com' }),
    ],
    ['an address that is not verified', () => google.bearer({ email_verified: false })],
    ['another issuer', () => google.bearer({ iss: 'https://other.test' })],
    ['a token that is over', () => google.bearer({ iat: 1_600_000_000, exp: 1_600_003_600 })],
    ['no token', () => 'Bearer x'],
  ])('ignore notices with %s', async (_what, authorization) => {
    subscribe()
    await link(sent())
    google.requests.length = 0
    expect(await notify(voided(order()), authorization())).toBe(403)
    expect(await notify(changed(12), authorization())).toBe(403)
    expect(google.requests).toEqual([])
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('ignore bodies that are not notices, or of another app', async () => {
    const authorization = google.bearer()
    const url = '/payments/google/notices'
    const none = Buffer.from('x').toString('base64')
    for (const body of ['', 'x', '{}', '{"message":{"data":"?"}}', `{"message":{"data":"${none}"}}`])
      expect(await post(url, body, { authorization }), body).toBe(403)
    expect(await post(url, google.notice(changed(2), 'tv.other'), { authorization })).toBe(403)
    expect(await post(url, google.notice({ testNotification: { version: '1.0' } }), { authorization })).toBe(
      200,
    )
  })

  it('are reported again if Google does not answer', async () => {
    subscribe()
    await link(sent())
    google.fault = () => 500
    expect(await notify(changed(12))).toBeGreaterThanOrEqual(500)
    expect(await shop.plays(titles.houle)).toBe(0)
  })
})
