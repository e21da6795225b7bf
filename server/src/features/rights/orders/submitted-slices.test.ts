import { listOptions } from '@ondine/contract/orders'
import { importVouchers } from '@ondine/contract/vouchers'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'
import { payments } from '../payments/payments.table.ts'
import { orders } from './orders.table.ts'

/** Number of customers who submit their carts at the same time. */
const BUYERS = 30
const QUARTER_MS = 15 * 60_000

describe.each(MAIN_DB)('carts that are submitted at the same time, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())

  const db = () => scene.service.context.db
  const somebody = async (count: number) => {
    const actors: Actor[] = []
    while (actors.length < count) actors.push(await scene.make.actor())
    return actors
  }
  const fill = async (actors: readonly Actor[], contentId = titles.encre) =>
    await Promise.all(actors.map(async (actor) => await shop.add(['rental'], contentId, actor)))
  const codesOf = (answers: readonly { error: { code: number } }[]) => answers.map(({ error }) => error.code)
  const well = (actors: readonly Actor[]) => actors.map(() => 0)
  const ordersOf = async (actors: readonly Actor[]) => {
    const ids = actors.map(({ account }) => account.id)
    const rows = await db()
      .select({
        id: orders.accountId,
        state: orders.state,
        cents: orders.cents,
        transaction: sql<string>`orders.xmin::text`,
      })
      .from(orders)
      .where(inArray(orders.accountId, ids))
    return { rows, counts: ids.map((id) => rows.filter((row) => row.id === id).length) }
  }
  const contentsOf = async ({ tokens }: Actor) =>
    (await scene.service.call(listOptions, {}, tokens)).result
      .filter(({ inCart }) => inCart)
      .map(({ idAsset }) => idAsset)

  it('become an order each, with a payment each, in a few transactions', async () => {
    const actors = await somebody(BUYERS)
    expect(codesOf(await fill(actors))).toEqual(well(actors))
    const answers = await Promise.all(actors.map(async (actor) => await shop.ask({ amount: '3.99' }, actor)))
    expect(codesOf(answers)).toEqual(well(actors))
    const { rows, counts } = await ordersOf(actors)
    expect(counts).toEqual(actors.map(() => 1))
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(BUYERS / 2)
    for (const [index, { result }] of answers.entries()) {
      const [row] = await db()
        .select({ accountId: payments.accountId, cents: payments.cents })
        .from(orders)
        .innerJoin(payments, eq(orders.paymentId, payments.id))
        .where(eq(orders.id, result.orderId))
      expect(row).toEqual({ accountId: actors[index]?.account.id, cents: 399 })
    }
  })

  it.each([
    ['sees another amount', { amount: '3.98' }, -409],
    ['sees a negative amount', { amount: '-3.99' }, -409],
    ['brings no way to pay', { paymentData: undefined }, -2108],
    ['brings an unknown voucher', { voucher: 'NOTHING' }, -911],
    ['brings somebody else’s card', { paymentMethod: 'saved-1' }, -2109],
  ])('a cart that %s gets its own error code, and the others get their orders', async (_, fields, code) => {
    const [wrong, ...others] = await somebody(9)
    if (!wrong) throw new Error('Nobody is there.')
    await fill([wrong, ...others])
    const answers = await Promise.all([
      ...others.slice(0, 4).map(async (actor) => await shop.ask({}, actor)),
      shop.ask(fields, wrong),
      ...others.slice(4).map(async (actor) => await shop.ask({}, actor)),
    ])
    expect(codesOf(answers)).toEqual([0, 0, 0, 0, code, 0, 0, 0, 0])
    expect((await ordersOf(others)).counts).toEqual(others.map(() => 1))
    expect((await ordersOf([wrong])).counts).toEqual([0])
    expect(await contentsOf(wrong)).toEqual([titles.encre])
  })

  it('free carts, paid carts and carts with different codes become orders together', async () => {
    const { tokens } = await scene.make.operator()
    const file = `vouchers:
  - { key: free, code: ALLFREE, percentage: 100 }
  - { key: half, code: HALF, percentage: 50 }`
    expect((await scene.service.call(importVouchers, { file }, tokens)).error.code).toBe(0)
    const actors = await somebody(9)
    await fill(actors)
    const codes = ['HALF', undefined, 'ALLFREE']
    const answers = await Promise.all(
      actors.map(async (actor, at) => await shop.ask({ voucher: codes[at % 3] }, actor)),
    )
    expect(codesOf(answers)).toEqual(well(actors))
    const { rows } = await ordersOf(actors)
    expect(actors.map(({ account }) => rows.find(({ id }) => id === account.id)?.cents)).toEqual(
      actors.map((_, at) => [199, 399, 0][at % 3]),
    )
    const states = await Promise.all(
      answers.map(async ({ result }, at) => await shop.status(result.orderId, actors[at])),
    )
    expect(states).toEqual(actors.map((_, at) => (at % 3 === 2 ? 'executed' : 'submitted')))
  })

  it('a cart with a plan that began meanwhile gets its own error code', async () => {
    const others = await somebody(4)
    await fill(others)
    const { actor } = scene
    // Add the yearly plan before the monthly plan is paid. After this payment, the cart would reject the yearly
    // plan.
    const monthly = await shop.order(['cinema-monthly'])
    await shop.add(['cinema-yearly'])
    await shop.pay(monthly.action)
    const answers = await Promise.all([
      ...others.map(async (other) => await shop.ask({}, other)),
      shop.status(monthly.orderId).then(async () => await shop.ask()),
    ])
    expect(codesOf(answers)).toEqual([0, 0, 0, 0, -1102])
    expect((await ordersOf([actor])).rows.map(({ state }) => state)).toEqual(['executed'])
  })

  it('two equal carts of one account become one order', async () => {
    const others = await somebody(4)
    await fill([...others, scene.actor])
    const answers = await Promise.all(
      [...others, scene.actor, scene.actor].map(async (actor) => await shop.ask({}, actor)),
    )
    expect(codesOf(answers)).toEqual([0, 0, 0, 0, 0, 0])
    expect(answers.at(-1)?.result.orderId).toBe(answers.at(-2)?.result.orderId)
    expect((await ordersOf([scene.actor])).counts).toEqual([1])
  })

  it('a cart next to an order that is past its time: the order expires first', async () => {
    const others = await somebody(4)
    const left = await shop.order(['rental'], titles.encre)
    await fill([...others, scene.actor])
    scene.service.clock.set(NOON + QUARTER_MS)
    try {
      const answers = await Promise.all(
        [...others, scene.actor].map(async (actor) => await shop.ask({}, actor)),
      )
      expect(codesOf(answers)).toEqual([0, 0, 0, 0, 0])
      expect(answers.at(-1)?.result.orderId).not.toBe(left.orderId)
      expect(await shop.status(left.orderId)).toBe('expired')
    } finally {
      scene.service.clock.set(NOON)
    }
  })

  it('carts that are filled at the same time contain the titles of their own customers', async () => {
    const actors = await somebody(8)
    await Promise.all([fill(actors.slice(0, 4)), fill(actors.slice(4), titles.sel)])
    expect(await Promise.all(actors.map(contentsOf))).toEqual(
      actors.map((_, index) => [index < 4 ? titles.encre : titles.sel]),
    )
    // Two concurrent calls of one customer must not leave both titles in the cart.
    await Promise.all([fill([scene.actor]), fill([scene.actor], titles.sel)])
    expect(await contentsOf(scene.actor)).toHaveLength(1)
  })

  it('an unknown title leaves its cart unchanged, and the other carts are filled', async () => {
    const actors = await somebody(4)
    await fill([scene.actor])
    const [answers, wrong] = await Promise.all([fill(actors), shop.add(['rental'], 99_999)])
    expect(wrong.error.code).toBe(-404)
    expect(codesOf(answers)).toEqual(well(actors))
    expect(await contentsOf(scene.actor)).toEqual([titles.encre])
  })

  it('an order that the database refuses does not affect the others', async () => {
    const [stuck, ...others] = await somebody(9)
    if (!stuck) throw new Error('Nobody is there.')
    await fill([stuck, ...others])
    await db().execute(
      sql.raw(`create function refuse_one() returns trigger language plpgsql as $$
        begin if new.account_id = ${stuck.account.id} then raise exception 'no order of this one'; end if; return new; end $$`),
    )
    await db().execute(
      sql`create trigger refuse_one before insert on orders for each row execute function refuse_one()`,
    )
    try {
      const answers = await Promise.all([...others, stuck].map(async (actor) => await shop.ask({}, actor)))
      expect(answers.map(({ status }) => status)).toEqual([...others.map(() => 200), 500])
    } finally {
      await db().execute(sql`drop function refuse_one cascade`)
    }
    expect((await ordersOf([...others, stuck])).counts).toEqual([...others.map(() => 1), 0])
    expect((await shop.ask({}, stuck)).error.code).toBe(0)
  })
})
