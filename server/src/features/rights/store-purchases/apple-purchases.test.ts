import { anonymizeMe } from '@ondine/contract/account-calls'
import { listOptions } from '@ondine/contract/orders'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { APPLE_BUNDLE, type AppleNotice, FakeAppStore } from '../../../../test/fake-app-store.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { type Sent, SOLD, storePurchasesScene } from '../../../../test/store-purchases-scene.ts'
import { rowsOf } from '../../../database/rows.ts'
import { orders } from '../orders/orders.table.ts'
import { renewSubscriptions } from '../orders/renewals.service.ts'
import { storePurchases } from './store-purchases.table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Length of a subscription period in the fake store. */
const PERIOD_MS = 7 * DAY_MS
const NO_RIGHTS = -11

describe.each(MAIN_DB)('purchases in Apple’s store, on a database of kind %s', (kind) => {
  const { store, scene, shop, titles, run, at, link, codeOf, rightsOf, validity, post } =
    storePurchasesScene(kind)

  const original = () => `2000000${run.serial}000`
  /** Returns the App Store's transaction for one period of a subscription. Period 0 begins at noon. */
  const period = (number = 0, productId = 'tv.cinema') => ({
    transactionId: number === 0 ? original() : `2000000${run.serial}00${number}`,
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

  it('A7.3-01 A1-01 A3-23 give the rights of the product’s offer, until the store says that it ends', async () => {
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

  it('A7.3-01 belong to one account, also with concurrent links', async () => {
    const actors = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => await scene.make.actor()))
    const codes = await Promise.all(actors.map(async (actor) => await codeOf(sent(period()), actor)))
    expect(codes.toSorted((one, other) => one - other)).toEqual([-2333, -2333, -2333, -2333, -2333, 0])
    const playing = await Promise.all(actors.map(async (actor) => await shop.plays(titles.houle, actor)))
    expect(playing.map((code) => code === 0)).toEqual(codes.map((code) => code === 0))
  })

  it('A7.1-24 appear among the offers of the account', async () => {
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

  it('A8.1-04 prevent buying their plan again, and allow buying its options', async () => {
    await link(sent(period()))
    expect((await shop.add(['cinema-monthly'])).error.code).toBe(-1102)
    expect((await shop.add(['ultra'])).error.code).toBe(0)
  })

  it.each([
    ['renews with it', true],
    ['ends without it', false],
  ])('of a plan keep the option that was bought here: it %s', async (_what, isRenewed) => {
    const monthLater = Date.UTC(2026, 1, 15, 12)
    await link(sent(period()))
    await shop.buy(['ultra'])
    expect((await shop.onlySubscription()).next.step).toBe('renews')
    // The fourth week goes past the end of the option's first month.
    if (isRenewed) await link(sent(period(4)))
    at(monthLater)
    await renewSubscriptions({
      ...shop.parts,
      originOf: () => 'http://localhost',
      mail: { order: async () => {} },
    })
    const { context } = scene.service
    const renewals = await context.db
      .select({ state: orders.state })
      .from(orders)
      .where(and(eq(orders.accountId, scene.actor.account.id), isNotNull(orders.periodId)))
    expect(renewals).toEqual(isRenewed ? [{ state: 'executed' }] : [])
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
      'without a signed transaction',
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
    // The fields have wrong types: a client without type checks may send them.
    const wrong = { ...sent(period()), ...fields } as unknown as Sent
    expect(await codeOf(wrong)).toBe(code)
    expect(await rightsOf()).toEqual([])
  })

  it('are refused for a product without an offer', async () => {
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
    // The rental was bought for one title. A different title that the app sends later is ignored.
    expect((await link(sent(rental(), { ...params, contentId: titles.sel }))).status).toBe(200)
    expect(await shop.plays(titles.sel)).toBe(NO_RIGHTS)
    expect(await rightsOf()).toMatchObject([
      { source: 'store', assetId: titles.encre, slotSeconds: 48 * 3600 },
    ])
  })

  it('continue when they are renewed, in whatever order and however often that is reported', async () => {
    await link(sent(period()))
    const renewals = [2, 1, 2, 1].map((number) => period(number))
    for (const renewal of renewals) expect(await notify(renewal, { notificationType: 'DID_RENEW' })).toBe(200)
    expect(await rightsOf()).toHaveLength(3)
    for (const time of [0, PERIOD_MS, 2 * PERIOD_MS, 3 * PERIOD_MS - 1]) {
      at(NOON + time)
      expect(await shop.plays(titles.houle), String(time)).toBe(0)
    }
    at(NOON + 3 * PERIOD_MS)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it('that were reported before are given once they are linked', async () => {
    expect(await notify(period(), { notificationType: 'SUBSCRIBED' })).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    await link(sent(period()))
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('end when the store revokes them, and earlier statements change nothing', async () => {
    await link(sent(period()))
    const refunded = { ...period(), signedDate: NOON + HOUR_MS, revocationDate: NOON + HOUR_MS }
    at(NOON + HOUR_MS)
    expect(await notify(refunded, { notificationType: 'REFUND' })).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    expect(await notify(period(), { notificationType: 'SUBSCRIBED' })).toBe(200)
    expect((await link(sent(period()))).result).toMatchObject({ isActive: false })
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
    const reversed = { ...period(), signedDate: NOON + 2 * HOUR_MS }
    for (const _ of [1, 2]) expect(await notify(reversed, { notificationType: 'REFUND_REVERSED' })).toBe(200)
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('that were revoked before they are linked give nothing', async () => {
    const revoked = { ...period(), signedDate: NOON + HOUR_MS, revocationDate: NOON + HOUR_MS }
    expect(await notify(revoked, { notificationType: 'REVOKE' })).toBe(200)
    expect((await link(sent(period()))).result).toMatchObject({ isActive: false })
    expect(await shop.plays(titles.houle)).toBe(NO_RIGHTS)
  })

  it('end a revoked rental at once', async () => {
    const params = { contentId: titles.encre, contentType: 'VOD_ASSET' } as const
    await link(sent(rental(), params))
    const refunded = { ...rental(), signedDate: NOON + 1, revocationDate: NOON + 1 }
    expect(await notify(refunded, { notificationType: 'REFUND' })).toBe(200)
    expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
  })

  it('play while the store retries the charge, and no longer', async () => {
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

  it('A4.1-01 without renewal are cancelled, and play until their end', async () => {
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

  it('give the other plan after a change in the store, in either order', async () => {
    const upgraded = { ...period(1, 'tv.sport'), purchaseDate: NOON + DAY_MS, signedDate: NOON + DAY_MS }
    at(NOON + DAY_MS)
    for (const order of [
      [period(), upgraded],
      [upgraded, period()],
    ]) {
      const actor = await scene.make.actor()
      run.serial++
      const own = order.map((each) => ({ ...each, originalTransactionId: original() }))
      for (const each of own) expect(await codeOf(sent(each), actor)).toBe(0)
      expect(await shop.plays(titles.match, actor)).toBe(0)
      expect(await shop.plays(titles.houle, actor)).toBe(NO_RIGHTS)
    }
  })

  it('keep their terms when the offer changes, also if the product is no longer sold', async () => {
    onTestFinished(async () => await shop.sell(SOLD))
    await link(sent(period()))
    await shop.sell(SOLD.replace('[cinema], externalIds: { apple: tv.cinema, google: cinema }', '[sport]'))
    await notify(period(1), { notificationType: 'DID_RENEW' })
    at(NOON + PERIOD_MS)
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  it('A7.1-10 are named to the operator who deletes their account, while the store renews them', async () => {
    const { email } = scene.actor.account
    const said = async () => await runCommand(scene.service, 'accounts delete', [email])
    expect(await said()).not.toContain('does not cancel')
    await link(sent(period()))
    expect(await said()).toContain(
      'does not cancel the plan cinema-monthly. Its buyer is charged until it is cancelled with the App Store.',
    )
    await notify(
      { ...period(), signedDate: NOON + 1 },
      { notificationType: 'DID_CHANGE_RENEWAL_STATUS', renewal: { autoRenewStatus: 0 } },
    )
    expect(await said()).not.toContain('does not cancel')
  })

  it('can be linked to another account once theirs was deleted', async () => {
    const leaver = await scene.make.actor()
    await link(sent(period()), leaver)
    const { status } = await scene.service.call(anonymizeMe, {}, leaver.tokens)
    expect(status).toBe(200)
    expect(await codeOf(sent(period()))).toBe(0)
    expect(await shop.plays(titles.houle)).toBe(0)
  })

  if (kind === 'postgresql')
    describe('while their account is being deleted', () => {
      /** Returns how many SQL statements in this database contain `words` and wait for a lock. */
      const waiting = async (words: string) => {
        const rows = await rowsOf(
          scene.service.context.db,
          sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query ilike ${`%${words}%`}`,
        )
        return rows.length
      }
      /**
       * Deletes an account while `meanwhile` waits for the lock on the account's purchase.
       *
       * @returns the HTTP status of each call
       */
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

  it('that were bought once stay with their deleted account', async () => {
    const params = { contentId: titles.encre, contentType: 'VOD_ASSET' } as const
    const leaver = await scene.make.actor()
    await link(sent(rental(), params), leaver)
    expect((await scene.service.call(anonymizeMe, {}, leaver.tokens)).status).toBe(200)
    expect(await codeOf(sent(rental(), params))).toBe(-2333)
    expect(await shop.plays(titles.encre)).toBe(NO_RIGHTS)
    expect(await rightsOf()).toEqual([])
  })

  it('are reported only by Apple', async () => {
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
    // Apple sends a notification without a purchase to test the address.
    expect(await post('/payments/apple/notices', store.notify(undefined, { notificationType: 'TEST' }))).toBe(
      200,
    )
    expect(await notify(period(0, 'tv.nothing'), { notificationType: 'SUBSCRIBED' })).toBe(200)
  })
})
