import { anonymizeMe } from '@ondine/contract/account-calls'
import { availableOffers } from '@ondine/contract/offers'
import { listOptions, OFFER_VALIDITY, optionsValidity } from '@ondine/contract/orders'
import { refreshSubscriptions, subscriptionSession } from '@ondine/contract/subscription-service'
import { and, eq, inArray, lte } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { changeConfigurationOf } from '../../../test/configuration.ts'
import { CHECKOUT_URL, FakeCleeng, PUBLISHER_ID } from '../../../test/fake-cleeng.ts'
import { Purchases } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import type { Settings } from '../../env.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { openSubscriptionService } from './open-subscription-service.ts'
import type { TakeParts } from './service-subscriptions.ts'
import { serviceCustomers } from './subscription-service.table.ts'
import { checkServiceSubscriptions } from './subscription-service-jobs.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = NOON / 1000
const CINEMA = 'S111111111_FR'

const SOLD = `
packages:
  - { key: cinema, name: { fra: Cinéma }, titles: [La Houle] }
  - { key: sport, name: { fra: Sport }, titles: [Le Match] }
  - { key: recent, name: { fra: Nouveautés }, titles: [Encre] }
offers:
  - { key: cinema, type: subscription, name: { fra: Cinéma }, price: "8.99", every: month, packages: [cinema], externalIds: { cleeng-type: S111111111 } }
  - { key: sport, type: subscription, name: { fra: Sport }, price: "5.00", every: month, packages: [sport], externalIds: { apple: tv.sport } }
  - { key: over, type: subscription, name: { fra: Fini }, price: "1.00", every: month, packages: [sport], validTo: "2025-12-31", externalIds: { cleeng-type: S222222222 } }
  - { key: rental, type: transactional, name: { fra: Location }, price: "3.99", class: recent, externalIds: { cleeng-type: R333333333 } }
`

const THERE = { 'offers.subscription': 'cleeng-type' }

