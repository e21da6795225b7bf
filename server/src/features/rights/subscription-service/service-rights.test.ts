import { anonymizeMe } from '@ondine/contract/account-calls'
import { listOptions, OFFER_VALIDITY, optionsValidity } from '@ondine/contract/orders'
import { and, eq, inArray, lte } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { subscriptionServiceScene } from '../../../../test/subscription-service-scene.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { serviceCustomers } from './subscription-service.table.ts'
import { checkServiceSubscriptions } from './subscription-service-jobs.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = NOON / 1000
const CINEMA = 'S111111111_FR'

describe.each(MAIN_DB)('subscriptions at a third-party service, on a database of kind %s', (kind) => {
  const { cleeng, scene, purchases, configure, open, refresh, monthly, plays, rights, parts } =
    subscriptionServiceScene(kind)

  it('A4.8-11 gives the rights of a subscription held there, however often it is queried', async () => {
    await open('cinema')
    expect(await plays()).toBe(false)
    cleeng.holds(scene.actor.account.email, monthly())
    const optionIds = [purchases.idOf('cinema')]
    const answers = await Promise.all([refresh(), refresh(), refresh()])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await refresh()).result).toEqual({ optionIds, hasChanged: false })
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

  it('V4-02 A4.3-05 the first sign-in there takes over what was bought there before, and says what has changed', async () => {
    const { email } = scene.actor.account
    cleeng.holds(email, monthly())
    expect(await plays()).toBe(false)
    const optionIds = [purchases.idOf('cinema')]
    expect((await refresh()).result).toEqual({ optionIds, hasChanged: true })
    expect(await plays()).toBe(true)
    expect((await refresh()).result).toEqual({ optionIds, hasChanged: false })
    cleeng.holds(email)
    expect((await refresh()).result).toEqual({ optionIds: [], hasChanged: true })
    expect(await plays()).toBe(false)
  })

  it('A3-18 A4.8-11 the rights allow downloads and heights as the terms of their offers say', async () => {
    const { email } = scene.actor.account
    cleeng.holds(email, monthly(), monthly({ offerId: 'S222222222_FR', subscriptionId: 6 }))
    await refresh()
    expect(await rights()).toMatchObject([
      { downloads: false, maximumHeight: null },
      { downloads: true, maximumHeight: 720 },
    ])
  })

  it('A4.1-03 a subscription cancelled there plays until its end, and can be resumed', async () => {
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

  it('A4.8-11 the job finds renewals and refunds', async () => {
    const { email } = scene.actor.account
    const set = (seconds: number) => scene.service.clock.set((NOW + seconds) * 1000)
    await open('cinema')
    cleeng.holds(email, monthly())
    // The checkout page has reported no purchase, so only the job can find the subscription.
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

  /** Runs the job `seconds` after noon. @returns whether the job queried the account's subscriptions */
  const isAskedAt = async (seconds: number): Promise<boolean> => {
    scene.service.clock.set((NOW + seconds) * 1000)
    cleeng.requests.length = 0
    await checkServiceSubscriptions(parts())
    return cleeng.requests.includes(
      `GET /customers/${cleeng.customers.get(scene.actor.account.email)}/offers`,
    )
  }

  it('A4.8-11 finds a purchase that the service lists late within minutes', async () => {
    await open('cinema')
    expect(await isAskedAt(5 * MINUTE)).toBe(true)
    cleeng.holds(scene.actor.account.email, monthly())
    expect(await plays()).toBe(false)
    expect(await isAskedAt(10 * MINUTE)).toBe(true)
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 queries a purchase every five minutes for an hour, then every six hours', async () => {
    await open('cinema')
    for (let minutes = 5; minutes <= 60; minutes += 5) {
      expect(await isAskedAt(minutes * MINUTE - 1), String(minutes)).toBe(false)
      expect(await isAskedAt(minutes * MINUTE), String(minutes)).toBe(true)
    }
    expect(await isAskedAt(7 * HOUR - 1)).toBe(false)
    expect(await isAskedAt(7 * HOUR)).toBe(true)
  })

  it('V4-02 queries an account that never bought anything once a week, besides its own starts', async () => {
    await refresh()
    // When an account becomes a customer, its first query is scheduled five minutes later.
    expect(await isAskedAt(5 * MINUTE)).toBe(true)
    expect(await isAskedAt(7 * HOUR)).toBe(false)
    expect(await isAskedAt(7 * DAY + 5 * MINUTE - 1)).toBe(false)
    expect(await isAskedAt(7 * DAY + 5 * MINUTE)).toBe(true)
  })

  it('A4.8-11 a page that reports a purchase too early delays nothing', async () => {
    await open('cinema')
    scene.service.clock.set((NOW + 4 * MINUTE) * 1000)
    expect((await refresh()).result).toEqual({ optionIds: [], hasChanged: false })
    expect(await isAskedAt(5 * MINUTE)).toBe(true)
  })

  it('A4.8-11 a checkout opened during a query delays nothing', async () => {
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
  ])('A4.8-11 finds a renewal within minutes when the service %s', async (_what, meanwhile) => {
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

  it('A4.8-11 queries a missing renewal for one hour', async () => {
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

  it('A4.8-11 keeps rights while the service does not answer, and queries it again later', async () => {
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
    expect((await refresh()).result).toEqual({ optionIds: [], hasChanged: false })
    expect(await rights()).toEqual([])
  })

  it.each([
    ['no list', { responseData: {} }],
    ['a subscription without an end', { responseData: { items: [{ offerId: CINEMA, status: 'active' }] } }],
    ['a time that is none', { responseData: { items: [{ ...monthly(), expiresAt: 1e300 }] } }],
  ])('A4.8-11 answers -506 for an answer with %s, and keeps rights', async (_what, body) => {
    await open('cinema')
    cleeng.holds(scene.actor.account.email, monthly())
    await refresh()
    cleeng.fault = (request) => (request.startsWith('GET') ? { status: 200, body } : undefined)
    expect((await refresh()).error.code).toBe(-506)
    expect(await plays()).toBe(true)
  })

  it('A4.8-11 ignores an answer that a later one has overtaken', async () => {
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
    expect((await slow).result).toEqual({ optionIds: [], hasChanged: false })
    expect(await plays()).toBe(false)
  })

  it('A4.8-11 a customer there belongs to one account, whatever account gets its address', async () => {
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

  /**
   * Creates customers whose query was due at noon or before. The last customer is the most overdue. @returns their
   * accounts
   */
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

  it('A4.8-11 the job queries all due customers in one run, even if the service does not answer', async () => {
    await checkServiceSubscriptions(parts())
    const ids = await makeDue(110)
    cleeng.fault = () => 'silent'
    expect(await checkServiceSubscriptions(parts())).toBe(110)
    expect(await stillDue(ids)).toEqual([])
    expect(await checkServiceSubscriptions(parts())).toBe(0)
  })

  it('A4.8-11 the job stops between two customers on request, and continues the next time', async () => {
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

  it('A4.8-11 no longer queries a deleted account', async () => {
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
