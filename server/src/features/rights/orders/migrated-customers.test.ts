import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  resumeSubscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { migrationScene, PACKAGES } from '../../../../test/migration-scene.ts'
import { CARDS, DATA, RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB } from '../../../../test/service.ts'

const DAY_MS = 86_400_000
/** Starts of the monthly periods of a subscription bought at noon of 15 January. */
const MONTHS = [0, 1, 2, 3, 4, 5].map((month) => Date.UTC(2026, month, 15, 12))
const [, FEBRUARY = 0, MARCH = 0] = MONTHS

describe.each(MAIN_DB)('effects of new terms, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    at,
    work,
    sell,
    newOffer,
    subscribe,
    list,
    only,
    ask,
    migrate,
    namesOf,
    charged,
    faults,
    NOBODY,
  } = migrationScene(kind)

  describe('with actions of customers', () => {
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
      if (!found) throw new Error(`${key} is not a change.`)
      const { idOption, idRevision, amount } = found
      const fields = { idOption, idRevision, amount, returnUrl: RETURN, paymentData: DATA }
      const answer = await scene.service.call(
        changeSubscription,
        { subscriptionId, ...fields, policyValidation: true },
        tokens,
      )
      // This call puts its e-mails into the queue of the service, which `namesOf` does not read.
      expect(answer.error.code).toBe(0)
    }
    /** Puts two plans on sale. Customers of the first plan can change to the second, which is cheaper. */
    const twoPlans = async () => {
      const key = await newOffer()
      const cheaper = await newOffer({ price: '"5.00"', excludes: `[${key}]`, name: '{ fra: Petit }' })
      return { key, cheaper }
    }

    it('a cancellation before the migration keeps the terms, until the migration is requested again', async () => {
      const key = await newOffer()
      const id = await subscribe(key)
      await cancel(id)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await migrate(key)).toMatchObject({ ...NOBODY, cancelled: 1 })
      expect((await resume(id)).result).toMatchObject({ next: { amount: '8.99' }, newPrice: null })
      expect(await migrate(key)).toMatchObject({ migrated: 1, told: 1 })
    })

    it('a cancellation after the migration ends without the new price, and resumes with the new price', async () => {
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

    it('a change of plan takes precedence over the migration, and undoing the change restores it', async () => {
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

    it('a change of plan before the migration leaves its subscription out', async () => {
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

    it('an upgrade after the migration credits the paid period at the price that was paid', async () => {
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

    it('an upgrade after a migrated trial credits the full price, because the setup fee came with the trial', async () => {
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

  describe('a migration refuses', () => {
    it('an unknown offer', async () => {
      const { error, status } = await ask('nothing')
      expect([status, error.code]).toEqual([404, -404])
    })

    it('an offer that is not a subscription', async () => {
      const key = 'rental'
      await shop.sell(
        `${PACKAGES}  - { key: ${key}, type: transactional, name: { fra: Location }, price: "3.99", titles: [Encre] }\n`,
      )
      expect((await ask(key)).error.details?.fields?.map(({ field }) => field)).toEqual(['key'])
    })

    it.each(['2025-12-31', '2026-01-15', '2026-02-14', '2028-06-01'])(
      'a day that is past, too near or too far: %s',
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
      'an invalid day: "%s"',
      async (from) => {
        const key = await newOffer()
        expect((await ask(key, { from })).status).toBe(400)
      },
    )

    it('callers who are not operators', async () => {
      const key = await newOffer()
      expect((await ask(key, {}, {})).status).toBe(403)
      expect((await ask(key, {}, scene.actor.tokens)).status).toBe(403)
    })
  })

  it('changes nothing for an offer that never changed', async () => {
    const key = await newOffer()
    await subscribe(key)
    expect(await migrate(key)).toMatchObject({ revision: 1, ...NOBODY })
    expect(namesOf()).toEqual([])
  })

  describe('the command', () => {
    const run = async (args: string[], options: Record<string, string | boolean> = {}) =>
      await runCommand(scene.service, 'offers migrate', args, options)

    it('reports the numbers of subscriptions, first in a dry run', async () => {
      const other = await scene.make.actor({ tokenDays: 800 })
      const key = await newOffer()
      await subscribe(key)
      const theirs = await subscribe(key, CARDS.good, other)
      await scene.service.call(cancelSubscription, { subscriptionId: theirs }, other.tokens)
      await sell({ [key]: { price: '"9.99"' } })
      expect(await run([key], { dryRun: true })).toContain(
        `1 subscriptions of ${key} would migrate to revision 2 from 2026-02-15 on, 1 of them with an e-mail.`,
      )
      expect((await only()).newPrice).toBeNull()
      const said = await run([key], { from: '2026-03-01' })
      expect(said).toContain('migrate to revision 2 from 2026-03-01 on')
      expect(said).toContain('1 are cancelled')
      expect((await only()).newPrice?.at).toBe(MARCH / 1000)
      expect(await run([key])).toContain('1 were scheduled for it before')
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
