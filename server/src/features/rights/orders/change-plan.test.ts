import { changeSubscription, listChanges, undoChange } from '@ondine/contract/subscriptions'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { PLANS, planChangeScene } from '../../../../test/plan-change-scene.ts'
import { CARDS, RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { subscriptionPeriods } from './orders.table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** End of the first month of a subscription that is bought at noon of 15 January. The month has 31 days. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
/** Middle of the first month. */
const HALF = NOON + 15.5 * DAY_MS

describe.each(MAIN_DB)('changes of plan, on a database of kind %s', (kind) => {
  const { scene, shop, db, at, work, list, subscribe, changes, changeTo, change, cancel } =
    planChangeScene(kind)

  describe('the plans to which a subscription can change', () => {
    it('exclude its plan, the cheapest first; dearer plans start now, others with the next period', async () => {
      const id = await subscribe(['small'])
      at(HALF)
      const all = await changes(id)
      expect(
        all.map(({ title, pricePeriodicity, starts, at, amount, credit }) => [
          title,
          pricePeriodicity,
          starts,
          at,
          amount,
          credit,
        ]),
      ).toEqual([
        ['Gratuit', 'monthly', 'nextPeriod', MONTH_1 / 1000, '0.00', '0.00'],
        ['Avec frais', 'monthly', 'nextPeriod', MONTH_1 / 1000, '4.50', '0.00'],
        ['Moyen', 'monthly', 'now', HALF / 1000, '2.00', '3.00'],
        ['Grand', 'monthly', 'now', HALF / 1000, '9.00', '3.00'],
        ['Petit', 'yearly', 'nextPeriod', MONTH_1 / 1000, '60.00', '0.00'],
        ['Grand', 'yearly', 'now', HALF / 1000, '117.00', '3.00'],
      ])
      // `replaceableBy` contains the plans to which the shop offers a change. The shop offers all other plans as
      // new purchases.
      const [plan] = await list()
      expect(new Set(plan?.replaceableBy)).toEqual(new Set(all.map(({ idOption }) => idOption)))
    })

    it('are an empty list for an option, and while the payment is overdue', async () => {
      await subscribe(['small', 'option'], CARDS.failsAtRenewal)
      const [plan, option] = await list()
      expect(await changes(option?.id ?? 0)).toEqual([])
      await work(MONTH_1)
      expect(await changes(plan?.id ?? 0)).toEqual([])
    })

    it('leave out plans that another subscription excludes, and plans that are not on sale', async () => {
      const id = await subscribe(['small'])
      await subscribe(['other'])
      const apart = `offers:\n  - { key: other, type: subscription, name: { fra: Autre }, price: "20.00", every: month, packages: [sport], excludes: [middle] }`
      await shop.sell(apart)
      // The subscription to `other` keeps the terms of its purchase, which do not exclude `middle`.
      expect((await changes(id)).map(({ title }) => title)).toContain('Moyen')
      const [, second] = await list()
      await cancel(second?.id ?? 0)
      await work(MONTH_1)
      await work(MONTH_1 + MINUTE_MS)
      await subscribe(['other'])
      const shown = (await changes(id)).map(({ title }) => title)
      expect(shown).not.toContain('Moyen')
      expect(shown).not.toContain('Fini')
      await shop.sell(PLANS)
    })

    it('name the options that they do not allow', async () => {
      await subscribe(['small', 'option'])
      const [plan] = await list()
      expect((await changeTo(plan?.id ?? 0, 'large')).endsOptions).toEqual(['Option'])
      expect((await changeTo(plan?.id ?? 0, 'middle')).endsOptions).toEqual([])
      expect((await changeTo(plan?.id ?? 0, 'free')).endsOptions).toEqual(['Option'])
    })

    it('are refused for the subscription of another account, for an unknown one, and to a suspended account', async () => {
      const other = await scene.make.actor()
      const theirs = await subscribe(['small'], CARDS.good, other)
      for (const subscriptionId of [theirs, 999_999])
        for (const operation of [listChanges, undoChange])
          expect(
            (await scene.service.call(operation, { subscriptionId }, scene.actor.tokens)).error.code,
          ).toBe(-404)
      const id = await subscribe(['small'])
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      for (const operation of [listChanges, undoChange])
        expect(
          (await scene.service.call(operation, { subscriptionId: id }, scene.actor.tokens)).error.code,
        ).toBe(-2409)
    })
  })

  it.each([listChanges, changeSubscription, undoChange])('$path needs valid ids', async (operation) => {
    for (const wrong of ['', '0', '-1', '1.5', 'x', '99999999999'])
      for (const field of operation === changeSubscription
        ? ['subscriptionId', 'idOption', 'idRevision']
        : ['subscriptionId']) {
        const fields = {
          subscriptionId: '1',
          idOption: '1',
          idRevision: '1',
          amount: '1.00',
          returnUrl: RETURN,
        }
        const response = await scene.service.app.inject({
          method: 'POST',
          url: operation.path,
          headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({ ...fields, [field]: wrong }).toString(),
        })
        expect(response.statusCode).toBe(400)
      }
  })

  it('a child needs the parental code to change a plan', async () => {
    const child = await scene.make.actor({ profile: { kid: true } })
    const fields = {
      subscriptionId: 1,
      idOption: 1,
      idRevision: 1,
      amount: '1.00',
      returnUrl: RETURN,
      policyValidation: true,
    }
    for (const operation of [listChanges, changeSubscription, undoChange])
      expect((await scene.service.call(operation, fields, child.tokens)).error.code).toBe(-1612)
  })

  it('the database has the period after a change once', async () => {
    const id = await subscribe(['small'])
    await change(id, 'setup')
    await work(MONTH_1)
    const rows = await db()
      .select()
      .from(subscriptionPeriods)
      .where(and(eq(subscriptionPeriods.subscriptionId, id), eq(subscriptionPeriods.state, 'paid')))
    expect(rows).toHaveLength(1)
  })
})