describe.each(DATABASES)('a third-party subscription service, on a database of kind %s', (kind) => {
  const cleeng = new FakeCleeng()
  // Filled before the service starts.
  const settings: Partial<Settings> = { SANDBOX_PAYMENTS: true }
  beforeAll(async () => {
    Object.assign(settings, await cleeng.start())
  })
  afterAll(async () => await cleeng.stop())

  const scene = testScene(kind, { settings })
  let purchases: Purchases
  let titles: SoldTitles
  let undo: (() => Promise<void>)[]

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    purchases = new Purchases(scene)
    await purchases.sell(SOLD)
  })
  beforeEach(async () => {
    scene.service.clock.set(NOON)
    undo = []
    await configure(THERE)
  })
  afterEach(async () => {
    cleeng.fault = () => undefined
    cleeng.delay = async () => {}
    cleeng.requests.length = 0
    for (const each of undo.toReversed()) await each()
  })

  async function configure(fields: Record<string, unknown>): Promise<void> {
    const changed = await changeConfigurationOf(scene.service, fields)
    undo.push(changed.undo)
  }
  const open = async (offer?: string, actor: Actor = scene.actor) =>
    await scene.service.call(
      subscriptionSession,
      offer === undefined ? {} : { offerId: purchases.idOf(offer) },
      actor.tokens,
    )
  const refresh = async (actor: Actor = scene.actor) =>
    await scene.service.call(refreshSubscriptions, {}, actor.tokens)
  const monthly = (fields: object = {}) => ({
    offerId: CINEMA,
    status: 'active',
    startedAt: NOW - DAY,
    expiresAt: NOW + 30 * DAY,
    subscriptionId: 5,
    ...fields,
  })
  const plays = async (actor: Actor = scene.actor) => (await purchases.plays(titles.houle, actor)) === 0
  const rights = async () =>
    await scene.service.context.db
      .select()
      .from(grants)
      .where(eq(grants.accountId, scene.actor.account.id))
      .orderBy(grants.id)
  const parts = (): TakeParts & Pick<typeof scene.service.context, 'log'> => {
    const { db, clock, log, offers: book, settings: read } = scene.service.context
    const service = openSubscriptionService(read)
    if (!service) throw new Error('There is no subscription service.')
    return { db, clock, log, service, book, country: 'FR' }
  }

  it('A7.3-15 A5-30 signs an account in there, and makes its customer the first time', async () => {
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

  it('A7.3-15 many at once make one customer', async () => {
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
  ])('A5-30 -506 for %s of the service; the next try is answered', async (_what, fault) => {
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

  it('A5-31 what waits in a cart is not listed any more, what was bought is', async () => {
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

  it('A4.8-11 nothing of it is bought here: neither the cart nor the payment takes it', async () => {
    expect((await purchases.add(['cinema'])).error.code).toBe(-1605)
    await configure({ 'offers.subscription': 'enabled' })
    expect((await purchases.add(['cinema'])).status).toBe(200)
    await configure(THERE)
    expect((await purchases.ask()).error.code).toBe(-1605)
  })

  it('A2.1-24 refuses offers that are not sold there, or that are held', async () => {
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

  it('A5-30 says that there is nothing where the operator sells in another way', async () => {
    for (const state of ['enabled', 'disabled', 'external']) {
      await configure({ 'offers.subscription': state })
      expect((await open('cinema')).status, state).toBe(404)
      expect((await refresh()).status, state).toBe(404)
    }
    expect(cleeng.requests).toEqual([])
  })

  it('A6-03 a suspended account is not signed in there', async () => {
    const suspended = await scene.make.actor({ status: 'SUSPENDED' })
    expect((await open('cinema', suspended)).error.code).toBe(-2409)
    expect((await refresh(suspended)).error.code).toBe(-2409)
    expect(cleeng.requests).toEqual([])
  })

  it('A4.8-11 what is held there is held here, however often it is asked for', async () => {
    await open('cinema')
    expect(await plays()).toBe(false)
    cleeng.holds(scene.actor.account.email, monthly())
    const optionIds = [purchases.idOf('cinema')]
    const answers = await Promise.all([refresh(), refresh(), refresh()])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await refresh()).result).toEqual({ optionIds })
    expect(await plays()).toBe(true)
    expect(await rights()).toHaveLength(1)
    const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
    expect(result).toMatchObject([
      { title: 'Cinéma', statusId: OFFER_VALIDITY.active, userValidityActive: true, cartPrice: null },
    ])
    expect((await open('cinema')).error.code).toBe(-1102)
    await configure({ 'offers.subscription': 'enabled' })
    expect((await purchases.add(['cinema'])).error.code).toBe(-1102)
  })

  it('A4.1-03 one that was cancelled there plays until its end, and may be resumed', async () => {
    await open('cinema')
    const { email } = scene.actor.account
    cleeng.holds(email, monthly())
    await refresh()
    cleeng.holds(email, monthly({ status: 'cancelled' }))
    await refresh()
    const validity = async () =>
      (await scene.service.call(optionsValidity, {}, scene.actor.tokens)).result.map(
        ({ statusId }) => statusId,
      )
    expect(await validity()).toEqual([OFFER_VALIDITY.cancelled])
    expect(await plays()).toBe(true)
    cleeng.holds(email, monthly())
    await refresh()
    expect(await validity()).toEqual([OFFER_VALIDITY.active])
    cleeng.holds(email, monthly({ status: 'cancelled' }))
    await refresh()
    scene.service.clock.set(NOON + 30 * DAY * 1000)
    expect(await plays()).toBe(false)
  })

  it('A4.8-11 the job hears of renewals, and of what was taken back', async () => {
    const { email } = scene.actor.account
    const set = (seconds: number) => scene.service.clock.set((NOW + seconds) * 1000)
    await open('cinema')
    cleeng.holds(email, monthly())
    // The page said nothing.
    expect(await checkServiceSubscriptions(parts())).toBe(0)
    set(300)
    expect(await checkServiceSubscriptions(parts())).toBeGreaterThan(0)
    expect(await plays()).toBe(true)
    set(30 * DAY - 1)
    await checkServiceSubscriptions(parts())
    cleeng.holds(email, monthly({ expiresAt: NOW + 60 * DAY }))
    set(30 * DAY + 60)
    expect(await plays()).toBe(true)
    await checkServiceSubscriptions(parts())
    set(59 * DAY)
    expect(await plays()).toBe(true)
    cleeng.holds(email)
    await checkServiceSubscriptions(parts())
    expect(await plays()).toBe(false)
  })

  /** Makes customers whose time came at noon, the last of them longest ago. @returns their accounts */
  const makeDue = async (count: number): Promise<number[]> => {
    const { db } = scene.service.context
    const rows = await db
      .insert(accounts)
      .values(
        Array.from({ length: count }, (_, number) => ({
          storefrontId: scene.actor.account.storefrontId,
          email: `due-${number}-${scene.actor.account.email}`,
        })),
      )
      .returning({ id: accounts.id })
    const ids = rows.map(({ id }) => id)
    await db.insert(serviceCustomers).values(
      ids.map((accountId, number) => ({
        accountId,
        customerId: `due-${accountId}`,
        email: `due-${accountId}@example.org`,
        checkAt: NOON - number,
      })),
    )
    return ids
  }
  const stillDue = async (ids: readonly number[]) =>
    await scene.service.context.db
      .select({ accountId: serviceCustomers.accountId })
      .from(serviceCustomers)
      .where(and(inArray(serviceCustomers.accountId, [...ids]), lte(serviceCustomers.checkAt, NOON)))
      .orderBy(serviceCustomers.accountId)

  it('A4.8-11 the job asks about all whose time has come in one run, also where the service is silent', async () => {
    await checkServiceSubscriptions(parts())
    const ids = await makeDue(110)
    cleeng.fault = () => 'silent'
    expect(await checkServiceSubscriptions(parts())).toBe(110)
    expect(await stillDue(ids)).toEqual([])
    expect(await checkServiceSubscriptions(parts())).toBe(0)
  })

  it('A4.8-11 the job stops between two customers when it is told to, and goes on the next time', async () => {
    await checkServiceSubscriptions(parts())
    const ids = await makeDue(3)
    const stop = new AbortController()
    cleeng.fault = () => {
      stop.abort()
      return 'silent'
    }
    await expect(checkServiceSubscriptions(parts(), stop.signal)).rejects.toThrow('aborted')
    expect((await stillDue(ids)).map(({ accountId }) => accountId)).toEqual(ids.slice(0, 2))
    expect(await checkServiceSubscriptions(parts())).toBe(2)
  })

  /** Runs the job so many seconds after noon. @returns whether it asked for what the account holds */
  const isAskedAt = async (seconds: number): Promise<boolean> => {
    scene.service.clock.set((NOW + seconds) * 1000)
    cleeng.requests.length = 0
    await checkServiceSubscriptions(parts())
    return cleeng.requests.includes(
      `GET /customers/${cleeng.customers.get(scene.actor.account.email)}/offers`,
    )
  }

  it('A4.8-11 a purchase that the service lists late is found within minutes', async () => {
    await open('cinema')
    expect(await isAskedAt(5 * MINUTE)).toBe(true)
    cleeng.holds(scene.actor.account.email, monthly())
    expect(await plays()).toBe(false)
    expect(await isAskedAt(10 * MINUTE)).toBe(true)
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 a purchase is looked for every five minutes for an hour, then every six hours', async () => {
    await open('cinema')
    for (let minutes = 5; minutes <= 60; minutes += 5) {
      expect(await isAskedAt(minutes * MINUTE - 1), String(minutes)).toBe(false)
      expect(await isAskedAt(minutes * MINUTE), String(minutes)).toBe(true)
    }
    expect(await isAskedAt(7 * HOUR - 1)).toBe(false)
    expect(await isAskedAt(7 * HOUR)).toBe(true)
  })

  it('A4.8-11 the page that says too early that something was bought delays nothing', async () => {
    await open('cinema')
    scene.service.clock.set((NOW + 4 * MINUTE) * 1000)
    expect((await refresh()).result).toEqual({ optionIds: [] })
    expect(await isAskedAt(5 * MINUTE)).toBe(true)
  })

  it('A4.8-11 a checkout that is opened while the service is asked delays nothing', async () => {
    await open('cinema')
    scene.service.clock.set((NOW + 2 * HOUR) * 1000)
    cleeng.delay = async () => {
      cleeng.delay = async () => {}
      await open('cinema')
    }
    await refresh()
    expect(await isAskedAt(2 * HOUR + 5 * MINUTE)).toBe(true)
  })

  it.each([
    ['lists it with its old end', [monthly({ expiresAt: NOW + DAY })]],
    ['does not list it meanwhile', []],
  ])('A4.8-11 a renewal is found within minutes when the service %s', async (_what, meanwhile) => {
    const { email } = scene.actor.account
    await open('cinema')
    cleeng.holds(email, monthly({ expiresAt: NOW + DAY }))
    await refresh()
    await isAskedAt(DAY - 1)
    cleeng.holds(email, ...meanwhile)
    expect(await isAskedAt(DAY)).toBe(true)
    cleeng.holds(email, monthly({ expiresAt: NOW + 31 * DAY }))
    expect(await isAskedAt(DAY + 5 * MINUTE)).toBe(true)
    scene.service.clock.set((NOW + DAY + 2 * HOUR) * 1000)
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 a renewal that does not come is looked for during one hour', async () => {
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly({ expiresAt: NOW + DAY }))
    await refresh()
    await isAskedAt(DAY - 1)
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      expect(await plays(), String(minutes)).toBe(true)
      expect(await isAskedAt(DAY + minutes * MINUTE), String(minutes)).toBe(true)
    }
    expect(await plays()).toBe(false)
    expect(await isAskedAt(DAY + 7 * HOUR - 1)).toBe(false)
  })

  it('A4.8-11 while the service is silent rights stay as they are, and it is asked again later', async () => {
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly())
    await refresh()
    cleeng.fault = () => 'silent'
    scene.service.clock.set(NOON + DAY * 1000)
    expect(await checkServiceSubscriptions(parts())).toBeGreaterThan(0)
    expect(await checkServiceSubscriptions(parts())).toBe(0)
    expect(await plays()).toBe(true)
    scene.service.clock.set(NOON + DAY * 1000 + 600_000)
    expect(await checkServiceSubscriptions(parts())).toBeGreaterThan(0)
  })

  it.each([
    ['a status that gives no access', { status: 'expired' }],
    ['one that is over', { expiresAt: NOW - 2 * DAY }],
    ['an offer that is not sold here', { offerId: 'S999999999_FR' }],
    ['an id of another store', { offerId: 'tv.sport' }],
    ['a status that no table has', { status: 'constructor' }],
  ])('A4.8-11 gives nothing for %s', async (_what, fields) => {
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly(fields))
    expect((await refresh()).result).toEqual({ optionIds: [] })
    expect(await rights()).toEqual([])
  })

  it.each([
    ['no list', { responseData: {} }],
    ['a subscription without an end', { responseData: { items: [{ offerId: CINEMA, status: 'active' }] } }],
    ['a time that is none', { responseData: { items: [{ ...monthly(), expiresAt: 1e300 }] } }],
  ])('A4.8-11 -506 for an answer with %s: rights stay as they are', async (_what, body) => {
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly())
    await refresh()
    cleeng.fault = (request) => (request.startsWith('GET') ? { status: 200, body } : undefined)
    expect((await refresh()).error.code).toBe(-506)
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 an answer that was overtaken by a later one changes nothing', async () => {
    const { email } = scene.actor.account
    await open('cinema')
    cleeng.holds(email, monthly())
    let go = (): void => {}
    let isAsked = (): void => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    cleeng.delay = async () => {
      cleeng.delay = async () => {}
      isAsked()
      await held
    }
    const slow = refresh()
    await asked
    cleeng.holds(email)
    await refresh()
    go()
    expect((await slow).result).toEqual({ optionIds: [] })
    expect(await plays()).toBe(false)
  })

  it('A4.8-11 a customer there belongs to one account, whatever address that gets', async () => {
    const { db } = scene.service.context
    const { email, id } = scene.actor.account
    const { customerId } = (await open('cinema')).result
    cleeng.holds(email, monthly())
    await db
      .update(accounts)
      .set({ email: `moved-${email}` })
      .where(eq(accounts.id, id))
    const other = await scene.make.actor()
    await db.update(accounts).set({ email }).where(eq(accounts.id, other.account.id))
    expect((await open('cinema', other)).error.code).toBe(-507)
    expect((await refresh(other)).error.code).toBe(-507)
    expect(await plays(other)).toBe(false)
    expect((await open('cinema')).result.customerId).toBe(customerId)
    await refresh()
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 an account that is deleted is asked about no more', async () => {
    const { db } = scene.service.context
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly())
    await refresh()
    const { status } = await scene.service.call(anonymizeMe, {}, scene.actor.tokens)
    expect(status).toBe(200)
    const { id } = scene.actor.account
    expect(await db.select().from(serviceCustomers).where(eq(serviceCustomers.accountId, id))).toEqual([])
    expect((await rights()).every(({ endedAt }) => endedAt !== null)).toBe(true)
  })
})

describe('without a subscription service', () => {
  const scene = testScene('embedded')

  it('A5-30 there is nothing to sign in to', async () => {
    const { undo } = await changeConfigurationOf(scene.service, THERE)
    for (const [operation, input] of [
      [subscriptionSession, {}],
      [refreshSubscriptions, {}],
    ] as const)
      expect((await scene.service.call(operation, input, scene.actor.tokens)).status).toBe(404)
    await undo()
  })
})
