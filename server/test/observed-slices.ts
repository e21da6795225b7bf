import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rowsOf } from '../src/database/rows.ts'
import type { TestService } from './service.ts'

/** The slices of some work on a table. */
export interface ObservedSlices {
  /** Largest number of the table's rows that one transaction wrote or deleted. */
  most: number
  /** Number of all rows that were written or deleted. */
  rows: number
  /**
   * Largest number of rows between two turns of the event loop. PostgreSQL does not block the event loop, so
   * several transactions may end between two turns.
   */
  mostBetweenTurns: number
  /** Number of calls that were answered meanwhile. */
  calls: number
}

/**
 * Observes how work on a table is divided into slices. Triggers record the number of rows of each statement, and
 * calls run at the same time. The numbers of rows do not depend on the speed of the machine.
 */
export async function observeSlices(
  { app, context: { db } }: Pick<TestService, 'app' | 'context'>,
  table: string,
  work: () => Promise<unknown>,
): Promise<ObservedSlices> {
  const name = sql.identifier(table)
  const notes = sql.identifier(`noted_${table}`)
  const note = sql.identifier(`note_${table}`)
  await db.execute(sql`create table ${notes} (rows int not null, kind text not null, slice xid8 not null)`)
  await db.execute(sql`create function ${note}() returns trigger language plpgsql as $$
    begin
      insert into ${notes} select count(*), tg_op, pg_current_xact_id() from noted;
      return null;
    end $$`)
  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ])
    await db.execute(sql`create trigger ${sql.identifier(`note_${event}`)} after ${sql.raw(event ?? '')} on ${name}
      referencing ${sql.raw(rows ?? '')} table as noted for each statement execute function ${note}()`)
  const countNoted = async (): Promise<number> => {
    const [row] = await rowsOf<{ rows: number }>(
      db,
      sql`select coalesce(sum(rows), 0)::int as rows from ${notes}`,
    )
    return row?.rows ?? 0
  }

  const over = new AbortController()
  let calls = 0
  let mostBetweenTurns = 0
  async function call(): Promise<void> {
    while (!over.signal.aborted) {
      // Waits a turn of the event loop, because this loop would otherwise block all other work.
      await setImmediate()
      expect((await app.inject('/healthz')).statusCode).toBe(200)
      calls++
    }
  }
  async function look(): Promise<void> {
    for (let before = 0; !over.signal.aborted; ) {
      await setImmediate()
      const now = await countNoted()
      mostBetweenTurns = Math.max(mostBetweenTurns, now - before)
      before = now
    }
  }
  const watching = Promise.all([call(), look()])
  try {
    await work().finally(() => over.abort())
    await watching
    const [found] = await rowsOf<{ most: number }>(
      db,
      sql`select coalesce(max(rows), 0)::int as most from (select sum(rows) as rows from ${notes} group by slice, kind) as slices`,
    )
    return { most: found?.most ?? 0, rows: await countNoted(), mostBetweenTurns, calls }
  } finally {
    await db.execute(sql`drop function ${note} cascade`)
    await db.execute(sql`drop table ${notes}`)
  }
}
