import { anonymizeMe } from '@ondine/contract/account-calls'
import { listOptions } from '@ondine/contract/orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import { and, desc, eq } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { pdfText } from '../../../../test/pdf-text.ts'
import { CARDS, SOLD } from '../../../../test/purchases.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, MONTH_1, MONTH_2, renewalScene } from '../../../../test/renewal-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { receipts } from '../receipts/receipts.table.ts'
import { orders, subscriptionEmails, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { refundOrder } from './refund-order.ts'
import { renewSubscriptions } from './renewals.service.ts'

describe.each(MAIN_DB)('subscriptions after their purchase, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    db,
    jobParts,
    at,
    work,
    workWithSilentBank,
    list,
    only,
    renewals,
    emailsOf,
    subscribe,
    cancel,
    resume,
  } = renewalScene(kind)

  describe('a renewal', () => {
    it('is charged once when its period begins, is booked, and gives the period', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 - 1)
      expect(await renewals()).toEqual([])
      await work(MONTH_1)
      await work(MONTH_1 + MINUTE_MS)
      const [renewal, ...more] = await renewals()
      expect([renewal?.state, renewal?.cents, more]).toEqual(['executed', 899, []])
      expect(await shop.movements(renewal?.id ?? 0)).toEqual({
        payment: { provider: 899, customers: -899 },
        sale: { customers: 899, sales: -749, vat: -150 },
      })
      expect((await only()).validTo).toBe(MONTH_2 / 1000)
      at(MONTH_2 - 1)
      expect(await shop.plays(titles.houle)).toBe(0)
      at(MONTH_2)
      expect(await shop.plays(titles.houle)).toBe(-11)
    })

    it('has a receipt with its period, and a credit note for its refund, which ends the subscription', async () => {
      const first = await subscribe(['cinema-monthly'])
      await work(MONTH_1)
      const [renewal] = await renewals()
      const receipts = async () => (await scene.service.call(listReceipts, {}, scene.actor.tokens)).result
      expect((await receipts())[0]).toMatchObject({
        kind: 'receipt',
        amount: '8.99',
        lines: [{ title: 'Cinéma', from: MONTH_1 / 1000, to: MONTH_2 / 1000 }],
      })
      at(MONTH_1 + DAY_MS)
      // The refund of a past period does not end the current period.
      await refundOrder(shop.parts, first)
      expect([await shop.plays(titles.houle), (await list()).length]).toEqual([0, 1])
      await refundOrder(shop.parts, renewal?.id ?? 0)
      expect([await shop.plays(titles.houle), await list()]).toEqual([-11, []])
      expect((await receipts()).slice(0, 2)).toMatchObject([
        { kind: 'creditNote', amount: '8.99' },
        { kind: 'creditNote', amount: '8.99' },
      ])
      await work(MONTH_2)
      expect((await renewals()).length).toBe(1)
    })

    it.each([
      ['eng', 'Cinema', 'Receipt'],
      ['deu', 'Kino', 'Reçu'],
      ['ita', 'Cinéma', 'Reçu'],
    ])('names the plan in the language of its account (%s)', async (language, title, heading) => {
      await shop.sell(SOLD.replace('{ fra: Cinéma, eng: Cinema }', '{ fra: Cinéma, eng: Cinema, deu: Kino }'))
      onTestFinished(async () => await shop.sell())
      const { account, tokens } = scene.actor
      await db().update(accounts).set({ language }).where(eq(accounts.id, account.id))
      await subscribe(['cinema-monthly'])
      await work(MONTH_1)
      const [renewal] = await renewals()
      expect(await shop.paymentOf(renewal?.id ?? 0)).toMatchObject({ language, description: title })
      const [row] = await db()
        .select()
        .from(receipts)
        .where(eq(receipts.accountId, account.id))
        .orderBy(desc(receipts.id))
      expect(row?.lines[0]?.title).toBe(title)
      const url = readReceipt.path.replace(':idReceipt', String(row?.id))
      const { rawPayload } = await scene.service.app.inject({ method: 'GET', url, headers: tokens })
      // Receipts are printed in French if the service lacks the customer's language.
      expect(pdfText(rawPayload)).toContain(heading)
      expect(pdfText(rawPayload)).toContain(title)
    })

    it('leaves no moment without access, even when the job runs late', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 - HOUR_MS)
      for (const time of [MONTH_1 - 1, MONTH_1, MONTH_1 + 10 * MINUTE_MS]) {
        at(time)
        expect(await shop.plays(titles.houle)).toBe(0)
      }
      await work(MONTH_1 + 11 * MINUTE_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
    })

    it('is charged once even when a process is killed between the charge and its booking', async () => {
      await subscribe(['cinema-monthly'])
      const parts = jobParts()
      const { bank } = shop
      const charge = bank.charge.bind(bank)
      bank.charge = async (...asked) => {
        await charge(...asked)
        throw new Error('The process is killed.')
      }
      at(MONTH_1)
      await renewSubscriptions({ ...parts, providers: new Map([['sandbox', bank]]) })
      expect((await renewals()).map(({ state }) => state)).toEqual(['submitted'])
      await work(MONTH_1 + HOUR_MS)
      const [renewal, ...more] = await renewals()
      expect([renewal?.state, more]).toEqual(['executed', []])
      expect(Object.keys(await shop.movements(renewal?.id ?? 0)).toSorted()).toEqual(['payment', 'sale'])
    })

    it('is made once when several processes run the job at the same time', async () => {
      const others = await Promise.all(Array.from({ length: 5 }, async () => await scene.make.actor()))
      for (const actor of others) await subscribe(['cinema-monthly'], CARDS.good, actor)
      at(MONTH_1)
      await Promise.all([1, 2, 3].map(async () => await renewSubscriptions(jobParts())))
      for (const actor of others)
        expect((await renewals(actor)).map(({ state }) => state)).toEqual(['executed'])
    })

    it('is independent of others at the same moment: one is refunded, one is retried, the others are executed', async () => {
      const [leaving, declined, optional, ...others] = await Promise.all(
        Array.from({ length: 6 }, async () => await scene.make.actor({ tokenDays: 800 })),
      )
      if (!leaving || !declined || !optional) throw new Error('There are too few customers.')
      await subscribe(['cinema-monthly'], CARDS.failsAtRenewal, declined)
      // This account has two renewals at the same moment, on one card.
      await subscribe(['cinema-monthly', 'ultra'], CARDS.good, optional)
      for (const actor of [leaving, ...others]) await subscribe(['cinema-monthly'], CARDS.good, actor)
      const { id: left } = await only(leaving)
      const { bank } = shop
      const charge = bank.charge.bind(bank)
      bank.charge = async (request, reference) => {
        const answer = await charge(request, reference)
        if (request.customer === String(leaving.account.id)) await cancel(left, leaving.tokens)
        return answer
      }
      at(MONTH_1)
      await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
      const states = async (actor: Actor) => (await renewals(actor)).map(({ state }) => state)
      expect(await states(leaving)).toEqual(['failed'])
      const [refused] = await renewals(leaving)
      expect((await shop.paymentOf(refused?.id ?? 0)).state).toBe('refunded')
      expect(await states(declined)).toEqual(['failed'])
      expect(await states(optional)).toEqual(['executed', 'executed'])
      for (const actor of others) expect(await states(actor)).toEqual(['executed'])
      const [renewal] = await renewals(others[0])
      expect(await shop.movements(renewal?.id ?? 0)).toEqual({
        payment: { provider: 899, customers: -899 },
        sale: { customers: 899, sales: -749, vat: -150 },
      })
      const numbers = (await db().select().from(receipts).where(eq(receipts.kind, 'receipt')))
        .map(({ number }) => number)
        .toSorted((one, other) => one - other)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    })

    it('keeps the terms of the purchase: the introduction, then the full price of the revision', async () => {
      await subscribe(['sport'])
      const dearer = `offers:\n  - { key: sport, type: subscription, name: { fra: Sport }, price: "9.00", every: month, packages: [sport] }`
      await shop.sell(dearer)
      for (const month of [1, 2, 3, 4]) await work(Date.UTC(2026, month, 15, 12))
      expect((await renewals()).map(({ cents }) => cents)).toEqual([249, 249, 500, 500])
      await shop.sell()
    })

    it('counts months from the first day: 31 January, 28 February, 31 March', async () => {
      at(Date.UTC(2026, 0, 31, 10))
      await subscribe(['cinema-monthly'])
      const ends: string[] = []
      for (const day of [Date.UTC(2026, 1, 28, 10), Date.UTC(2026, 2, 31, 10), Date.UTC(2026, 3, 30, 10)]) {
        await work(day - HOUR_MS)
        ends.push(new Date((await only()).validTo * 1000).toISOString().slice(0, 13))
        await work(day)
      }
      expect(ends).toEqual(['2026-02-28T10', '2026-03-31T10', '2026-04-30T10'])
    })

    it('begins a trial’s first paid period with a card that the account has', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      await shop.pay(action)
      await shop.status(orderId)
      await shop.add(['trial'])
      await shop.ask({ paymentData: undefined })
      await work(NOON + 14 * DAY_MS)
      expect((await renewals()).map(({ state, cents }) => [state, cents])).toEqual([['executed', 400]])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2026, 1, 28, 12))
    })

    it('of a trial without a card ends the trial and its access', async () => {
      const change = await changeConfigurationOf(scene.service, { 'offers.isCardAskedForTrial': false })
      await shop.add(['trial'])
      await shop.ask({ paymentData: undefined })
      await change.undo()
      expect(await shop.plays(titles.match)).toBe(0)
      expect((await only()).next.step).toBe('ends')
      await work(NOON + 14 * DAY_MS - HOUR_MS)
      at(NOON + 14 * DAY_MS)
      expect(await shop.plays(titles.match)).toBe(-11)
      await work(NOON + 14 * DAY_MS)
      expect([await list(), await renewals()]).toEqual([[], []])
      expect(emailsOf()).toEqual(['subscriptionOver'])
    })

    it('without a card is not announced by e-mail when the subscription is resumed', async () => {
      const change = await changeConfigurationOf(scene.service, { 'offers.isCardAskedForTrial': false })
      await shop.add(['trial'])
      await shop.ask({ paymentData: undefined })
      await change.undo()
      const { id } = await only()
      await cancel(id)
      expect((await resume(id)).result).toMatchObject({ statusId: 10, next: { step: 'ends' } })
      const stored = await db()
        .select()
        .from(subscriptionEmails)
        .where(eq(subscriptionEmails.subscriptionId, id))
      expect(stored.map(({ letter }) => letter)).toEqual(['subscriptionCancelled'])
    })

    it('after a day of downtime is charged once, and the next renewal keeps its day', async () => {
      await subscribe(['cinema-monthly'])
      await work(MONTH_1 + DAY_MS)
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
      expect((await only()).validTo).toBe(MONTH_2 / 1000)
    })

    it('after three months of downtime charges only the month that has begun', async () => {
      await subscribe(['cinema-monthly'])
      await work(Date.UTC(2026, 3, 20))
      expect((await renewals()).map(({ state }) => state)).toEqual(['executed'])
      expect((await only()).validTo * 1000).toBe(Date.UTC(2026, 4, 15, 12))
    })

    it('is not a purchase: an open renewal is in no list of offers', async () => {
      await subscribe(['cinema-monthly'])
      await workWithSilentBank(MONTH_1)
      const { result } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(result.map(({ statusId }) => statusId)).toEqual([10])
    })

    it('of a plan that costs nothing needs no card', async () => {
      await subscribe(['once'])
      await work(NOON + 7 * DAY_MS)
      expect((await renewals()).map(({ state, paymentId }) => [state, paymentId])).toEqual([
        ['executed', null],
      ])
      expect(await shop.plays(titles.match)).toBe(0)
    })

    it('of an option ends with the plan that it needs', async () => {
      await subscribe(['cinema-monthly', 'ultra'])
      const [plan, option] = await list()
      await cancel(plan?.id ?? 0)
      expect((await list()).map(({ id, next }) => [id, next.step])).toEqual([
        [plan?.id, 'ends'],
        [option?.id, 'ends'],
      ])
      await work(MONTH_1)
      expect([await list(), await renewals()]).toEqual([[], []])
    })

    it('charges nothing to a suspended or deleted account', async () => {
      const deleted = await scene.make.actor({ tokenDays: 800 })
      await subscribe(['cinema-monthly'])
      await subscribe(['cinema-monthly'], CARDS.good, deleted)
      await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
      await scene.service.call(anonymizeMe, {}, deleted.tokens)
      await work(MONTH_1)
      expect([await renewals(), await renewals(deleted)]).toEqual([[], []])
      const [row] = await db()
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.accountId, deleted.account.id))
      expect([row?.statusId, row?.endedAt]).toEqual([40, NOON])
      expect(emailsOf()).toEqual([])
    })
  })

  it('the database refuses a second row for a period or its order', async () => {
    await subscribe(['cinema-monthly'])
    await work(MONTH_1)
    const { id } = await only()
    const [row] = await db()
      .select()
      .from(subscriptionPeriods)
      .where(and(eq(subscriptionPeriods.subscriptionId, id), eq(subscriptionPeriods.period, 2)))
    if (!row) throw new Error('There is no second period.')
    const { id: _, ...again } = row
    await expect(db().insert(subscriptionPeriods).values(again)).rejects.toThrow()
    const [
      { id: _order, paymentId: _payment, content: _content, ...executed } = {
        id: 0,
        paymentId: 0,
        content: '',
      },
    ] = await renewals()
    await expect(
      db()
        .insert(orders)
        .values({ ...(executed as typeof orders.$inferInsert), content: 'again' }),
    ).rejects.toThrow()
  })
})
