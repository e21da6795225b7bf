import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InputOf } from '@ondine/contract/operation'
import { optionsValidity } from '@ondine/contract/orders'
import { linkStorePurchase } from '@ondine/contract/store-purchases'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Settings } from '../src/env.ts'
import { grants } from '../src/features/rights/entitlements/entitlements.table.ts'
import type { Actor } from './builders.ts'
import { APPLE_APP, APPLE_BUNDLE, FakeAppStore } from './fake-app-store.ts'
import { FakeGooglePlay, GOOGLE_AUDIENCE, GOOGLE_PACKAGE, GOOGLE_SENDER } from './fake-google-play.ts'
import { Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'
import { soldTitles } from './sold-titles.ts'

/** Offers of the tests. */
export const SOLD = `
packages:
  - { key: cinema, name: { fra: Cinéma }, titles: [La Houle] }
  - { key: sport, name: { fra: Sport }, titles: [Le Match] }
  - { key: recent, name: { fra: Nouveautés }, titles: [Encre, Sel] }
offers:
  - { key: cinema-monthly, type: subscription, name: { fra: Cinéma }, price: "8.99", every: month, plan: cinema, packages: [cinema], externalIds: { apple: tv.cinema, google: cinema } }
  - { key: sport, type: subscription, name: { fra: Sport }, price: "5.00", every: month, packages: [sport], externalIds: { apple: tv.sport, google: sport } }
  - { key: ultra, type: subscription, name: { fra: Ultra HD }, price: "2.00", every: month, packages: [cinema], requires: [cinema-monthly] }
  - { key: rental, type: transactional, name: { fra: Location }, price: "3.99", class: recent, hours: 48, externalIds: { apple: tv.rental, google: rental } }
`

/** Fields in which an app reports a purchase in its device's store. */
export type Sent = InputOf<typeof linkStorePurchase>

/**
 * Creates a service that sells `SOLD` and accepts purchases from the app stores, for the tests of a `describe`
 * block. Fake stores replace Apple's and Google's.
 */
export function storePurchasesScene(kind: DatabaseKind) {
  const store = new FakeAppStore()
  const google = new FakeGooglePlay()
  const settings: Partial<Settings> = {
    SANDBOX_PAYMENTS: true,
    TOKEN_HOURS: 24 * 30,
    APPLE_BUNDLE_ID: APPLE_BUNDLE,
    APPLE_APP_ID: APPLE_APP,
    APPLE_REVOCATION_CHECKS: false,
    GOOGLE_PACKAGE_NAME: GOOGLE_PACKAGE,
    GOOGLE_NOTICE_AUDIENCE: GOOGLE_AUDIENCE,
    GOOGLE_NOTICE_ACCOUNT: GOOGLE_SENDER,
  }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-stores-'))
    settings.APPLE_ROOT_CERTIFICATE = join(folder, 'root.cer')
    settings.GOOGLE_SERVICE_ACCOUNT = join(folder, 'account.json')
    await writeFile(settings.APPLE_ROOT_CERTIFICATE, store.root.certificate)
    await writeFile(settings.GOOGLE_SERVICE_ACCOUNT, google.keyFile)
    settings.GOOGLE_API_BASE = await google.start()
  })
  const scene = testScene(kind, { settings })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  /** Number that each test includes in its ids, so that no two tests use the same id. */
  const run = { serial: 0 }

  beforeAll(async () => await shop.sell(SOLD))
  beforeEach(() => {
    run.serial++
    google.requests.length = 0
  })
  afterEach(() => {
    google.fault = () => undefined
    at(NOON)
  })
  afterAll(async () => {
    await google.stop()
    await rm(folder, { recursive: true })
  })

  const at = (time: number) => scene.service.clock.set(time)
  const link = async (sent: Sent, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.call(linkStorePurchase, sent, tokens)
  const codeOf = async (sent: Sent, actor?: Pick<Actor, 'tokens'>) => (await link(sent, actor)).error.code
  const rightsOf = async ({ account } = scene.actor) =>
    await scene.service.context.db.select().from(grants).where(eq(grants.accountId, account.id))
  const validity = async ({ tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(optionsValidity, {}, tokens)).result
  const post = async (url: string, payload: string, headers: Record<string, string> = {}) =>
    (
      await scene.service.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      })
    ).statusCode

  return { store, google, scene, shop, titles, run, at, link, codeOf, rightsOf, validity, post }
}
