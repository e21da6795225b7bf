import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import type { Transaction } from '../../../database/connection.ts'
import { book, bookRefund } from './ledger.service.ts'
import { ledgerEntries, ledgerMovements } from './ledger.table.ts'
import { payments } from './payments.table.ts'

describe.each(MAIN_DB)('the ledger, on a database of kind %s', (kind) => {
  const scene = testScene(kind)
  let paymentId: number

  const db = () => scene.service.context.db
  const inOne = async (work: (tx: Transaction) => Promise<unknown>) =>
    await db().transaction(async (tx) => void (await work(tx)))
  /** Returns the message of the database error with which `work` fails. */
  async function refusalOf(work: Promise<unknown>): Promise<string> {
    try {
      await work
    } catch (error) {
      return error instanceof Error ? `${error.message} ${String(error.cause)}` : ''
    }
    return 'was let through'
  }
  const bookPayment = async (tx: Transaction) =>
    await book(tx, { received: [{ paymentId, cents: 899, at: NOON }], sold: [] })
  const count = async () => [await db().$count(ledgerMovements), await db().$count(ledgerEntries)]
  const movement = async (
    tx: Transaction,
    entries: { account: 'provider' | 'customers' | 'sales'; cents: number }[],
  ) => {
    const [row] = await tx
      .insert(ledgerMovements)
      .values({ kind: 'payment', paymentId, at: NOON })
      .returning()
    const movementId = row?.id ?? 0
    if (entries.length > 0)
      await tx.insert(ledgerEntries).values(entries.map((entry) => ({ movementId, ...entry })))
  }

  beforeAll(() => expect(scene.service.context.connection.kind).toBe(kind))
  beforeEach(async () => {
    const [row] = await db()
      .insert(payments)
      .values({
        accountId: scene.actor.account.id,
        provider: 'sandbox',
        key: `key ${Math.random()}`,
        cents: 899,
        description: '',
        language: 'fra',
        returnUrl: '/',
        expiresAt: NOON,
      })
      .returning()
    paymentId = row?.id ?? 0
  })

  it('accepts movements that balance', async () => {
    await inOne(async (tx) => {
      await bookPayment(tx)
      await book(tx, { received: [], sold: [{ paymentId, cents: 899, vatBasisPoints: 2000, at: NOON }] })
    })
    expect((await count())[1]).toBeGreaterThanOrEqual(5)
  })

  it('accepts a payment and its sale in one call', async () => {
    const moved = { paymentId, cents: 899, at: NOON }
    const [movements = 0, entries = 0] = await count()
    await inOne(
      async (tx) => await book(tx, { received: [moved], sold: [{ ...moved, vatBasisPoints: 2000 }] }),
    )
    expect(await count()).toEqual([movements + 2, entries + 5])
  })

  it.each([
    [
      'entries that do not sum to zero',
      [
        { account: 'provider', cents: 899 },
        { account: 'customers', cents: -898 },
      ],
    ],
    ['a single entry', [{ account: 'provider', cents: 899 }]],
    ['no entry at all', []],
    [
      'an entry of nothing',
      [
        { account: 'provider', cents: 0 },
        { account: 'customers', cents: 0 },
      ],
    ],
  ] as const)('refuses a movement with %s at commit', async (_what, entries) => {
    const before = await count()
    const refusal = await refusalOf(inOne(async (tx) => await movement(tx, [...entries])))
    expect(refusal).toMatch(/does not balance|ledger_entries_of_something/)
    expect(await count()).toEqual(before)
  })

  it('refuses an entry that is added to a movement later', async () => {
    await inOne(bookPayment)
    const before = await count()
    const late = db().execute(
      sql`insert into ledger_entries select max(id), 'sales', 5 from ledger_movements`,
    )
    expect(await refusalOf(late)).toMatch(/does not balance/)
    expect(await count()).toEqual(before)
  })

  it('refuses a refund that is booked twice', async () => {
    const refund = async () =>
      await inOne(async (tx) => await bookRefund(tx, { paymentId, cents: 899, at: NOON }))
    await inOne(bookPayment)
    await refund()
    expect(await refusalOf(refund())).toMatch(/unique/)
  })

  it.each<[string, SQL]>([
    ['a changed amount', sql`update ledger_entries set cents = cents * 2`],
    ['a moved movement', sql`update ledger_movements set at = now()`],
    ['a deleted entry', sql`delete from ledger_entries`],
    ['a deleted movement', sql`delete from ledger_movements`],
    ['an emptied table', sql`truncate ledger_entries`],
    ['emptied tables', sql`truncate ledger_movements cascade`],
  ])('refuses %s', async (_what, statement) => {
    await inOne(bookPayment)
    const before = await count()
    expect(await refusalOf(db().execute(statement))).toMatch(/append-only/)
    expect(await count()).toEqual(before)
  })
})
