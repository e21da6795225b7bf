import { anonymizeMe } from '@ondine/contract/account-calls'
import { migrateOffer, withdrawOffer } from '@ondine/contract/offers'
import type { InputOf } from '@ondine/contract/operation'
import { listReceipts } from '@ondine/contract/receipts'
import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  listSubscriptions,
  resumeSubscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { runCommand } from '../../../test/commands.ts'
import { lettersTo } from '../../../test/letters.ts'
import { CARDS, DATA, Purchases, RETURN } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON, type Tokens } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { checkLedger } from '../accounting/check-ledger.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { Mail, type Order as OrderedLetter, startMailJobs } from '../mail/mail.service.ts'
import { openPost } from '../mail/postman.ts'
import { reconcileOrders } from './order-jobs.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { renewSubscriptions } from './renewal-jobs.ts'
import { remind } from './subscription-reminders.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** When the months of what is bought at noon of 15 January begin. */
const MONTHS = [0, 1, 2, 3, 4, 5].map((month) => Date.UTC(2026, month, 15, 12))
const [, FEBRUARY = 0, MARCH = 0, APRIL = 0] = MONTHS

/** The fields of an offer in a file of offers. */
type Fields = Record<string, string>

const PACKAGES = `
packages:
  - { key: cinema, name: { fra: Cinéma }, titles: [La Houle] }
  - { key: sport, name: { fra: Sport }, titles: [Le Match] }
offers:
`
const PLAN: Fields = {
  type: 'subscription',
  name: '{ fra: Cinéma, eng: Cinema }',
  price: '"8.99"',
  every: 'month',
  packages: '[cinema, sport]',
}

