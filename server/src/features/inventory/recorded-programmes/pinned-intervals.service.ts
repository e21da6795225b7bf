import { and, eq, gt, inArray, isNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { broadcasts, channels } from '../line-up/line-up.table.ts'
import { assets } from '../titles/titles.table.ts'
import { recordedProgrammes } from './recorded-programmes.table.ts'

/** Part of a channel's Timeline. Milliseconds since the Unix epoch. */
export interface Interval {
  from: number
  to: number
}

/**
 * Prevents new recordings from pinning intervals of these channels until the transaction ends. A sweep must call
 * this before it deletes rows with the condition {@link isUnpinned}. Without the lock, the deletion would not see
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

/**
 * Returns the SQL condition that nothing pins a part of a row's interval: no recording, and no event. The media of an
 * event is kept while its title exists, also if it is withdrawn, because withdrawn titles may return. Some days after
 * the title has expired, it is kept no longer.
 */
export function isUnpinned(
  db: Database | Transaction,
  { channelId, from, to }: Record<'channelId' | 'from' | 'to', AnyPgColumn>,
): SQL | undefined {
  const recorded = db
    .select({ one: sql`1` })
    .from(recordedProgrammes)
    .where(
      and(
        eq(recordedProgrammes.channelId, channelId),
        isNull(recordedProgrammes.unpinnedAt),
        gt(recordedProgrammes.pinnedTo, from),
        lt(recordedProgrammes.pinnedFrom, to),
      ),
    )
  const carried = db
    .select({ one: sql`1` })
    .from(broadcasts)
    .innerJoin(assets, eq(assets.id, broadcasts.assetId))
    .where(
      and(
        eq(broadcasts.channelId, channelId),
        gt(assets.endsAt, from),
        lt(assets.startsAt, to),
        or(isNull(assets.validTo), gt(assets.validTo, sql`now() - interval '7 days'`)),
      ),
    )
  return and(notExists(recorded), notExists(carried))
}
