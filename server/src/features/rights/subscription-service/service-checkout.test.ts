import { availableOffers } from '@ondine/contract/offers'
import { listOptions } from '@ondine/contract/orders'
import { refreshSubscriptions, subscriptionSession } from '@ondine/contract/subscription-service'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { CHECKOUT_URL, PUBLISHER_ID } from '../../../../test/fake-cleeng.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { subscriptionServiceScene } from '../../../../test/subscription-service-scene.ts'

const THERE = { 'offers.subscription': 'cleeng-type' }

describe.each(MAIN_DB)('buying at a third-party subscription service, on a database of kind %s', (kind) => {
  const { cleeng, scene, purchases, configure, open, refresh } = subscriptionServiceScene(kind)

  it('A7.3-15 A5-30 signs an account in there, and creates its customer the first time', async () => {
    const first = await open('cinema')
    expect(first.status).toBe(200)
    const { jwt, refreshToken, customerId, ...rest } = first.result
    expect(rest).toEqual({ publisherId: PUBLISHER_ID, checkoutUrl: CHECKOUT_URL, offerId: 'S111111111' })
    expect([jwt, refreshToken].every((part) => part !== '')).toBe(true)
    expect(customerId).toBe(String(cleeng.customers.get(scene.actor.account.email)))
    expect(cleeng.requests).toEqual(['POST /sso/auths', 'POST /customers', 'POST /sso/auths'])
    expect((await open()).result).toMatchObject({ customerId, offerId: null })
    expect(cleeng.requests.slice(3)).toEqual(['POST /sso/auths'])
  })

  it('A7.3-15 concurrent calls create one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, async () => await open('cinema')))
    expect(new Set(answers.map(({ result }) => result.customerId)).size).toBe(1)
  })

  it.each([
    ['no answer', 'silent' as const],
    ['an error', { status: 500, body: {} }],
    ['a refused publisher token', { status: 401, body: { errors: ['Unauthorized'] } }],
    ['a redirect', { status: 302, body: {} }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no data', { status: 200, body: {} }],
    ['an empty jwt', { status: 200, body: { responseData: { jwt: '', refreshToken: 'r', customerId: 1 } } }],
    ['no refreshToken', { status: 200, body: { responseData: { jwt: 'j', customerId: 1 } } }],
    [
      'an empty refreshToken',
      { status: 200, body: { responseData: { jwt: 'j', refreshToken: '', customerId: 1 } } },
    ],
    [
      'an empty customerId',
      { status: 200, body: { responseData: { jwt: 'j', refreshToken: 'r', customerId: '' } } },
    ],
    ['a token that names nobody', { status: 200, body: { responseData: { jwt: 'j', refreshToken: 'r' } } }],
    [
      'a token of another kind',
      { status: 200, body: { responseData: { jwt: 'a.bnVsbA.c', refreshToken: 'r' } } },
    ],
  ])('A5-30 answers -506 for %s of the service, and answers the next try', async (_what, fault) => {
    cleeng.fault = () => fault
    expect(await open('cinema')).toMatchObject({ status: 502, error: { code: -506 } })
    expect(await refresh()).toMatchObject({ status: 502, error: { code: -506 } })
    cleeng.fault = () => undefined
    expect((await open('cinema')).status).toBe(200)
  })

  it('A5-31 lists only subscriptions with an id at the service', async () => {
    const keysOf = async () => {
      const { result } = await scene.service.call(
        availableOffers,
        { contentType: 'VOD_ASSET' },
        scene.actor.tokens,
      )
      return result.map(({ title }) => title)
    }
    expect(await keysOf()).toEqual(['Location', 'Cinéma'])
    await configure({ 'offers.transactional': 'cleeng-type' })
    expect(await keysOf()).toEqual(['Cinéma'])
    await configure({ 'offers.subscription': 'enabled', 'offers.transactional': 'enabled' })
    expect(await keysOf()).toEqual(['Location', 'Sport', 'Cinéma'])
  })

  it('A5-31 lists bought offers, but no longer those waiting in a cart', async () => {
    await configure({ 'offers.subscription': 'enabled' })
    const { orderId, action } = await purchases.order(['sport'])
    await purchases.pay(action)
    expect(await purchases.status(orderId)).toBe('executed')
    await purchases.add(['cinema'])
    const titlesOf = async () =>
      (await scene.service.call(listOptions, {}, scene.actor.tokens)).result.map(({ title }) => title)
    expect((await titlesOf()).sort()).toEqual(['Cinéma', 'Sport'])
    await configure({ ...THERE, 'offers.transactional': 'cleeng-type' })
    expect((await titlesOf()).sort()).toEqual(['Cinéma', 'Sport'])
    const other = await scene.make.actor()
    await configure({ 'offers.subscription': 'enabled' })
    await purchases.add(['sport'], undefined, other)
    await configure(THERE)
    const { result } = await scene.service.call(listOptions, {}, other.tokens)
    expect(result).toEqual([])
  })

  it('A4.8-11 sells none of its offers here: neither the cart nor the payment accepts them', async () => {
    expect((await purchases.add(['cinema'])).error.code).toBe(-1605)
    await configure({ 'offers.subscription': 'enabled' })
    expect((await purchases.add(['cinema'])).status).toBe(200)
    await configure(THERE)
    expect((await purchases.ask()).error.code).toBe(-1605)
  })

  it('A2.1-24 refuses offers that are not sold there, or that the account has', async () => {
    expect((await open('sport')).error.code).toBe(-404)
    expect((await open('rental')).error.code).toBe(-404)
    expect((await open('over')).error.code).toBe(-1605)
    const bad = async (offerId: number) =>
      (await scene.service.call(subscriptionSession, { offerId }, scene.actor.tokens)).status
    expect(await bad(999_999)).toBe(404)
    for (const offerId of [0, -1, 1.5, Number.NaN, 9_999_999_999]) expect(await bad(offerId)).toBe(400)
    const holder = await scene.make.actor({ packages: { cinema: {} } })
    expect((await open('cinema', holder)).error.code).toBe(-1102)
    expect(cleeng.requests).toEqual([])
  })

  it('A5-30 answers that there is nothing if the operator sells in another way', async () => {
    for (const state of ['enabled', 'disabled', 'external']) {
      await configure({ 'offers.subscription': state })
      expect((await open('cinema')).status, state).toBe(404)
      expect((await refresh()).status, state).toBe(404)
    }
    expect(cleeng.requests).toEqual([])
  })

  it('A6-03 does not sign in a suspended account', async () => {
    const suspended = await scene.make.actor({ status: 'SUSPENDED' })
    expect((await open('cinema', suspended)).error.code).toBe(-2409)
    expect((await refresh(suspended)).error.code).toBe(-2409)
    expect(cleeng.requests).toEqual([])
  })
})

describe('viewers at one address', () => {
  const { open, refresh, scene } = subscriptionServiceScene('embedded', { SIGN_IN_ATTEMPTS: 1 })

  it('V4-02 do not keep each other from a checkout by the starts of their visits', async () => {
    for (let start = 0; start < 6; start++) expect((await refresh()).status).toBe(200)
    expect((await refresh()).status).toBe(429)
    const other = await scene.make.actor()
    expect((await refresh(other)).status).toBe(200)
    expect((await open('cinema', other)).status).toBe(200)
  })
})

describe('without a subscription service', () => {
  const scene = testScene('embedded')

  it('A5-30 refuses to sign in', async () => {
    const { undo } = await changeConfigurationOf(scene.service, THERE)
    for (const [operation, input] of [
      [subscriptionSession, {}],
      [refreshSubscriptions, {}],
    ] as const)
      expect((await scene.service.call(operation, input, scene.actor.tokens)).status).toBe(404)
    await undo()
  })
})
