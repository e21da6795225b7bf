import { checkOrderStatus } from '@ondine/contract/orders'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, deleteAsset } from '../../../../test/builders.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'
import { rowsOf } from '../../../database/rows.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { receipts } from '../receipts/receipts.table.ts'
import { orders } from './orders.table.ts'

/** Number of customers who pay at the same time. */
const BUYERS = 30
const QUARTER_MS = 15 * 60_000

describe.each(MAIN_DB)('orders that are paid at the same time, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())

  const db = () => scene.service.context.db
  /** An order that is paid at the bank, but not settled by the service yet. */
  interface PaidOrder {
    actor: Actor
    orderId: number
  }
  async function pays(actor: Actor, keys: string[], contentId?: number): Promise<PaidOrder> {
    const { orderId, action } = await shop.order(keys, contentId, actor)
    await shop.pay(action)
    return { actor, orderId }
  }
  async function payers(count: number): Promise<PaidOrder[]> {
    const all: PaidOrder[] = []
    for (let buyer = 0; buyer < count; buyer++)
      all.push(await pays(await scene.make.actor(), ['rental'], titles.encre))
    return all
  }
  /** Requests the status of all orders at the same time, as the customers' screens do. */
  const look = async (all: readonly PaidOrder[]) =>
    await Promise.all(all.map(async ({ actor, orderId }) => await shop.status(orderId, actor)))
  const rightsOf = async (all: readonly PaidOrder[]) => {
    const ids = all.map(({ actor }) => actor.account.id)
    const rows = await db().select().from(grants).where(inArray(grants.accountId, ids))
    return ids.map((id) => rows.filter(({ accountId }) => accountId === id).length)
  }
  const receiptsOf = async (all: readonly PaidOrder[]) => {
    const ids = all.map(({ actor }) => actor.account.id)
    const rows = await db()
      .select({ id: receipts.accountId, kind: receipts.kind, transaction: sql<string>`xmin::text` })
      .from(receipts)
      .where(inArray(receipts.accountId, ids))
    return { rows, counts: ids.map((id) => rows.filter((row) => row.id === id).length) }
  }
  const onceEach = (all: readonly PaidOrder[]) => all.map(() => 1)
  /**
   * Returns faults in the books: gaps in the receipt numbers, an unbalanced ledger, and customers' money without a
   * sale.
   */
  const faults = async () => {
    const numbers = await db().select().from(receipts).where(eq(receipts.kind, 'receipt'))
    const sorted = numbers.map(({ number }) => number).sort((one, other) => one - other)
    const [sums] = await rowsOf<{ total: number; customers: number }>(
      db(),
      sql`select coalesce(sum(cents), 0)::integer as total,
        coalesce(sum(cents) filter (where account = 'customers'), 0)::integer as customers from ledger_entries`,
    )
    return { gaps: sorted.filter((number, at) => number !== at + 1), ...sums }
  }
  const NONE = { gaps: [], total: 0, customers: 0 }

  it('give each account its right and one receipt, in a few transactions', async () => {
    const all = await payers(BUYERS)
    expect(new Set(await look(all))).toEqual(new Set(['executed']))
    expect(await rightsOf(all)).toEqual(onceEach(all))
    const { rows, counts } = await receiptsOf(all)
    expect(counts).toEqual(onceEach(all))
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(BUYERS / 2)
    const played = await Promise.all(all.map(async ({ actor }) => await shop.plays(titles.encre, actor)))
    expect(new Set(played)).toEqual(new Set([0]))
    expect(await faults()).toEqual(NONE)
  })

  it('start the plans of several accounts together', async () => {
    const all: PaidOrder[] = []
    for (let buyer = 0; buyer < 6; buyer++)
      all.push(await pays(await scene.make.actor(), buyer % 2 ? ['cinema-monthly', 'ultra'] : ['sport']))
    expect(new Set(await look(all))).toEqual(new Set(['executed']))
    expect((await receiptsOf(all)).counts).toEqual(onceEach(all))
    expect(await shop.plays(titles.match, all[0]?.actor)).toBe(0)
    expect(await shop.plays(titles.houle, all[1]?.actor)).toBe(0)
    expect(await faults()).toEqual(NONE)
  })

  it('an order for a title that has left the catalogue is refunded alone', async () => {
    const others = await payers(8)
    const film = await scene.make.asset('Partance', { inPackages: ['recent'] })
    const late = await pays(await scene.make.actor(), ['rental'], film.id)
    await deleteAsset(db(), film.id)
    const [state, ...states] = (await look([...others, late])).toReversed()
    expect(state).toBe('failed')
    expect(new Set(states)).toEqual(new Set(['executed']))
    expect((await shop.paymentOf(late.orderId)).state).toBe('refunded')
    expect(await rightsOf([...others, late])).toEqual([...onceEach(others), 0])
    expect((await receiptsOf([...others, late])).counts).toEqual([...onceEach(others), 0])
    expect(await faults()).toEqual(NONE)
  })

  it('an order for a plan that another order has given meanwhile is refunded alone', async () => {
    const others = await payers(8)
    const actor = await scene.make.actor()
    const yearly = await pays(actor, ['cinema-yearly'])
    expect(await look([await pays(actor, ['cinema-monthly'])])).toEqual(['executed'])
    const [state, ...states] = (await look([...others, yearly])).toReversed()
    expect(state).toBe('failed')
    expect(new Set(states)).toEqual(new Set(['executed']))
    expect((await shop.paymentOf(yearly.orderId)).state).toBe('refunded')
    expect(await rightsOf(others)).toEqual(onceEach(others))
    expect(await faults()).toEqual(NONE)
  })

  it.each([
    ['plans that exclude each other', ['cinema-yearly'], ['sport']],
    ['a plan and the same for another period', ['cinema-monthly'], ['cinema-yearly']],
  ])('of one account, %s: one is executed, the other refunded', async (_, one, other) => {
    const others = await payers(4)
    const { actor } = scene
    const both = [await pays(actor, one), await pays(actor, other)]
    const states = await look([...others, ...both])
    expect(states.slice(-2).sort()).toEqual(['executed', 'failed'])
    expect(new Set(states.slice(0, -2))).toEqual(new Set(['executed']))
    const payments = await Promise.all(both.map(async ({ orderId }) => await shop.paymentOf(orderId)))
    expect(payments.map(({ state }) => state).sort()).toEqual(['refunded', 'succeeded'])
    expect((await receiptsOf(both.slice(1))).counts).toEqual([1])
    expect(await faults()).toEqual(NONE)
  })

  it('of one account are all executed when they go together', async () => {
    const others = await payers(4)
    const { actor } = scene
    const both = [
      await pays(actor, ['rental'], titles.encre),
      await pays(actor, ['rental'], titles.sel),
      await pays(actor, ['cinema-monthly']),
    ]
    expect(new Set(await look([...others, ...both]))).toEqual(new Set(['executed']))
    expect(await rightsOf(both.slice(2))).toEqual([3])
    expect(await faults()).toEqual(NONE)
  })

  it.each([
    ['paid', { state: 'succeeded', paidAt: NOON, method: null }, 'executed'],
    ['under way', { state: 'processing' }, 'submitted'],
    ['declined', { state: 'failed' }, 'failed'],
  ] as const)(
    'spec 36: one of several requests past the time of an order learns that its payment is %s',
    async (_, heard, state) => {
      const other = await pays(await scene.make.actor(), ['rental'], titles.encre)
      const { orderId } = await shop.order(['rental'], titles.encre)
      const { takeOver } = shop.parts
      const at = NOON + QUARTER_MS
      const asked = [{ state: 'open', action: null } as const, undefined, heard, undefined]
      const [, ...taken] = await Promise.all([
        takeOver({ orderId: other.orderId, known: { state: 'open', action: null }, at: NOON }),
        ...asked.map(async (known) => await takeOver({ orderId, known, at })),
      ])
      expect(taken.map(({ order }) => order.state)).toEqual(asked.map(() => state))
      expect(await look([other])).toEqual(['executed'])
      expect(await faults()).toEqual(NONE)
    },
  )

  it('a right that the database refuses does not affect the other orders', async () => {
    const others = await payers(8)
    const stuck = await pays(await scene.make.actor(), ['rental'], titles.encre)
    const { id } = stuck.actor.account
    await db().execute(
      sql.raw(`create function refuse_one() returns trigger language plpgsql as $$
        begin if new.account_id = ${id} then raise exception 'no right for this one'; end if; return new; end $$`),
    )
    await db().execute(
      sql`create trigger refuse_one before insert on grants for each row execute function refuse_one()`,
    )
    try {
      const looks = [...others, stuck].map(async ({ actor, orderId }) => {
        const { status } = await scene.service.call(checkOrderStatus, { orderId }, actor.tokens)
        return status
      })
      expect(await Promise.all(looks)).toEqual([...others.map(() => 200), 500])
    } finally {
      await db().execute(sql`drop function refuse_one cascade`)
    }
    const [order] = await db().select().from(orders).where(eq(orders.id, stuck.orderId))
    expect(order?.state).toBe('to_execute')
    expect(await look([stuck])).toEqual(['executed'])
    expect(await rightsOf([...others, stuck])).toEqual([...onceEach(others), 1])
    expect(await faults()).toEqual(NONE)
  })
})
