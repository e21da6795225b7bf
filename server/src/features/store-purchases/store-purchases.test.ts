import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymizeMe } from '@ondine/contract/account-calls'
import type { InputOf } from '@ondine/contract/operation'
import { listOptions, optionsValidity } from '@ondine/contract/orders'
import { linkStorePurchase } from '@ondine/contract/store-purchases'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { APPLE_APP, APPLE_BUNDLE, type AppleNotice, FakeAppStore } from '../../../test/fake-app-store.ts'
import {
  FakeGooglePlay,
  GOOGLE_AUDIENCE,
  GOOGLE_PACKAGE,
  GOOGLE_SENDER,
  type GoogleSubscription,
} from '../../../test/fake-google-play.ts'
import { Purchases } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { rowsOf } from '../../database/rows.ts'
import type { Settings } from '../../env.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { openGooglePlay } from './open-stores.ts'
import { checkStorePurchases } from './store-purchases.service.ts'
import { storePurchases } from './store-purchases.table.ts'

const SOLD = `
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
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A period of the store. */
const PERIOD_MS = 7 * DAY_MS
const NO_RIGHTS = -11

describe.each(DATABASES)('purchases in the stores of devices, on a database of kind %s', (kind) => {
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
  let titles: SoldTitles
  /** Names what is new in each test. */
  let serial = 0

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell(SOLD)
  })
  beforeEach(() => {
    serial++
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
  type Sent = InputOf<typeof linkStorePurchase>
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

  describe('of Apple', () => {
    const original = () => `2000000${serial}000`
    /** A period of a plan; the first one begins at noon. */
    const period = (number = 0, productId = 'tv.cinema') => ({
      transactionId: number === 0 ? original() : `2000000${serial}00${number}`,
      originalTransactionId: original(),
      productId,
      purchaseDate: NOON + number * PERIOD_MS,
      expiresDate: NOON + (number + 1) * PERIOD_MS,
      signedDate: NOON + number * PERIOD_MS,
    })
    const rental = () => {
      const { expiresDate: _, ...transaction } = period(0, 'tv.rental')
      return transaction
    }
    type Transaction = Parameters<typeof store.sign>[0]
    const sent = (transaction: Transaction, content: Sent['transactionParams'] = {}, by = store): Sent => ({
      transactionId: transaction.transactionId,
      provider: 'apple',
      transactionParams: { signedTransaction: by.sign(transaction), ...content },
    })
    const notify = async (transaction: Transaction, notice: AppleNotice, by = store) =>
      await post('/payments/apple/notices', by.notify(transaction, notice))

    it('A7.3-01 A1-01 A3-23 give what the product is sold as, until the store says that it ends', async () => {
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      expect((await link(sent(period()))).result).toEqual({
        idOption: shop.idOf('cinema-monthly'),
        isActive: true,
        statusId: 10,
        userValidityFrom: NOON / 1000,
        userValidityTo: (NOON + PERIOD_MS) / 1000,
      })
      expect(await shop.plays(titles.houle)).toBe(0)
      expect(await shop.plays(titles.match)).toBe(NO_RIGHTS)
      at(NOON + PERIOD_MS - 1)
      expect(await shop.plays(titles.houle)).toBe(0)
      at(NOON + PERIOD_MS)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    })

    it('A7.3-01 answer the same when they are linked again, and give nothing twice', async () => {
      const first = await link(sent(period()))
      const again = await Promise.all([1, 2, 3, 4, 5].map(async () => await link(sent(period()))))
      for (const { result } of again) expect(result).toEqual(first.result)
      expect(await rightsOf()).toHaveLength(1)
    })

    it('A7.3-01 belong to one account, whoever links at once', async () => {
      const actors = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => await scene.make.actor()))
      const codes = await Promise.all(actors.map(async (actor) => await codeOf(sent(period()), actor)))
      expect(codes.toSorted((one, other) => one - other)).toEqual([-2333, -2333, -2333, -2333, -2333, 0])
      const playing = await Promise.all(actors.map(async (actor) => await shop.plays(titles.houle, actor)))
      expect(playing.map((code) => code === 0)).toEqual(codes.map((code) => code === 0))
    })

    it('A7.1-24 stand among the offers of the account', async () => {
      await link(sent(period()))
      const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(result).toMatchObject([
        {
          idOption: shop.idOf('cinema-monthly'),
          source: 'apple',
          statusId: 10,
          userValidityTo: (NOON + PERIOD_MS) / 1000,
        },
      ])
    })

    it('A8.1-04 keep their plan from being bought again, and let its options be', async () => {
      await link(sent(period()))
      expect((await shop.add(['cinema-monthly'])).error.code).toBe(-1102)
      expect((await shop.add(['ultra'])).error.code).toBe(0)
    })

    it('A8.1-07 are not linked to an account that is suspended', async () => {
      const suspended = await scene.make.actor({ status: 'SUSPENDED' })
      expect(await codeOf(sent(period()), suspended)).toBe(-2409)
      expect(await codeOf(sent(period()))).toBe(0)
    })

    it.each<[string, () => Sent]>([
      ['of another root', () => sent(period(), {}, new FakeAppStore())],
      [
        'without the mark of a signer',
        () => sent(period(), {}, new FakeAppStore({ root: store.root, signerMark: '1.2.3' })),
      ],
      [
        'without the mark of the authority',
        () => sent(period(), {}, new FakeAppStore({ root: store.root, authorityMark: '1.2.3' })),
      ],
      ['of another app', () => sent({ ...period(), bundleId: 'tv.other' })],
      ['of the sandbox', () => sent({ ...period(), environment: 'Sandbox' })],
      [
        'of Xcode, which verifies nothing',
        () => sent({ ...period(), environment: 'Xcode' }, {}, new FakeAppStore()),
      ],
      [
        'of local tests, which verify nothing',
        () => sent({ ...period(), environment: 'LocalTesting' }, {}, new FakeAppStore()),
      ],
      ['with another id', () => ({ ...sent(period()), transactionId: '1' })],
      [
        'that is no signed transaction',
        () => ({ ...sent(period()), transactionParams: { signedTransaction: 'a.b.c' } }),
      ],
      ['that is a plan without an end', () => sent({ ...rental(), productId: 'tv.cinema' })],
      [
        'that was changed',
        () => {
          const [header, , signature] = store.sign(period()).split('.')
          const payload = Buffer.from(
            JSON.stringify({ ...period(), bundleId: APPLE_BUNDLE, environment: 'Production' }),
          )
          const signedTransaction = `${header}.${payload.toString('base64url')}.${signature}`
          return { ...sent(period()), transactionParams: { signedTransaction } }
        },
      ],
    ])('A8.1-05 are refused %s', async (_what, make) => {
      expect(await codeOf(make())).toBe(-2109)
      expect(await rightsOf()).toEqual([])
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    })

    it.each([
      [{ transactionParams: {} }, -2108],
      [{ transactionParams: undefined }, -2108],
      [{ provider: 'amazon' }, -400],
      [{ transactionParams: 'x' }, -400],
      [{ transactionParams: { signedTransaction: 7 } }, -400],
      [{ transactionParams: { signedTransaction: 'x'.repeat(50_001) } }, -400],
      [{ transactionId: 'a b' }, -400],
    ])('A8.1-05 are refused with fields such as %j', async (fields, code) => {
      // As somebody may send them who keeps to no types.
      const wrong = { ...sent(period()), ...fields } as unknown as Sent
      expect(await codeOf(wrong)).toBe(code)
      expect(await rightsOf()).toEqual([])
    })

    it('are refused for a product that is not sold', async () => {
      expect(await codeOf(sent(period(0, 'tv.nothing')))).toBe(-1605)
      expect(
        await scene.service.context.db
          .select()
          .from(storePurchases)
          .where(eq(storePurchases.reference, original())),
      ).toEqual([])
    })

    it('A8.1-06 rent the title that the app names, from its first play on', async () => {
      const params = { contentId: titles.encre, contentType: 'VOD_ASSET' } as const
      expect(await codeOf(sent(rental()))).toBe(-3010)
      expect(await codeOf(sent(rental(), { contentId: titles.encre }))).toBe(-3011)
      expect(await codeOf(sent(rental(), { ...params, contentId: titles.houle }))).toBe(-404)
      expect(await codeOf(sent(rental(), { ...params, contentType: 'CHANNEL' }))).toBe(-404)
      expect(await rightsOf()).toEqual([])
      expect((await link(sent(rental(), params))).result).toMatchObject({
        isActive: true,
        userValidityTo: null,
      })
      expect(await shop.plays(titles.encre)).toBe(0)
      // It was bought for one title, whatever is sent later.
      expect((await link(sent(rental(), { ...params, contentId: titles.sel }))).status).toBe(200)
      expect(await shop.plays(titles.sel)).toBe(NO_RIGHTS)
      expect(await rightsOf()).toMatchObject([
        { source: 'store', assetId: titles.encre, slotSeconds: 48 * 3600 },
      ])
    })

    it('go on when they are renewed, whatever the order in which that is told, and how often', async () => {
      await link(sent(period()))
      const renewals = [2, 1, 2, 1].map((number) => period(number))
      for (const renewal of renewals)
        expect(await notify(renewal, { notificationType: 'DID_RENEW' })).toBe(200)
      expect(await rightsOf()).toHaveLength(3)
      for (const time of [0, PERIOD_MS, 2 * PERIOD_MS, 3 * PERIOD_MS - 1]) {
        at(NOON + time)
        expect(await shop.plays(titles.houle), String(time)).toBe(0)
      }
      at(NOON + 3 * PERIOD_MS)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    })

    it('that were told of first are given once they are linked', async () => {
      expect(await notify(period(), { notificationType: 'SUBSCRIBED' })).toBe(200)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      await link(sent(period()))
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('end when the store takes them back, and what it had said before changes nothing', async () => {
      await link(sent(period()))
      const refunded = { ...period(), signedDate: NOON + HOUR_MS, revocationDate: NOON + HOUR_MS }
      at(NOON + HOUR_MS)
      expect(await notify(refunded, { notificationType: 'REFUND' })).toBe(200)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      expect(await notify(period(), { notificationType: 'SUBSCRIBED' })).toBe(200)
      expect((await link(sent(period()))).result).toMatchObject({ isActive: false })
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      const reversed = { ...period(), signedDate: NOON + 2 * HOUR_MS }
      for (const _ of [1, 2])
        expect(await notify(reversed, { notificationType: 'REFUND_REVERSED' })).toBe(200)
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('that were taken back before they are linked give nothing', async () => {
      const revoked = { ...period(), signedDate: NOON + HOUR_MS, revocationDate: NOON + HOUR_MS }
      expect(await notify(revoked, { notificationType: 'REVOKE' })).toBe(200)
      expect((await link(sent(period()))).result).toMatchObject({ isActive: false })
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    })

    it('A rental that is taken back ends at once', async () => {
      const params = { contentId: titles.encre, contentType: 'VOD_ASSET' } as const
      await link(sent(rental(), params))
      const refunded = { ...rental(), signedDate: NOON + 1, revocationDate: NOON + 1 }
      expect(await notify(refunded, { notificationType: 'REFUND' })).toBe(200)
      expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
    })

    it('play while the store tries to charge, and no longer', async () => {
      await link(sent(period()))
      const signedDate = NOON + PERIOD_MS
      const grace = { autoRenewStatus: 1, gracePeriodExpiresDate: NOON + PERIOD_MS + 6 * DAY_MS } as const
      at(signedDate)
      await notify(
        { ...period(), signedDate },
        { notificationType: 'DID_FAIL_TO_RENEW', subtype: 'GRACE_PERIOD', renewal: grace },
      )
      at(NOON + PERIOD_MS + 6 * DAY_MS - 1)
      expect(await shop.plays(titles.houle)).toBe(0)
      at(NOON + PERIOD_MS + 6 * DAY_MS)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    })

    it('A4.1-01 that are not renewed any more are cancelled, and play until their end', async () => {
      await link(sent(period()))
      const change = async (autoRenewStatus: 0 | 1, signedDate: number) =>
        await notify(
          { ...period(), signedDate },
          { notificationType: 'DID_CHANGE_RENEWAL_STATUS', renewal: { autoRenewStatus } },
        )
      await change(0, NOON + 2)
      expect(await validity()).toEqual([{ optionId: shop.idOf('cinema-monthly'), statusId: 40 }])
      await change(1, NOON + 1)
      expect(await validity()).toEqual([{ optionId: shop.idOf('cinema-monthly'), statusId: 40 }])
      expect(await shop.plays(titles.houle)).toBe(0)
      await change(1, NOON + 3)
      expect(await validity()).toEqual([{ optionId: shop.idOf('cinema-monthly'), statusId: 10 }])
    })

    it('give the other plan once it was changed in the store, in either order', async () => {
      const upgraded = { ...period(1, 'tv.sport'), purchaseDate: NOON + DAY_MS, signedDate: NOON + DAY_MS }
      at(NOON + DAY_MS)
      for (const order of [
        [period(), upgraded],
        [upgraded, period()],
      ]) {
        const actor = await scene.make.actor()
        serial++
        const own = order.map((each) => ({ ...each, originalTransactionId: original() }))
        for (const each of own) expect(await codeOf(sent(each), actor)).toBe(0)
        expect(await shop.plays(titles.match, actor)).toBe(0)
        expect(await shop.plays(titles.houle, actor)).toBe(NO_RIGHTS)
      }
    })

    it('keep the terms they were bought by when their offer changes, and their product is not sold any more', async () => {
      onTestFinished(async () => await shop.sell(SOLD))
      await link(sent(period()))
      await shop.sell(SOLD.replace('[cinema], externalIds: { apple: tv.cinema, google: cinema }', '[sport]'))
      await notify(period(1), { notificationType: 'DID_RENEW' })
      at(NOON + PERIOD_MS)
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('can be linked by somebody else once their account was deleted', async () => {
      const leaver = await scene.make.actor()
      await link(sent(period()), leaver)
      const { status } = await scene.service.call(anonymizeMe, {}, leaver.tokens)
      expect(status).toBe(200)
      expect(await codeOf(sent(period()))).toBe(0)
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    describe.runIf(kind === 'postgresql')('when their account is deleted meanwhile', () => {
      /** Statements of this database that wait for a row that another transaction holds. */
      const waiting = async (words: string) => {
        const rows = await rowsOf(
          scene.service.context.db,
          sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query ilike ${`%${words}%`}`,
        )
        return rows.length
      }
      /** Deletes the account while `meanwhile` waits for its purchase. @returns the status of each */
      const deletedMeanwhile = async (leaver: Actor, meanwhile: () => Promise<number>) => {
        const { db } = scene.service.context
        const statuses = await db.transaction(async (tx) => {
          await tx
            .select({ id: storePurchases.id })
            .from(storePurchases)
            .where(eq(storePurchases.reference, original()))
            .for('update')
          const other = meanwhile()
          await expect.poll(async () => await waiting('store_purchases')).toBe(1)
          const deleted = scene.service.call(anonymizeMe, {}, leaver.tokens)
          await expect.poll(async () => await waiting('')).toBe(2)
          return { other, deleted }
        })
        return [await statuses.other, (await statuses.deleted).status]
      }

      it('are linked before it, and free afterwards', async () => {
        const leaver = await scene.make.actor()
        await link(sent(period()), leaver)
        expect(
          await deletedMeanwhile(leaver, async () => (await link(sent(period()), leaver)).status),
        ).toEqual([200, 200])
        expect(await codeOf(sent(period()))).toBe(0)
      })

      it('are renewed before it or after it, and free afterwards', async () => {
        const leaver = await scene.make.actor()
        await link(sent(period()), leaver)
        expect(
          await deletedMeanwhile(
            leaver,
            async () => await notify(period(1), { notificationType: 'DID_RENEW' }),
          ),
        ).toEqual([200, 200])
        at(NOON + PERIOD_MS)
        expect(await codeOf(sent(period(1)))).toBe(0)
        expect(await shop.plays(titles.houle)).toBe(0)
      })
    })

    it('that were bought once stay with their account when it is deleted', async () => {
      const params = { contentId: titles.encre, contentType: 'VOD_ASSET' } as const
      const leaver = await scene.make.actor()
      await link(sent(rental(), params), leaver)
      expect((await scene.service.call(anonymizeMe, {}, leaver.tokens)).status).toBe(200)
      expect(await codeOf(sent(rental(), params))).toBe(-2333)
      expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
      expect(await rightsOf()).toEqual([])
    })

    it('are told of by Apple alone', async () => {
      await link(sent(period()))
      const refunded = { ...period(), signedDate: NOON + HOUR_MS, revocationDate: NOON + HOUR_MS }
      const refund = { notificationType: 'REFUND' }
      expect(await notify(refunded, refund, new FakeAppStore())).toBe(403)
      expect(await notify({ ...refunded, bundleId: 'tv.other' }, refund)).toBe(403)
      expect(await notify({ ...refunded, environment: 'Sandbox' }, refund)).toBe(403)
      expect(await notify({ ...refunded, environment: 'Xcode' }, refund, new FakeAppStore())).toBe(403)
      expect(await notify(refunded, { ...refund, appAppleId: 7 })).toBe(403)
      for (const body of ['', 'x', '{}', '[]', '{"signedPayload":7}', '{"signedPayload":"a.b.c"}'])
        expect(await post('/payments/apple/notices', body), body).toBe(403)
      expect(await shop.plays(titles.houle)).toBe(0)
      // Apple tests the address with a notification about nothing.
      expect(
        await post('/payments/apple/notices', store.notify(undefined, { notificationType: 'TEST' })),
      ).toBe(200)
      expect(await notify(period(0, 'tv.nothing'), { notificationType: 'SUBSCRIBED' })).toBe(200)
    })
  })

  describe('of Google', () => {
    const token = () => `token-${serial}`
    const order = () => `GPA.0000-0000-${serial}`
    /** Puts a plan into the books of the store. */
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
    /** How Google was asked for the purchases of a test. */
    const asked = () =>
      google.requests.filter((request) => request.startsWith('GET') && request.includes(`/${token()}`))
    const acknowledged = () => google.requests.filter((request) => /:(?:acknowledge|consume)$/.test(request))

    it('A7.3-01 A1-01 A3-23 give what the product is sold as, and tell Google so once', async () => {
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

    it('change nothing while Google does not answer, and are linked later', async () => {
      subscribe()
      google.fault = () => 503
      expect(await codeOf(sent())).toBe(-505)
      expect(await rightsOf()).toEqual([])
      google.fault = () => undefined
      expect(await codeOf(sent())).toBe(0)
    })

    it('are given when Google cannot be told so, which is done later', async () => {
      subscribe()
      google.fault = (request) => (request.endsWith(':acknowledge') ? 503 : undefined)
      expect(await codeOf(sent())).toBe(0)
      expect(await shop.plays(titles.houle)).toBe(0)
      google.fault = () => undefined
      at(NOON + HOUR_MS)
      await check()
      expect(google.subscriptions.get(token())?.isAcknowledged).toBe(true)
    })

    it('go on when they are renewed, however often that is told', async () => {
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

    it('go on when nobody told of their renewal', async () => {
      subscribe()
      await link(sent())
      subscribe({ expiryTime: NOON + 2 * PERIOD_MS, orderId: `${order()}..0` })
      at(NOON + PERIOD_MS + HOUR_MS)
      expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
      await check()
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('go on within minutes when Google is late with their renewal', async () => {
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

    it('are asked for once a day when hours have passed since their end', async () => {
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

    it('are all asked for in one run, the longest overdue first', async () => {
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

    it('that were bought once stay with their account when it is deleted', async () => {
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

    it('A4.1-01 that are not renewed any more are cancelled, and play until their end', async () => {
      subscribe()
      await link(sent())
      subscribe({ state: 'CANCELED', renews: false })
      expect(await notify(changed(3))).toBe(200)
      expect(await validity()).toEqual([{ optionId: shop.idOf('cinema-monthly'), statusId: 40 }])
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it.each(['EXPIRED', 'ON_HOLD', 'PAUSED'])(
      'end in the state %s, and go on when they are paid',
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

    it('end when their order is given back, also one that was not heard of', async () => {
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

    it('that were bought once end when they are given back', async () => {
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

    it('that take the place of another in the store stay with its account', async () => {
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
    ])('are not told of with %s', async (_what, authorization) => {
      subscribe()
      await link(sent())
      google.requests.length = 0
      expect(await notify(voided(order()), authorization())).toBe(403)
      expect(await notify(changed(12), authorization())).toBe(403)
      expect(google.requests).toEqual([])
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('are not told of with bodies that are no notices, or of another app', async () => {
      const authorization = google.bearer()
      const url = '/payments/google/notices'
      const none = Buffer.from('x').toString('base64')
      for (const body of ['', 'x', '{}', '{"message":{"data":"?"}}', `{"message":{"data":"${none}"}}`])
        expect(await post(url, body, { authorization }), body).toBe(403)
      expect(await post(url, google.notice(changed(2), 'tv.other'), { authorization })).toBe(403)
      expect(
        await post(url, google.notice({ testNotification: { version: '1.0' } }), { authorization }),
      ).toBe(200)
    })

    it('are told again where Google does not answer', async () => {
      subscribe()
      await link(sent())
      google.fault = () => 500
      expect(await notify(changed(12))).toBeGreaterThanOrEqual(500)
      expect(await shop.plays(titles.houle)).toBe(0)
    })
  })
})
