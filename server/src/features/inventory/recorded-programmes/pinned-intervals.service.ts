import { and, asc, eq, exists, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { channels } from '../line-up/line-up.table.ts'
import { recordedProgrammes } from './recorded-programmes.table.ts'

/** Part of a channel's Timeline. Milliseconds since the Unix epoch. */
export interface Interval {
  from: number
  to: number
}

/**
 * Returns the pinned intervals of a channel that begin before `before`, sorted by time and without overlaps. A
 * sweep of the channel's media must keep all segments in these intervals.
 */
export async function pinnedIntervals(
  db: Database | Transaction,
  channelId: number,
  before: number,
): Promise<Interval[]> {
  const rows = await db
    .select({ from: recordedProgrammes.pinnedFrom, to: recordedProgrammes.pinnedTo })
    .from(recordedProgrammes)
    .where(
      and(
        eq(recordedProgrammes.channelId, channelId),
        isNull(recordedProgrammes.unpinnedAt),
        lt(recordedProgrammes.pinnedFrom, before),
      ),
    )
    .orderBy(asc(recordedProgrammes.pinnedFrom))
  return merged(rows)
}

/** Merges intervals that overlap or touch. `sorted` is sorted by `from`. */
function merged(sorted: readonly Interval[]): Interval[] {
  const all: Interval[] = []
  for (const { from, to } of sorted) {
    const last = all.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/**
 * Prevents new recordings from pinning intervals of these channels until the transaction ends. A sweep must call
 * this before it deletes rows with the condition {@link isPinned}. Without the lock, the deletion would not see
 * recordings that are stored at the same time. A recording that waits for the lock may find less media afterwards.
 *
 * @returns the ids of the locked channels. Skips channels that another transaction has locked, for a later sweep.
 */
export async function lockPins(tx: Transaction, channelIds: readonly number[]): Promise<number[]> {
  // Storing a recording needs a key lock on the channel, because of its foreign key. `for update` blocks key locks.
  const locked = await tx
    .select({ id: channels.id })
    .from(channels)
    .where(inArray(channels.id, [...new Set(channelIds)]))
    .for('update', { skipLocked: true })
  return locked.map(({ id }) => id)
}

/**
 * Returns the SQL condition that the media of a recorded programme is, or will be, recorded. A programme that the guide
 * has dropped counts, because the guide may be wrong. A programme whose recording the guide forbids does not count.
 */
export function isRecorded(now: number): SQL | undefined {
  const { pinnedTo, settledAt, withheldAt } = recordedProgrammes
  return and(gt(pinnedTo, now), isNull(settledAt), isNull(withheldAt))
}

/** Returns the SQL condition that a recording pins a part of a row's interval. */
export function isPinned(
  db: Database | Transaction,
  { channelId, from, to }: Record<'channelId' | 'from' | 'to', AnyPgColumn>,
): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(recordedProgrammes)
      .where(
        and(
          eq(recordedProgrammes.channelId, channelId),
          isNull(recordedProgrammes.unpinnedAt),
          gt(recordedProgrammes.pinnedTo, from),
          lt(recordedProgrammes.pinnedFrom, to),
        ),
      ),
  )
}
