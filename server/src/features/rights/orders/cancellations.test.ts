import {
  cancelSubscription,
  listSubscriptions,
  payRenewal,
  resumeSubscription,
} from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { emailsTo } from '../../../../test/emails.ts'
import { CARDS, RETURN } from '../../../../test/purchases.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_1, renewalScene } from '../../../../test/renewal-scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { startMailJobs } from '../../people/mail/mail.service.ts'
import { openPost } from '../../people/mail/mailer.ts'

describe.each(MAIN_DB)('a cancellation, on a database of kind %s', (kind) => {
  const { scene, shop, titles, db, at, work, list, only, renewals, subscribe, cancel, resume, payNow } =
    renewalScene(kind)

  it('A4.1-04 keeps access until the end of the paid period, and nothing renews', async () => {
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    expect((await cancel(id)).result).toMatchObject({
      statusId: 40,
      next: { step: 'ends', at: MONTH_1 / 1000 },
    })
    await work(MONTH_1 - 1)
    expect(await shop.plays(titles.houle)).toBe(0)
    await work(MONTH_1)
    expect(await shop.plays(titles.houle)).toBe(-11)
    expect([await renewals(), await list()]).toEqual([[], []])
  })

  it('is confirmed by e-mail each time, in the language of the account', async () => {
    const { context } = scene.service
    await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
    const { account } = scene.actor
    await db().update(accounts).set({ language: 'eng' }).where(eq(accounts.id, account.id))
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    await cancel(id)
    await emailsTo(context.settings.DATA_DIR, account.email, 1)
    await resume(id)
    await emailsTo(context.settings.DATA_DIR, account.email, 2)
    await cancel(id)
    const received = await emailsTo(context.settings.DATA_DIR, account.email, 3)
    expect(received.map(({ subject }) => subject)).toEqual([
      'Your Cinema subscription is cancelled',
      'Your Cinema subscription continues',
      'Your Cinema subscription is cancelled',
    ])
    expect(received[0]?.text).toContain('until 15 February 2026')
    expect(received[1]?.text).toContain('€8.99')
    expect(new URL(received[0]?.link ?? '').pathname).toBe('/account/products')
  })

  it('is not confirmed when the operator switches confirmations off', async () => {
    const { context } = scene.service
    await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    const change = await changeConfigurationOf(scene.service, {
      'offers.consumerRules.isCancellationConfirmed': false,
    })
    await cancel(id)
    await change.undo()
    await resume(id)
    await cancel(id)
    const received = await emailsTo(context.settings.DATA_DIR, scene.actor.account.email, 2)
    expect(received.map(({ subject }) => subject)).toEqual([
      'Votre abonnement Cinéma continue',
      'Votre abonnement Cinéma est résilié',
    ])
  })

  it('just before the renewal voids the opened period', async () => {
    await subscribe(['cinema-monthly'])
    await work(MONTH_1 - HOUR_MS)
    await cancel((await only()).id)
    await work(MONTH_1)
    expect(await renewals()).toEqual([])
    expect(await shop.plays(titles.houle)).toBe(-11)
  })

  it('just before the renewal also voids the opened period of an option', async () => {
    await subscribe(['cinema-monthly', 'ultra'])
    const [plan] = await list()
    await work(MONTH_1 - HOUR_MS / 2)
    await cancel(plan?.id ?? 0)
    await work(MONTH_1)
    expect([await renewals(), await list()]).toEqual([[], []])
  })

  it('can be undone until the end, and the subscription then renews', async () => {
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    await work(MONTH_1 - HOUR_MS)
    await cancel(id)
    expect((await resume(id)).result).toMatchObject({
      statusId: 10,
      next: { step: 'renews', amount: '8.99' },
    })
    await work(MONTH_1 - MINUTE_MS)
    at(MONTH_1)
    expect(await shop.plays(titles.houle)).toBe(0)
    await work(MONTH_1)
    expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
  })

  it('cannot be undone after the end', async () => {
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    await cancel(id)
    at(MONTH_1)
    expect((await resume(id)).error.code).toBe(-404)
    await subscribe(['cinema-monthly'])
  })

  it('of an unpaid period ends the access at once', async () => {
    await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
    await work(MONTH_1)
    expect((await cancel((await only()).id)).result).toBeNull()
    expect(await shop.plays(titles.houle)).toBe(-11)
    await work(MONTH_1 + 8 * DAY_MS)
    expect(await renewals()).toHaveLength(1)
  })

  it.each([
    ['fra', 'Votre abonnement Cinéma est résilié', 'a pris fin le 15 février 2026', /jusqu’au|reprendre/],
    ['eng', 'Your Cinema subscription is cancelled', 'ended on 15 February 2026', /until|resume/],
  ])('of an unpaid period is confirmed as an end, in %s', async (language, subject, says, never) => {
    const { context } = scene.service
    await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
    const { account } = scene.actor
    await db().update(accounts).set({ language }).where(eq(accounts.id, account.id))
    await subscribe(['cinema-monthly'], CARDS.failsAtRenewal)
    await work(MONTH_1)
    await cancel((await only()).id)
    const [received] = await emailsTo(context.settings.DATA_DIR, account.email, 1)
    expect(received?.subject).toBe(subject)
    expect(received?.text).toContain(says)
    expect(received?.text).not.toMatch(never)
  })

  it('changes nothing when it is repeated', async () => {
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    const answers = [await cancel(id), await cancel(id)]
    expect(answers.map(({ result }) => result?.statusId)).toEqual([40, 40])
    expect([(await resume(id)).result.statusId, (await resume(id)).result.statusId]).toEqual([10, 10])
  })

  it('is refused for the subscription of another account and for an unknown one', async () => {
    const other = await scene.make.actor()
    await subscribe(['cinema-monthly'], CARDS.good, other)
    const theirs = (await only(other)).id
    for (const id of [theirs, 999_999]) {
      expect((await cancel(id)).error.code).toBe(-404)
      expect((await resume(id)).error.code).toBe(-404)
      expect((await payNow(id)).error.code).toBe(-404)
    }
    expect((await only(other)).statusId).toBe(10)
  })

  it.each([cancelSubscription, resumeSubscription, payRenewal])(
    'by $path needs a valid id',
    async (operation) => {
      for (const subscriptionId of ['', '0', '-1', '1.5', 'x', '99999999999']) {
        const response = await scene.service.app.inject({
          method: 'POST',
          url: operation.path,
          headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({ subscriptionId, returnUrl: RETURN }).toString(),
        })
        expect(response.statusCode).toBe(400)
      }
    },
  )

  it('by a child needs the parental code', async () => {
    const child = await scene.make.actor({ profile: { kid: true } })
    for (const operation of [listSubscriptions, cancelSubscription, resumeSubscription, payRenewal]) {
      const fields = { subscriptionId: 1, returnUrl: RETURN }
      expect((await scene.service.call(operation, fields, child.tokens)).error.code).toBe(-1612)
    }
  })

  it('is possible for a suspended account', async () => {
    await subscribe(['cinema-monthly'])
    const { id } = await only()
    await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
    expect((await cancel(id)).result?.statusId).toBe(40)
    expect((await resume(id)).error.code).toBe(-2409)
    expect((await payNow(id)).error.code).toBe(-2409)
  })
})
