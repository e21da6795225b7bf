import { ERRORS } from '@ondine/contract/errors'
import { checkOrderStatus, listPaymentMethods } from '@ondine/contract/orders'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { CARDS, Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'

/** Number of customers who pay with saved cards at the same time. */
const BUYERS = 16
/** Time that the bank takes to answer for a test card that answers late, in milliseconds. */
const LATE_MS = 30_000

describe.each(MAIN_DB)('saved cards that are charged at the same time, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())

  const db = () => scene.service.context.db
  /** Pays on the bank's page, which saves the card. @returns the name of the saved card */
  const saveCard = async (actor: Actor, card: string = CARDS.good) => {
    const { orderId, action } = await shop.order(['rental'], titles.encre, actor)
    await shop.pay(action, card)
    if (card === CARDS.confirmed) await shop.press(action, { do: 'confirm' })
    if (card === CARDS.late) scene.service.clock.advance(LATE_MS)
    expect(await shop.status(orderId, actor)).toBe('executed')
    const { result } = await scene.service.call(listPaymentMethods, {}, actor.tokens)
    const saved = result.find(({ label }) => label === `•••• ${card.slice(-4)}`)
    if (!saved) throw new Error('The card was not saved.')
    return saved.paymentMethod
  }
  const customers = async (count: number) => {
    const all: { actor: Actor; card: string }[] = []
    while (all.length < count) {
      const actor = await scene.make.actor()
      all.push({ actor, card: await saveCard(actor) })
    }
    return all
  }
  const fill = async (actors: readonly Actor[]) =>
    await Promise.all(actors.map(async (actor) => await shop.add(['rental'], titles.sel, actor)))
  const pay = async (all: readonly { actor: Actor; card: string }[]) =>
    await Promise.all(all.map(async ({ actor, card }) => await shop.ask({ paymentMethod: card }, actor)))
  /**
   * Returns the bank's payments for the second purchases of these customers, each with the id of the database
   * transaction that stored it.
   */
  const chargesOf = async (all: readonly { actor: Actor }[]) => {
    const keys = all.map(({ actor }) => String(actor.account.id))
    return await db()
      .select({
        customer: sandboxPayments.customer,
        cents: sandboxPayments.cents,
        transaction: sql<string>`sandbox_payments.xmin::text`,
      })
      .from(sandboxPayments)
      .where(inArray(sandboxPayments.customer, keys))
      .orderBy(sandboxPayments.id)
      .offset(all.length)
  }

  it('pay one order each, in a few transactions of the bank', async () => {
    const all = await customers(BUYERS)
    await fill(all.map(({ actor }) => actor))
    const answers = await pay(all)
    expect(answers.map(({ error, result }) => [error.code, result.action])).toEqual(all.map(() => [0, null]))
    for (const [index, { result }] of answers.entries()) {
      const actor = all[index]?.actor
      expect(await shop.status(result.orderId, actor)).toBe('executed')
      expect(await shop.plays(titles.sel, actor)).toBe(0)
      expect(Object.keys(await shop.movements(result.orderId)).toSorted()).toEqual(['payment', 'sale'])
    }
    const charges = await chargesOf(all)
    expect(charges).toHaveLength(BUYERS)
    expect(new Set(charges.map(({ customer }) => customer)).size).toBe(BUYERS)
    expect(new Set(charges.map(({ transaction }) => transaction)).size).toBeLessThan(BUYERS / 2)
  })

  it('each have their own outcome: paid, declined, to be confirmed, unanswered, or removed', async () => {
    const others = await customers(4)
    const declined = await scene.make.actor()
    const confirmed = await scene.make.actor()
    const late = await scene.make.actor()
    const removed = await scene.make.actor()
    const all = [
      ...others.slice(0, 2),
      { actor: declined, card: await saveCard(declined, CARDS.failsAtRenewal) },
      { actor: confirmed, card: await saveCard(confirmed, CARDS.confirmed) },
      { actor: late, card: await saveCard(late, CARDS.late) },
      { actor: removed, card: await saveCard(removed) },
      ...others.slice(2),
    ]
    await fill(all.map(({ actor }) => actor))
    const { id } = removed.account
    await db().update(payments).set({ methodId: null }).where(eq(payments.accountId, id))
    await db().delete(paymentMethods).where(eq(paymentMethods.accountId, id))
    const answers = await pay(all)
    expect(answers.map(({ error }) => error.code)).toEqual([0, 0, 0, 0, 0, -2109, 0, 0])
    const states = await Promise.all(
      all.map(async ({ actor }, at) =>
        actor === removed ? null : await shop.status(answers[at]?.result.orderId ?? 0, actor),
      ),
    )
    expect(states).toEqual([
      'executed',
      'executed',
      'failed',
      'submitted',
      'submitted',
      null,
      'executed',
      'executed',
    ])
    expect(await shop.plays(titles.sel, declined)).toBe(-11)
  })

  it('of one order are charged once, whichever card comes first', async () => {
    const actor = await scene.make.actor()
    const cards = [await saveCard(actor), await saveCard(actor, CARDS.confirmed)]
    const others = await customers(3)
    await fill([actor, ...others.map((other) => other.actor)])
    const before = (await chargesOf([{ actor }])).length
    const answers = await pay([...cards.map((card) => ({ actor, card })), ...others])
    expect(answers.slice(cards.length).map(({ error }) => error.code)).toEqual([0, 0, 0])
    const ofOne = answers.slice(0, cards.length)
    const refused = ofOne.filter(({ error }) => error.code !== 0)
    // After one card has bought the cart, the request with the other card finds an empty cart.
    expect(refused.map(({ error }) => error.code)).toEqual(refused.map(() => ERRORS.nothingToPay.code))
    const orderIds = new Set(ofOne.flatMap(({ error, result }) => (error.code === 0 ? [result.orderId] : [])))
    expect(orderIds.size).toBe(1)
    const [orderId = 0] = orderIds
    expect(await chargesOf([{ actor }])).toHaveLength(before + 1)
    expect(await shop.status(orderId, actor)).toBe('executed')
    expect(Object.keys(await shop.movements(orderId)).toSorted()).toEqual(['payment', 'sale'])
  })

  it('a charge that the bank cannot store fails alone, and succeeds when it is asked for again', async () => {
    const [stuck, ...others] = await customers(5)
    if (!stuck) throw new Error('Nobody is there.')
    await fill([stuck, ...others].map(({ actor }) => actor))
    await db().execute(
      sql.raw(`create function refuse_one() returns trigger language plpgsql as $$
        begin if new.customer = '${stuck.actor.account.id}' then raise exception 'no charge of this one'; end if; return new; end $$`),
    )
    await db().execute(
      sql`create trigger refuse_one before insert on sandbox_payments for each row execute function refuse_one()`,
    )
    try {
      const answers = await pay([...others, stuck])
      expect(answers.map(({ status }) => status)).toEqual([...others.map(() => 200), 500])
      expect(
        await Promise.all(
          others.map(async ({ actor }, at) => await shop.status(answers[at]?.result.orderId ?? 0, actor)),
        ),
      ).toEqual(others.map(() => 'executed'))
    } finally {
      await db().execute(sql`drop function refuse_one cascade`)
    }
    const [again] = await pay([stuck])
    expect(await shop.status(again?.result.orderId ?? 0, stuck.actor)).toBe('executed')
  })

  it('show their order to its own customer alone', async () => {
    const all = await customers(4)
    await fill(all.map(({ actor }) => actor))
    const orderIds = (await pay(all)).map(({ result }) => result.orderId)
    const own = await Promise.all(
      all.map(async ({ actor }, at) => await shop.status(orderIds[at] ?? 0, actor)),
    )
    expect(own).toEqual(all.map(() => 'executed'))
    const ofOthers = await Promise.all(
      all.map(
        async ({ actor }, at) =>
          await scene.service.call(checkOrderStatus, { orderId: orderIds.at(at - 1) ?? 0 }, actor.tokens),
      ),
    )
    expect(ofOthers.map(({ error }) => error.code)).toEqual(all.map(() => -404))
  })
})
