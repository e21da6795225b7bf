import { anonymizeMe } from '@ondine/contract/account-calls'
import { assets } from '@ondine/contract/catalogue'
import { withdrawOffer } from '@ondine/contract/offers'
import { listReceipts } from '@ondine/contract/receipts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { emailsTo } from '../../../../test/emails.ts'
import { migrationScene } from '../../../../test/migration-scene.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { Mail, type MailOrder, startMailJobs } from '../../people/mail/mail.service.ts'
import { openPost } from '../../people/mail/mailer.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { knownEndOf } from './known-end.service.ts'
import { sendEmails } from './subscription-emails.ts'
import { remind } from './subscription-reminders.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Starts of the monthly periods of a subscription bought at noon of 15 January. */
const MONTHS = [0, 1, 2, 3, 4, 5].map((month) => Date.UTC(2026, month, 15, 12))
const [, FEBRUARY = 0, MARCH = 0, APRIL = 0] = MONTHS

describe.each(MAIN_DB)('new terms for existing subscribers, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    operator,
    db,
    at,
    work,
    sell,
    newOffer,
    subscribe,
    list,
    only,
    ask,
    migrate,
    emailsOf,
    namesOf,
    charged,
    faults,
    NOBODY,
  } = migrationScene(kind)

  describe('a migration', () => {
    it('A2.1-18 gives a subscription the new price with its next period, announces it, and keeps the books right', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await only()).toMatchObject({ next: { amount: '8.99' }, newPrice: null })
      expect(await migrate(key)).toEqual({
        ...NOBODY,
        revision: 2,
        from: Date.UTC(2026, 1, 15) / 1000,
        migrated: 1,
        told: 1,
      })
      const price = { at: FEBRUARY / 1000, amount: '9.99' }
      expect(await only()).toMatchObject({
        next: { step: 'renews', ...price },
        newPrice: price,
        change: null,
      })
      expect(emailsOf()).toMatchObject([
        { letter: 'priceChanges', subscription: { date: FEBRUARY, cents: 999, beforeCents: 899 } },
      ])
      await work(FEBRUARY)
      await work(MARCH)
      expect(await charged()).toEqual([999, 999])
      expect(await only()).toMatchObject({ next: { amount: '9.99' }, newPrice: null })
      const [receipt] = (await scene.service.call(listReceipts, {}, scene.actor.tokens)).result
      expect(receipt).toMatchObject({
        amount: '9.99',
        lines: [{ title: 'Cinéma', amount: '9.99', from: MARCH / 1000, to: APRIL / 1000 }],
      })
      expect(await shop.plays(titles.houle)).toBe(0)
      expect(await faults()).toEqual([])
    })

    it('keeps the old price until the given day', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect((await migrate(key, { from: '2026-03-01' })).from).toBe(Date.UTC(2026, 2, 1) / 1000)
      expect(await only()).toMatchObject({
        next: { amount: '8.99', at: FEBRUARY / 1000 },
        newPrice: { amount: '9.99', at: MARCH / 1000 },
      })
      await work(FEBRUARY)
      expect(await only()).toMatchObject({ next: { amount: '9.99', at: MARCH / 1000 } })
      await work(MARCH)
      await work(APRIL)
      expect(await charged()).toEqual([899, 999, 999])
      expect([namesOf(), await faults()]).toEqual([['priceChanges'], []])
    })

    it.each([
      {
        language: 'eng',
        subject: 'The price of your Cinema subscription changes on 15 February 2026',
        says: ['From 15 February 2026', '€9.99 instead of €8.99', 'cancel before that date'],
      },
      {
        language: 'fra',
        subject: 'Le prix de votre abonnement Cinéma change le 15 février 2026',
        says: ['À partir du 15 février 2026', '9,99 € au lieu de 8,99 €', 'résiliez avant cette date'],
      },
    ])('is announced in the language of the account: $language', async ({ language, subject, says }) => {
      const { context } = scene.service
      const { account } = scene.actor
      await db().update(accounts).set({ language }).where(eq(accounts.id, account.id))
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      const order = emailsOf()[0]
      if (!order) throw new Error('There is no letter.')
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      await new Mail(context.jobs).order(order)
      const letter = (await emailsTo(context.settings.DATA_DIR, account.email, 1)).at(-1)
      expect(letter?.subject).toBe(subject)
      for (const said of says) expect(letter?.text.replaceAll(/\s/g, ' ')).toContain(said)
      expect(new URL(letter?.link ?? '').pathname).toBe('/account/products')
    })

    it('is announced once and keeps its day, even for repeated and concurrent requests', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      const answers = await Promise.all(Array.from({ length: 8 }, async () => await ask(key)))
      expect(answers.filter(({ result }) => result.migrated === 1)).toHaveLength(1)
      at(NOON + 10 * DAY_MS)
      expect(await migrate(key, { from: '2026-05-01' })).toMatchObject({ migrated: 0, told: 0, waiting: 1 })
      expect((await only()).newPrice?.at).toBe(FEBRUARY / 1000)
      expect(namesOf()).toEqual(['priceChanges'])
      await work(FEBRUARY)
      expect(await migrate(key)).toMatchObject(NOBODY)
      expect([await charged(), namesOf()]).toEqual([[999], ['priceChanges']])
    })

    it('only counts in a dry run', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key, { dryRun: true })).toMatchObject({ migrated: 1, told: 1 })
      await work(FEBRUARY)
      expect([namesOf(), await charged()]).toEqual([[], [899]])
    })

    it('gives subscribers of several old revisions the newest one, and names the price of each purchase', async () => {
      const others = [await scene.make.actor({ tokenDays: 800 }), await scene.make.actor({ tokenDays: 800 })]
      const [second = scene.actor, third = scene.actor] = others
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await subscribe(key, CARDS.good, second)
      await sell({ [key]: { price: '"10.99"' } })
      await subscribe(key, CARDS.good, third)
      expect(await migrate(key)).toMatchObject({ revision: 3, migrated: 2, told: 2 })
      const before = (actor: Actor) => emailsOf(actor).map(({ subscription }) => subscription?.beforeCents)
      expect([before(scene.actor), before(second), before(third)]).toEqual([[899], [999], []])
      await work(FEBRUARY)
      for (const actor of [scene.actor, second, third]) expect(await charged(actor)).toEqual([1099])
      expect(await faults()).toEqual([])
    })

    it('to a newer revision replaces the migration before', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await sell({ [key]: { price: '"10.99"' } })
      at(NOON + DAY_MS)
      expect(await migrate(key, { from: '2026-03-01' })).toMatchObject({ revision: 3, migrated: 1, told: 1 })
      await work(FEBRUARY)
      await work(MARCH)
      expect(await charged()).toEqual([899, 1099])
      expect(emailsOf().map(({ subscription }) => [subscription?.beforeCents, subscription?.cents])).toEqual([
        [899, 999],
        [899, 1099],
      ])
    })

    it('to a newer revision during the sending of an e-mail is announced by an e-mail of its own', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await ask(key)
      await sell({ [key]: { price: '"10.99"' } })
      const sent: MailOrder['subscription'][] = []
      const order = async (letter: MailOrder) => {
        sent.push(letter.subscription)
        if (sent.length === 1) expect((await ask(key)).result).toMatchObject({ revision: 3, migrated: 1 })
      }
      const parts = { ...shop.parts, originOf: () => 'http://localhost:4000', mail: { order } }
      for (let count = 1; count > 0; ) count = await sendEmails(parts, NOON)
      expect(sent.map((each) => each?.cents)).toEqual([999, 1099])
      // The queue of e-mails drops a second e-mail with the same id.
      expect(new Set(sent.map((each) => each?.letterId)).size).toBe(2)
    })

    it('back to the old price announces that the new price does not come', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await sell({ [key]: { price: '"8.99"', downloads: 'true' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      expect(await only()).toMatchObject({ next: { amount: '8.99' }, newPrice: null })
      await work(FEBRUARY)
      expect([namesOf(), await charged()]).toEqual([['priceChanges', 'termsChange'], [899]])
    })

    it('sends no e-mail when only the words change, and sends one when the offer opens less', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { synopsis: '{ fra: Tous les films. }' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 0 })
      await sell({ [key]: { packages: '[cinema]' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      expect(namesOf()).toEqual(['termsChange'])
      expect(await shop.plays(titles.match)).toBe(0)
      await work(FEBRUARY)
      expect([await shop.plays(titles.houle), await shop.plays(titles.match)]).toEqual([0, -11])
    })

    it('A3-18 ends the right to download with the first period of terms without it', async () => {
      const key = await newOffer({ downloads: 'true' })
      await subscribe(key)
      const asked = { assetIds: [titles.houle] }
      const mayDownload = async () =>
        (await scene.service.call(assets, asked, scene.actor.tokens)).result[0]?.downloadable
      const knownEnd = async () => {
        const { db } = scene.service.context
        const { id } = scene.actor.account
        const held = await db.select().from(grants).where(eq(grants.accountId, id))
        const packageIds = held.flatMap(({ packageId }) => packageId ?? [])
        return await knownEndOf(db, id, packageIds, scene.service.clock.now())
      }
      expect(await knownEnd()).toBeUndefined()
      await sell({ [key]: {} })
      await migrate(key)
      expect(await mayDownload()).toBe(true)
      expect(await knownEnd()).toBe(FEBRUARY)
      await work(FEBRUARY)
      expect([await shop.plays(titles.houle), await mayDownload()]).toEqual([0, false])
    })

    it('lowers the height of video with the first period of terms with a lower one, and announces it', async () => {
      const key = await newOffer()
      await subscribe(key)
      const heights = async () =>
        (
          await scene.service.context.db
            .select({ height: grants.maximumHeight })
            .from(grants)
            .where(eq(grants.accountId, scene.actor.account.id))
            .orderBy(grants.id)
        ).map(({ height }) => height)
      expect(new Set(await heights())).toEqual(new Set([null]))
      await sell({ [key]: { maximumHeight: '720' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      expect(namesOf()).toEqual(['termsChange'])
      await work(FEBRUARY)
      expect((await heights()).at(-1)).toBe(720)
      await sell({ [key]: {} })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 0 })
    })

    it('keeps a promised introduction, and adds neither a second one nor a setup fee', async () => {
      const key = await newOffer({ introduction: '{ price: "4.00", periods: 3 }', setup: '"1.00"' })
      await subscribe(key)
      await sell({
        [key]: { price: '"9.99"', introduction: '{ price: "1.00", periods: 12 }', setup: '"2.00"' },
      })
      await migrate(key)
      expect(await only()).toMatchObject({
        next: { amount: '4.00' },
        newPrice: { amount: '9.99', at: APRIL / 1000 },
      })
      for (const month of MONTHS.slice(1)) await work(month)
      expect(await charged()).toEqual([400, 400, 999, 999, 999])
      expect([emailsOf()[0]?.subscription?.beforeCents, await faults()]).toEqual([899, []])
    })

    it('of a trial charges the new price at the end of the trial when the day comes before', async () => {
      const key = await newOffer({ trialDays: '30', setup: '"1.00"' })
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"', setup: '"2.00"' } })
      at(NOON - DAY_MS)
      await migrate(key)
      await work(NOON + 30 * DAY_MS)
      expect(await charged()).toEqual([999])
    })

    it('leaves the price of opened and overdue periods unchanged', async () => {
      const key = await newOffer()
      await subscribe(key, CARDS.failsAtRenewal)
      await sell({ [key]: { price: '"9.99"' } })
      await work(FEBRUARY - 30 * MINUTE_MS)
      await migrate(key)
      await work(FEBRUARY)
      expect((await only()).next).toMatchObject({ step: 'retries', amount: '8.99' })
      await work(FEBRUARY + DAY_MS)
      expect(await charged()).toEqual([899, 899])
    })

    it('takes effect even when the service is down on the day', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await work(MARCH + DAY_MS)
      await work(APRIL)
      expect([await charged(), await faults()]).toEqual([[999, 999], []])
    })

    it('shows its price in the reminder before a yearly plan renews', async () => {
      const key = await newOffer({ every: 'year', price: '"89.90"' })
      await subscribe(key)
      await sell({ [key]: { every: 'year', price: '"99.90"' } })
      const end = Date.UTC(2027, 0, 15, 12)
      await migrate(key, { from: '2026-06-01' })
      expect((await only()).newPrice).toEqual({ amount: '99.90', at: end / 1000 })
      at(end - 44 * DAY_MS)
      await remind(db(), end - 44 * DAY_MS)
      await work(end - 44 * DAY_MS)
      expect(emailsOf().at(-1)).toMatchObject({
        letter: 'renewalAhead',
        subscription: { date: end, cents: 9990 },
      })
      await work(end)
      expect(await charged()).toEqual([9990])
    })

    it('works for a withdrawn offer', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await scene.service.call(withdrawOffer, { key }, operator)
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      await work(FEBRUARY)
      expect(await charged()).toEqual([999])
    })

    it('of a free subscription without a card ends the subscription at the renewal', async () => {
      const key = await newOffer({ price: '"0"' })
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 0 })
      expect(await only()).toMatchObject({
        method: null,
        newPrice: null,
        next: { step: 'ends', amount: '9.99' },
      })
      await work(FEBRUARY)
      expect([await list(), await charged()]).toEqual([[], []])
      expect(namesOf()).toEqual(['subscriptionOver'])
      expect(await faults()).toEqual([])
    })

    it('leaves a closed account out', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await scene.service.call(anonymizeMe, {}, scene.actor.tokens)
      expect(await migrate(key)).toMatchObject(NOBODY)
      expect(namesOf()).toEqual([])
    })

    it('does not begin for an account that is closed before the day', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await scene.service.call(anonymizeMe, {}, scene.actor.tokens)
      await work(FEBRUARY)
      expect([await charged(), await faults()]).toEqual([[], []])
    })

    it('leaves out subscriptions whose period or plan differs from the revision', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { every: 'year', price: '"99.90"' } })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, different: 1 })
      await sell({ [key]: { price: '"9.99"', plan: 'another' } })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, different: 1 })
      await work(FEBRUARY)
      expect([await charged(), namesOf()]).toEqual([[899], []])
    })
  })
})
