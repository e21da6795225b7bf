import { refreshSubscriptions, subscriptionSession } from '@ondine/contract/subscription-service'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Settings } from '../src/env.ts'
import { grants } from '../src/features/rights/entitlements/entitlements.table.ts'
import { openSubscriptionService } from '../src/features/rights/subscription-service/open-subscription-service.ts'
import type { TakeParts } from '../src/features/rights/subscription-service/service-subscriptions.service.ts'
import type { Actor } from './builders.ts'
import { changeConfigurationOf } from './configuration.ts'
import { FakeCleeng } from './fake-cleeng.ts'
import { Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'
import { soldTitles } from './sold-titles.ts'

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
  - { key: over, type: subscription, name: { fra: Fini }, price: "1.00", every: month, packages: [sport], downloads: true, maximumHeight: 720, validTo: "2025-12-31", externalIds: { cleeng-type: S222222222 } }
  - { key: rental, type: transactional, name: { fra: Location }, price: "3.99", class: recent, externalIds: { cleeng-type: R333333333 } }
`
const THERE = { 'offers.subscription': 'cleeng-type' }

/** Creates a service whose plans are sold by a third-party subscription service, for the tests of a `describe` block. */
export function subscriptionServiceScene(kind: DatabaseKind, own: Partial<Settings> = {}) {
  const cleeng = new FakeCleeng()
  // Completed before the service starts.
  const settings: Partial<Settings> = { SANDBOX_PAYMENTS: true, ...own }
  beforeAll(async () => {
    Object.assign(settings, await cleeng.start())
  })
  afterAll(async () => await cleeng.stop())

  const scene = testScene(kind, { settings })
  const purchases = new Purchases(scene)
  const titles = soldTitles(scene)
  let undo: (() => Promise<void>)[]

  beforeAll(async () => await purchases.sell(SOLD))
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

  return { cleeng, scene, purchases, configure, open, refresh, monthly, plays, rights, parts }
}