describe.each(DATABASES)('new terms for those who subscribed before, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Tokens
  let count = 0

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    operator = (await scene.make.operator()).tokens
  })
  afterEach(async () => {
    // What a test leaves behind does not renew in the next one.
    await db().update(subscriptions).set({ endedAt: NOON })
    await db().update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.state, 'due'))
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const at = (time: number) => scene.service.clock.set(time)
  const letters: OrderedLetter[] = []
  /** Does at a time what the work in the background does. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions({
      ...shop.parts,
      originOf: () => 'http://localhost:4000',
      mail: { order: async (letter) => void letters.push(letter) },
    })
  }
  /** Imports offers as they are to stand. */
  const sell = async (all: Record<string, Fields>) =>
    await shop.sell(
      PACKAGES +
        Object.entries(all)
          .map(([key, fields]) => {
            const said = Object.entries({ key, ...PLAN, ...fields }).map(
              ([name, value]) => `${name}: ${value}`,
            )
            return `  - { ${said.join(', ')} }\n`
          })
          .join(''),
    )
  /** Puts a new offer on sale. @returns its key */
  async function newOffer(fields: Fields = {}): Promise<string> {
    const key = `plan-${++count}`
    await sell({ [key]: fields })
    return key
  }
  /** Subscribes and pays. @returns the id of the subscription */
  async function subscribe(key: string, card: string = CARDS.good, actor: Actor = scene.actor) {
    const { orderId, action } = await shop.order([key], undefined, actor)
    if (action !== '') await shop.pay(action, card)
    expect(await shop.status(orderId, actor)).toBe('executed')
    return (await only(actor)).id
  }
  const list = async ({ tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listSubscriptions, {}, tokens)).result
  const only = async (actor?: Actor) => {
    const [subscription, ...more] = await list(actor)
    if (!subscription || more.length > 0) throw new Error('There is not one subscription.')
    return subscription
  }
  const ask = async (
    key: string,
    fields: Omit<InputOf<typeof migrateOffer>, 'key'> = {},
    tokens = operator,
  ) => await scene.service.call(migrateOffer, { key, ...fields }, tokens)
  /** Migrates, and sends the letters. */
  const migrate = async (key: string, fields: Omit<InputOf<typeof migrateOffer>, 'key'> = {}) => {
    const { result, error } = await ask(key, fields)
    if (error.code !== 0) throw new Error(JSON.stringify(error))
    await work(scene.service.clock.now())
    return result
  }
  const lettersOf = ({ account }: Actor = scene.actor) =>
    letters.filter((letter) => 'accountId' in letter && letter.accountId === account.id)
  const namesOf = (actor?: Actor) => lettersOf(actor).map(({ letter }) => letter)
  const charged = async ({ account }: Actor = scene.actor) => {
    const all = await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)
    return all.filter(({ periodId }) => periodId !== null).map(({ cents }) => cents)
  }
  const faults = async () =>
    (await checkLedger({ db: db(), clock: scene.service.clock, providers: shop.parts.providers })).faults
  const NOBODY = { migrated: 0, told: 0, waiting: 0, cancelled: 0, changing: 0, different: 0 }

  describe('a migration', () => {
    it('A2.1-18 brings a subscription to the new price with its next period, tells of it, and keeps the books', async () => {
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
      expect(lettersOf()).toMatchObject([
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

    it('keeps the price until the day that was given', async () => {
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
        subject: 'The price of your Cinema subscription changes on February 15, 2026',
        says: ['From February 15, 2026', '€9.99 instead of €8.99', 'cancel before that date'],
      },
      {
        language: 'fra',
        subject: 'Le prix de votre abonnement Cinéma change le 15 février 2026',
        says: ['À partir du 15 février 2026', '9,99 € au lieu de 8,99 €', 'résiliez avant cette date'],
      },
    ])('is told in the language of the account: $language', async ({ language, subject, says }) => {
      const { context } = scene.service
      const { account } = scene.actor
      await db().update(accounts).set({ language }).where(eq(accounts.id, account.id))
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      const order = lettersOf()[0]
      if (!order) throw new Error('There is no letter.')
      await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
      await new Mail(context.jobs).order(order)
      const letter = (await lettersTo(context.settings.DATA_DIR, account.email, 1)).at(-1)
      expect(letter?.subject).toBe(subject)
      for (const said of says) expect(letter?.text.replaceAll(/\s/g, ' ')).toContain(said)
      expect(new URL(letter?.link ?? '').pathname).toBe('/account/products')
    })

    it('asked for again, or often at once, tells once and keeps the day', async () => {
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

    it('only counts when that is asked for', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key, { dryRun: true })).toMatchObject({ migrated: 1, told: 1 })
      await work(FEBRUARY)
      expect([namesOf(), await charged()]).toEqual([[], [899]])
    })

    it('brings subscribers from before several revisions to the newest, each from the price of the purchase', async () => {
      const others = [await scene.make.actor({ tokenDays: 800 }), await scene.make.actor({ tokenDays: 800 })]
      const [second = scene.actor, third = scene.actor] = others
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await subscribe(key, CARDS.good, second)
      await sell({ [key]: { price: '"10.99"' } })
      await subscribe(key, CARDS.good, third)
      expect(await migrate(key)).toMatchObject({ revision: 3, migrated: 2, told: 2 })
      const before = (actor: Actor) => lettersOf(actor).map(({ subscription }) => subscription?.beforeCents)
      expect([before(scene.actor), before(second), before(third)]).toEqual([[899], [999], []])
      await work(FEBRUARY)
      for (const actor of [scene.actor, second, third]) expect(await charged(actor)).toEqual([1099])
      expect(await faults()).toEqual([])
    })

    it('to a newer revision takes the place of the one before', async () => {
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
      expect(lettersOf().map(({ subscription }) => [subscription?.beforeCents, subscription?.cents])).toEqual(
        [
          [899, 999],
          [899, 1099],
        ],
      )
    })

    it('back to the old price says that the announced one does not come', async () => {
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

    it('sends no letter where only the words changed, and one where it opens less', async () => {
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

    it('leaves a promised introduction, and gives no second one, nor a setup fee', async () => {
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
      expect([lettersOf()[0]?.subscription?.beforeCents, await faults()]).toEqual([899, []])
    })

    it('of a trial charges the new price at its end, where the day is before', async () => {
      const key = await newOffer({ trialDays: '30', setup: '"1.00"' })
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"', setup: '"2.00"' } })
      at(NOON - DAY_MS)
      await migrate(key)
      await work(NOON + 30 * DAY_MS)
      expect(await charged()).toEqual([999])
    })

    it('leaves periods that are opened, and those that are overdue, their price', async () => {
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

    it('holds when the service was away over the day', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await work(MARCH + DAY_MS)
      await work(APRIL)
      expect([await charged(), await faults()]).toEqual([[999, 999], []])
    })

    it('is stated by the reminder before a yearly plan renews', async () => {
      const key = await newOffer({ every: 'year', price: '"89.90"' })
      await subscribe(key)
      await sell({ [key]: { every: 'year', price: '"99.90"' } })
      const end = Date.UTC(2027, 0, 15, 12)
      await migrate(key, { from: '2026-06-01' })
      expect((await only()).newPrice).toEqual({ amount: '99.90', at: end / 1000 })
      at(end - 44 * DAY_MS)
      await remind(db(), end - 44 * DAY_MS)
      await work(end - 44 * DAY_MS)
      expect(lettersOf().at(-1)).toMatchObject({
        letter: 'renewalAhead',
        subscription: { date: end, cents: 9990 },
      })
      await work(end)
      expect(await charged()).toEqual([9990])
    })

    it('goes on for an offer that was withdrawn', async () => {
      const key = await newOffer()
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await scene.service.call(withdrawOffer, { key }, operator)
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      await work(FEBRUARY)
      expect(await charged()).toEqual([999])
    })

    it('of an account without a card ends at the renewal, where it was free before', async () => {
      const key = await newOffer({ price: '"0"' })
      await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      expect(await only()).toMatchObject({ method: null, next: { amount: '9.99' } })
      await work(FEBRUARY)
      expect([await list(), await charged()]).toEqual([[], []])
      expect(namesOf()).toEqual(['priceChanges', 'subscriptionEnded'])
      expect(await faults()).toEqual([])
    })

    it('has nothing to do with an account that was closed', async () => {
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

    it('leaves subscriptions whose period or plan the revision does not have', async () => {
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

  describe('what customers do', () => {
    const cancel = async (subscriptionId: number) =>
      await scene.service.call(cancelSubscription, { subscriptionId }, scene.actor.tokens)
    const resume = async (subscriptionId: number) =>
      await scene.service.call(resumeSubscription, { subscriptionId }, scene.actor.tokens)
    const undo = async (subscriptionId: number) =>
      await scene.service.call(undoChange, { subscriptionId }, scene.actor.tokens)
    const change = async (subscriptionId: number, key: string) => {
      const { tokens } = scene.actor
      const { result: changes } = await scene.service.call(listChanges, { subscriptionId }, tokens)
      const found = changes.find(({ idOption }) => idOption === shop.idOf(key))
      if (!found) throw new Error(`${key} is no change.`)
      const { idOption, idRevision, amount } = found
      const fields = { idOption, idRevision, amount, returnUrl: RETURN, paymentData: DATA }
      const answer = await scene.service.call(
        changeSubscription,
        { subscriptionId, ...fields, policyValidation: true },
        tokens,
      )
      // The letters of what was pressed go to the mail of the service.
      expect(answer.error.code).toBe(0)
    }
    /** A plan, and a cheaper one that it can change to. */
    const twoPlans = async () => {
      const key = await newOffer()
      const cheaper = await newOffer({ price: '"5.00"', excludes: `[${key}]`, name: '{ fra: Petit }' })
      return { key, cheaper }
    }

    it('a cancellation before it keeps the terms, until it is asked for again', async () => {
      const key = await newOffer()
      const id = await subscribe(key)
      await cancel(id)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, cancelled: 1 })
      expect((await resume(id)).result).toMatchObject({ next: { amount: '8.99' }, newPrice: null })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
    })

    it('a cancellation after it leaves without the new price, and resumes with it', async () => {
      const key = await newOffer()
      const id = await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      expect((await cancel(id)).result).toMatchObject({ next: { step: 'ends' }, newPrice: null })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, waiting: 1 })
      expect((await resume(id)).result).toMatchObject({
        next: { step: 'renews', amount: '9.99' },
        newPrice: { amount: '9.99' },
      })
      await cancel(id)
      await work(FEBRUARY)
      expect([await list(), await charged()]).toEqual([[], []])
    })

    it('a change of plan goes before it, and taken back leaves it', async () => {
      const { key, cheaper } = await twoPlans()
      const id = await subscribe(key)
      await sell({ [key]: { price: '"9.99"' } })
      await migrate(key)
      await change(id, cheaper)
      expect(await only()).toMatchObject({
        next: { amount: '5.00' },
        newPrice: null,
        change: { title: 'Petit' },
      })
      expect((await undo(id)).result).toMatchObject({
        next: { amount: '9.99' },
        newPrice: { amount: '9.99' },
        change: null,
      })
      await change(id, cheaper)
      await work(FEBRUARY)
      await work(MARCH)
      expect([await charged(), (await only()).title, await faults()]).toEqual([[500, 500], 'Petit', []])
    })

    it('a change of plan that was noted before keeps its subscription out of it', async () => {
      const { key, cheaper } = await twoPlans()
      const id = await subscribe(key)
      await change(id, cheaper)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, changing: 1 })
      await undo(id)
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
      await work(FEBRUARY)
      expect(await charged()).toEqual([999])
    })

    const changeTo = async (subscriptionId: number, key: string) => {
      const { result } = await scene.service.call(listChanges, { subscriptionId }, scene.actor.tokens)
      return result.find(({ idOption }) => idOption === shop.idOf(key))
    }

    it('an upgrade after it credits the period that was paid, at the price that was paid', async () => {
      const key = await newOffer({ price: '"8.00"' })
      const larger = await newOffer({ price: '"20.00"', excludes: `[${key}]`, name: '{ fra: Grand }' })
      const id = await subscribe(key)
      await sell({ [key]: { price: '"10.00"', setup: '"3.00"' } })
      await migrate(key)
      await work(FEBRUARY)
      at(FEBRUARY + 14 * DAY_MS)
      const found = await changeTo(id, larger)
      expect(found).toMatchObject({ starts: 'now', credit: '5.00', amount: '15.00' })
    })

    it('an upgrade after a trial that it ended credits no less: the setup fee came with the trial', async () => {
      const key = await newOffer({ price: '"8.00"', trialDays: '31', setup: '"3.00"' })
      const larger = await newOffer({ price: '"20.00"', excludes: `[${key}]`, name: '{ fra: Grand }' })
      const id = await subscribe(key)
      await sell({ [key]: { price: '"10.00"', setup: '"4.00"' } })
      await migrate(key)
      await work(FEBRUARY)
      at(FEBRUARY + 14 * DAY_MS)
      const found = await changeTo(id, larger)
      expect([await charged(), found?.credit]).toEqual([[1000], '5.00'])
    })
  })

  describe('it refuses', () => {
    it('an offer that is not there', async () => {
      const { error, status } = await ask('nothing')
      expect([status, error.code]).toEqual([404, -404])
    })

    it('an offer that is no subscription', async () => {
      const key = `rental-${++count}`
      await shop.sell(
        `${PACKAGES}  - { key: ${key}, type: transactional, name: { fra: Location }, price: "3.99", titles: [Encre] }\n`,
      )
      expect((await ask(key)).error.details?.fields?.map(({ field }) => field)).toEqual(['key'])
    })

    it.each(['2025-12-31', '2026-01-15', '2026-02-14', '2028-06-01'])(
      'a day that is over, too near or far away: %s',
      async (from) => {
        const key = await newOffer()
        await subscribe(key)
        await sell({ [key]: { price: '"9.99"' } })
        const { error, status } = await ask(key, { from })
        expect([status, error.details?.fields?.map(({ field }) => field)]).toEqual([400, ['from']])
        expect(await only()).toMatchObject({ next: { amount: '8.99' }, newPrice: null })
      },
    )

    it.each(['', 'soon', '2026-02-30', '2026-13-01', '1767225600', '2026-03-01T00:00:00Z'])(
      'a day that is none: "%s"',
      async (from) => {
        const key = await newOffer()
        expect((await ask(key, { from })).status).toBe(400)
      },
    )

    it('whoever is no operator', async () => {
      const key = await newOffer()
      expect((await ask(key, {}, {})).status).toBe(403)
      expect((await ask(key, {}, scene.actor.tokens)).status).toBe(403)
    })
  })

  it('has nothing to do for an offer that never changed', async () => {
    const key = await newOffer()
    await subscribe(key)
    expect(await migrate(key)).toMatchObject({ revision: 1, ...NOBODY })
    expect(namesOf()).toEqual([])
  })

  describe('the command', () => {
    const run = async (args: string[], options: Record<string, string | boolean> = {}) =>
      await runCommand(scene.service, 'offers migrate', args, options)

    it('says what becomes of whom, first without doing it', async () => {
      const other = await scene.make.actor({ tokenDays: 800 })
      const key = await newOffer()
      await subscribe(key)
      const theirs = await subscribe(key, CARDS.good, other)
      await scene.service.call(cancelSubscription, { subscriptionId: theirs }, other.tokens)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await run([key], { dryRun: true })).toContain(
        `1 subscriptions of ${key} would be brought to revision 2 from 2026-02-15 on, 1 of them with a letter.`,
      )
      expect((await only()).newPrice).toBeNull()
      const said = await run([key], { from: '2026-03-01' })
      expect(said).toContain('are brought to revision 2 from 2026-03-01 on')
      expect(said).toContain('1 are cancelled')
      expect((await only()).newPrice?.at).toBe(MARCH / 1000)
      expect(await run([key])).toContain('1 were brought to it before')
    })

    it.each([
      { args: ['nothing'], options: {}, says: 'There is no offer nothing' },
      { args: ['PLAN'], options: { from: 'soon' }, says: '--from 2026-01-31' },
      {
        args: ['PLAN'],
        options: { from: '2026-02-01' },
        says: 'Nothing was changed: from must be 30 days away',
      },
    ])('refuses $args with $options', async ({ args, options, says }) => {
      const key = await newOffer()
      const named = args.map((arg) => (arg === 'PLAN' ? key : arg))
      await expect(run(named, options)).rejects.toThrow(says)
    })
  })
})
