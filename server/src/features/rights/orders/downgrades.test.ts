import { listPaymentMethods } from '@ondine/contract/orders'
import { listReceipts } from '@ondine/contract/receipts'
import { resumeSubscription } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { emailsTo } from '../../../../test/emails.ts'
import { PLANS, planChangeScene } from '../../../../test/plan-change-scene.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { startMailJobs } from '../../people/mail/mail.service.ts'
import { openPost } from '../../people/mail/mailer.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { subscriptions } from './orders.table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** End of the first month of a subscription that is bought at noon of 15 January. The month has 31 days. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
const MONTH_2 = Date.UTC(2026, 2, 15, 12)
/** Middle of the first month. */
const HALF = NOON + 15.5 * DAY_MS

describe.each(MAIN_DB)('downgrades, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    db,
    at,
    work,
    list,
    only,
    subscribe,
    changeTo,
    change,
    upgrade,
    undo,
    cancel,
    renewals,
    faults,
  } = planChangeScene(kind)

  /** Removes the recorded card of the subscription with this title. */
  async function forgetCardOf(title: string): Promise<void> {
    const id = (await list()).find((each) => each.title === title)?.id ?? 0
    await db().update(subscriptions).set({ methodId: null }).where(eq(subscriptions.id, id))
  }

  it('are not charged for an option whose plan ends because it has no card', async () => {
    await subscribe(['small', 'option'])
    await forgetCardOf('Petit')
    expect((await list()).map(({ next }) => next.step)).toEqual(['ends', 'ends'])
    await work(MONTH_1)
    expect([await renewals(), await list()]).toEqual([[], []])
  })

  describe('a downgrade', () => {
    it('is noted, shown, and starts with the next period', async () => {
      const id = await subscribe(['large-yearly'])
      const end = Date.UTC(2027, 0, 15, 12)
      expect((await change(id, 'small', { paymentData: undefined })).result).toEqual({
        starts: 'nextPeriod',
        payment: null,
      })
      expect(await only()).toMatchObject({
        title: 'Grand',
        change: { idOption: shop.idOf('small'), title: 'Petit', periodicity: 'monthly' },
        next: { step: 'renews', at: end / 1000, amount: '6.00' },
      })
      await work(end - HOUR_MS)
      expect(await shop.plays(titles.match)).toBe(0)
      await work(end)
      expect(await only()).toMatchObject({
        id,
        title: 'Petit',
        change: null,
        periodicity: 'monthly',
        validTo: Date.UTC(2027, 1, 15, 12) / 1000,
      })
      expect([await shop.plays(titles.match), await shop.plays(titles.houle)]).toEqual([-11, 0])
      await work(Date.UTC(2027, 1, 15, 12))
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([
        ['executed', 600],
        ['executed', 600],
      ])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2027, 2, 15, 12))
      expect(await faults()).toEqual([])
    })

    it('of a subscription without a card needs a saved card, which pays from then on', async () => {
      const id = await subscribe(['large-yearly'])
      await forgetCardOf('Grand')
      expect((await only()).next.step).toBe('ends')
      expect((await change(id, 'small', { paymentData: undefined })).error.code).toBe(-2108)
      expect((await change(id, 'small')).error.code).toBe(-2108)
      const { result } = await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)
      const paymentMethod = result.find(({ label }) => label !== null)?.paymentMethod
      expect((await change(id, 'small', { paymentMethod })).result.starts).toBe('nextPeriod')
      expect(await only()).toMatchObject({ next: { step: 'renews' }, method: { label: '•••• 4242' } })
      await work(Date.UTC(2027, 0, 15, 12))
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 600]])
    })

    it('of a subscription without a card takes its card along when it is undone or cancelled', async () => {
      const id = await subscribe(['large-yearly'])
      await forgetCardOf('Grand')
      const { result } = await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)
      const paymentMethod = result.find(({ label }) => label !== null)?.paymentMethod
      const withoutCard = { isCardChosen: false, method: null, next: { step: 'ends' } }
      expect(await only()).toMatchObject(withoutCard)
      for (const leave of [cancel, undo]) {
        expect((await change(id, 'small', { paymentMethod })).status).toBe(200)
        expect((await leave(id)).result).toMatchObject(withoutCard)
        await scene.service.call(resumeSubscription, { subscriptionId: id }, scene.actor.tokens)
        expect(await only()).toMatchObject(withoutCard)
      }
      await work(Date.UTC(2027, 0, 15, 12))
      expect([await renewals(), await list()]).toEqual([[], []])
    })

    it('that is undone keeps the card of a subscription that had one, also one of an earlier change', async () => {
      const id = await subscribe(['large-yearly'])
      const { result } = await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)
      const paymentMethod = result.find(({ label }) => label !== null)?.paymentMethod
      await change(id, 'small', { paymentMethod })
      expect((await undo(id)).result).toMatchObject({ isCardChosen: true, next: { step: 'renews' } })
      await forgetCardOf('Grand')
      await change(id, 'small', { paymentMethod })
      await work(Date.UTC(2027, 0, 15, 12))
      await change(id, 'setup')
      expect((await undo(id)).result).toMatchObject({ title: 'Petit', next: { step: 'renews' } })
    })

    it('is refused with a card that has expired', async () => {
      const id = await subscribe(['large-yearly'])
      const mine = eq(paymentMethods.accountId, scene.actor.account.id)
      const { result } = await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)
      const paymentMethod = result.find(({ label }) => label !== null)?.paymentMethod
      await db().update(paymentMethods).set({ expiresAt: NOON }).where(mine)
      expect((await change(id, 'small', { paymentMethod })).error.code).toBe(-2109)
      expect((await only()).change).toBeNull()
      await db().update(paymentMethods).set({ expiresAt: null }).where(mine)
    })

    it('needs no card if the card of the subscription was removed', async () => {
      const id = await subscribe(['large-yearly'])
      const mine = eq(paymentMethods.accountId, scene.actor.account.id)
      await db().update(paymentMethods).set({ removedAt: NOON }).where(mine)
      expect(await only()).toMatchObject({ isCardChosen: true, method: null, next: { step: 'renews' } })
      expect((await change(id, 'small', { paymentData: undefined })).status).toBe(200)
      await db().update(paymentMethods).set({ removedAt: null }).where(mine)
    })

    it('has a receipt of the new plan, with its setup fee once', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await work(MONTH_1)
      await work(MONTH_2)
      const { result } = await scene.service.call(listReceipts, {}, scene.actor.tokens)
      expect(result.map(({ amount, lines }) => [amount, lines[0]?.title])).toEqual([
        ['3.00', 'Avec frais'],
        ['4.50', 'Avec frais'],
        ['6.00', 'Petit'],
      ])
    })

    it('can be undone until then, even when its period is open', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await work(MONTH_1 - HOUR_MS)
      expect((await undo(id)).result).toMatchObject({ change: null, next: { amount: '6.00' } })
      expect((await undo(id)).result.change).toBeNull()
      await work(MONTH_1 - MINUTE_MS)
      at(MONTH_1)
      expect(await shop.plays(titles.houle)).toBe(0)
      await work(MONTH_1)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600])
      expect((await only()).title).toBe('Petit')
    })

    it('is confirmed by e-mail once, with the plan, its price and the day, and so is undoing it', async () => {
      const { context } = scene.service
      const { account } = scene.actor
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      await db().update(accounts).set({ language: 'eng' }).where(eq(accounts.id, account.id))
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await emailsTo(context.settings.DATA_DIR, account.email, 1)
      await change(id, 'setup')
      await undo(id)
      await emailsTo(context.settings.DATA_DIR, account.email, 2)
      await undo(id)
      await change(id, 'free')
      const received = await emailsTo(context.settings.DATA_DIR, account.email, 3)
      expect(received.map(({ subject }) => subject)).toEqual([
        'Your subscription changes to Avec frais on 15 February 2026',
        'You keep your Small subscription',
        'Your subscription changes to Gratuit on 15 February 2026',
      ])
      const [noted, undone, other] = received
      expect(noted?.text).toContain(
        'Your Small subscription changes to Avec frais on 15 February 2026, for €4.50.',
      )
      expect(undone?.text).toContain('It renews on 15 February 2026 for €6.00.')
      expect(other?.text).toContain('for €0.00.')
      expect(new URL(noted?.link ?? '').pathname).toBe('/account/products')
    })

    it('replaces a renewal whose period is open already', async () => {
      const id = await subscribe(['small'])
      await work(MONTH_1 - HOUR_MS)
      await change(id, 'free')
      await work(MONTH_1 - MINUTE_MS)
      await work(MONTH_1)
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 0]])
    })

    it('cannot be undone once its period has begun', async () => {
      const id = await subscribe(['small'], CARDS.failsAtRenewal)
      await change(id, 'setup')
      await work(MONTH_1)
      expect((await undo(id)).error.code).toBe(-409)
      expect(await only()).toMatchObject({ change: null, next: { step: 'retries', amount: '4.50' } })
    })

    it('that is declined is retried like any renewal, and then ends the subscription', async () => {
      const id = await subscribe(['small'], CARDS.failsAtRenewal)
      await change(id, 'setup')
      for (const day of [0, 1, 3, 5, 7, 8]) await work(MONTH_1 + day * DAY_MS)
      expect([await list(), await shop.plays(titles.houle)]).toEqual([[], -11])
      expect((await renewals()).map(({ state }) => state)).toEqual(Array(5).fill('failed'))
    })

    it('ends with a cancellation, and makes a cancelled subscription continue', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      expect((await cancel(id)).result).toMatchObject({ change: null, next: { step: 'ends' } })
      await scene.service.call(resumeSubscription, { subscriptionId: id }, scene.actor.tokens)
      expect(await only()).toMatchObject({ change: null, next: { amount: '6.00' } })
      await cancel(id)
      await change(id, 'setup')
      expect(await only()).toMatchObject({ statusId: 10, change: { title: 'Avec frais' } })
    })

    it('ends the options that it does not allow at the end of their period', async () => {
      await subscribe(['small', 'option'])
      const [plan] = await list()
      await change(plan?.id ?? 0, 'setup')
      expect((await list()).map(({ title, next }) => [title, next.step])).toEqual([
        ['Petit', 'renews'],
        ['Option', 'ends'],
      ])
      await work(MONTH_1 - HOUR_MS)
      await work(MONTH_1)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
    })

    it('ends the options that it does not allow even when their period ends before that of the plan', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      await subscribe(['option'])
      await work(MONTH_1)
      await change(id, 'setup')
      const option = (await list()).find(({ title }) => title === 'Option')
      expect(option?.next).toMatchObject({ step: 'ends', at: option?.validTo })
      await work((option?.validTo ?? 0) * 1000 - HOUR_MS)
      await work((option?.validTo ?? 0) * 1000)
      await work(MONTH_2)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      // Amounts: the renewal of the old plan, then the first period of the new plan.
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600, 450])
    })

    it('voids the opened period of an option that it does not allow', async () => {
      const id = await subscribe(['small', 'option'])
      await work(MONTH_1 - HOUR_MS / 2)
      await change(id, 'setup')
      await work(MONTH_1)
      expect((await list()).map(({ title }) => title)).toEqual(['Avec frais'])
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
    })

    it('to another offer of the same plan charges its setup fee and its introduction, as shown', async () => {
      const twin = `offers:\n  - { key: small-twin, type: subscription, name: { fra: Petit bis }, price: "5.00", every: month, plan: small, setup: "1.00", introduction: { price: "2.00", periods: 2 }, packages: [cinema] }`
      const id = await subscribe(['small'])
      await work(MONTH_1)
      await shop.sell(twin)
      expect((await changeTo(id, 'small-twin')).amount).toBe('3.00')
      await change(id, 'small-twin')
      expect((await only()).next.amount).toBe('3.00')
      for (const month of [2, 3, 4]) await work(Date.UTC(2026, month, 15, 12))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([600, 300, 200, 500])
    })

    it('keeps the new plan from being bought meanwhile', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      expect((await shop.add(['setup'])).error.code).not.toBe(0)
      expect((await shop.add(['small-yearly'])).error.code).toBe(-1102)
    })

    it('can be replaced: the change that is noted last counts', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await change(id, 'setup')
      await change(id, 'free')
      await work(MONTH_1)
      expect((await only()).title).toBe('Gratuit')
    })

    it('keeps the terms that were shown, even if the offer changes later', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      await shop.sell(
        `offers:\n  - { key: setup, type: subscription, name: { fra: Avec frais }, price: "50.00", every: month, setup: "1.50", packages: [cinema] }`,
      )
      await work(MONTH_1)
      expect((await renewals()).map(({ cents }) => cents)).toEqual([450])
      await shop.sell(PLANS)
    })

    it('ends with the old plan when an upgrade comes first', async () => {
      const id = await subscribe(['small'])
      await change(id, 'setup')
      at(HALF)
      await upgrade(id, 'large')
      await work(MONTH_1)
      expect([(await only()).title, await renewals()]).toEqual(['Grand', []])
    })
  })
})
