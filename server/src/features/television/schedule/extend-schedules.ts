import { isDeepStrictEqual } from 'node:util'
import type { Layout } from '@ondine/media/layout'
import type { TrackSet } from '@ondine/media/track-set'
import type { Database } from '../../../database/connection.ts'
import { lastMidnight } from '../../../time/local-time.ts'
import type { ScheduleCursor } from '../../inventory/line-up/schedule-cursor.ts'
import { type ScheduleRules, titlesOf } from '../../inventory/line-up/schedule-rules.service.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { lockGuide } from '../guide-import/programmes.service.ts'
import { layoutFor, pieceOf } from './channel-layout.ts'
import { createProgrammeResolver, type StockedResolver } from './programme-resolver.ts'
import {
  appendEntries,
  findByTitles,
  findChannelsDue,
  lockChannel,
  type ResolvedRow,
  type ScheduledChannel,
  trimEntries,
} from './schedule.repository.ts'
import { firstCursor, lastRoundTime, planEntries } from './schedule.ts'

/** Limits of scheduling. Times are milliseconds; other values are counts. */
export const SCHEDULE = {
  /** Minimum time that every channel is scheduled ahead, by default. */
  aheadMs: 48 * 3600_000,
  /**
   * How much further than `aheadMs` an extension plans, as a fraction of `aheadMs` (an hour for two days). So most
   * rounds have nothing to do.
   */
  stepShare: 1 / 48,
  /**
   * How far ahead a channel is scheduled while titles in its rules are being prepared. This is far enough to play,
   * and short enough that the prepared titles appear soon.
   */
  preparingAheadMs: 10 * 60_000,
  /**
   * How long after a channel's first programme an unknown title counts as being prepared, because it may still be
   * imported.
   */
  settlingMs: 30 * 60_000,
  /** How far in the past a new channel starts, so that its first manifest has a full window of segments. */
  runInMs: 2 * 60_000,
  /** How long entries are kept after their end. */
  keepMs: 7 * 24 * 3600_000,
  /**
   * Maximum number of entries per transaction. In the embedded database, which has one connection, other work
   * waits until the transaction ends.
   */
  batch: 500,
  /** Number of channels whose titles one query looks up. */
  group: 100,
} as const

/** Result of a round of scheduling. */
export interface Extension {
  channels: number
  entries: number
  trimmed: number
}

/**
 * Schedules every channel ahead, and deletes entries that ended more than a week ago. Scheduled entries are
 * published and never change. If the process is killed, the next round continues where this round stopped. Several
 * processes may run this function concurrently.
 *
 * @param now milliseconds since the Unix epoch.
 * @param signal ends the work after the current batch.
 * @param aheadMs minimum time that channels are scheduled ahead, in milliseconds.
 */
export async function extendSchedules(
  db: Database,
  trackSets: TrackSetStore,
  now: number,
  signal: AbortSignal = new AbortController().signal,
  aheadMs: number = SCHEDULE.aheadMs,
): Promise<Extension> {
  const done: Extension = { channels: 0, entries: 0, trimmed: 0 }
  const due = now + aheadMs
  let after = 0
  while (!signal.aborted) {
    const group = await findChannelsDue(db, due, after, SCHEDULE.group)
    const last = group.at(-1)
    if (!last) break
    after = last.id
    const titles = new Set(group.flatMap(({ rules }) => titlesOf(rules)))
    const rows = await findByTitles(db, [...titles], now)
    for (const channel of group) {
      const added = await extendChannel(db, trackSets, channel, rows, { now, aheadMs }, signal)
      if (added > 0) done.channels++
      done.entries += added
    }
  }
  done.trimmed = await trim(db, now - SCHEDULE.keepMs, signal)
  return done
}

async function extendChannel(
  db: Database,
  trackSets: TrackSetStore,
  { id, rules }: ScheduledChannel,
  rows: readonly ResolvedRow[],
  { now, aheadMs }: { now: number; aheadMs: number },
  signal: AbortSignal,
): Promise<number> {
  const own = rowsOf(rows, rules)
  const found = await trackSets.getAll(
    own.flatMap(({ mainTrackSetId, trailerTrackSetId }) =>
      [mainTrackSetId, trailerTrackSetId].filter((wanted) => wanted !== null),
    ),
  )
  let added = 0
  let layout: Layout | undefined
  // The resolver first needs a piece when entries are planned. The layout is known then.
  const piece = (trackSet: TrackSet, assetId: number) => layout && pieceOf(layout, trackSet, assetId)
  for (let more = true; more && !signal.aborted; ) {
    more = await db.transaction(async (tx) => {
      // Lock the guide: an import may be removing the last other showing of a title, together with the title's
      // search entry.
      await lockGuide(tx, 'additions')
      const channel = await lockChannel(tx, id)
      if (!channel) return false
      const from = cursorAt(channel, now, aheadMs)
      const resolver = createProgrammeResolver(own, found, piece)
      const until = now + horizonMs(channel, resolver, now, aheadMs)
      if (from.endsAt >= until) return false
      // This is slow with a large library. So do it only if there is something to schedule, and only once, unless
      // another process has changed the layout between two batches.
      if (!layout || !isDeepStrictEqual(channel.layout, layout))
        layout = layoutFor(channel.layout, own, found, from.endsAt)
      if (!layout) return false
      const bounds = { until, limit: SCHEDULE.batch }
      const plan = planEntries(channel.rules, resolver, from, bounds, channel.sourceKey)
      const { entries, cursor } = plan
      if (entries.length === 0) return false
      await appendEntries(tx, id, plan, resolver, {
        layout,
        cursor,
        startedAt: channel.startedAt ?? now,
      })
      added += entries.length
      return cursor.endsAt < until
    })
  }
  return added
}

/**
 * Returns where a channel's schedule continues: normally at its end. If the schedule ends in the past, because the
 * service was down, it continues at the last round time (`lastRoundTime`). The sequence numbers continue in both
 * cases.
 */
function cursorAt(
  { cursor, rules, startedAt }: ScheduledChannel,
  now: number,
  aheadMs: number,
): ScheduleCursor {
  const present = lastRoundTime(rules, now - SCHEDULE.runInMs)
  if (!cursor) return firstCursor(firstStart(rules, present, aheadMs))
  // The past part of the channel's first day is still being scheduled. This is not an outage.
  const isBeginning = startedAt !== null && cursor.endsAt < startedAt
  if (isBeginning || cursor.endsAt > now || cursor.endsAt >= present) return cursor
  return { ...cursor, endsAt: present, unbrokenSince: present }
}

/**
 * Returns when a new channel begins. A channel with parts of the day begins at local midnight. So its guide is
 * full from the start, and past programmes can be watched (0037). The beginning lies at most `aheadMs` in the
 * past.
 */
function firstStart(rules: ScheduleRules, present: number, aheadMs: number): number {
  if (rules.kind !== 'dayparts') return present
  return Math.max(lastMidnight(rules.timeZone, present), lastRoundTime(rules, present - aheadMs))
}

/** Returns how far ahead a channel is scheduled now, in milliseconds. */
function horizonMs(
  { rules, startedAt }: ScheduledChannel,
  resolver: StockedResolver,
  now: number,
  aheadMs: number,
): number {
  const titles = titlesOf(rules)
  const settling = startedAt === null || now < startedAt + SCHEDULE.settlingMs
  const preparing = titles.some(
    (title) => resolver.isPending(title) || (settling && resolver.isUnknown(title)),
  )
  const whole = aheadMs * (1 + SCHEDULE.stepShare)
  return preparing ? Math.min(SCHEDULE.preparingAheadMs, whole) : whole
}

/** Selects the rows of the titles in `rules`. `rows` contains the titles of a whole group of channels. */
function rowsOf(rows: readonly ResolvedRow[], rules: ScheduleRules): ResolvedRow[] {
  const wanted = new Set(titlesOf(rules).map((title) => title.toLowerCase()))
  return rows.filter(({ titles, seriesNames }) =>
    [...Object.values(titles), ...Object.values(seriesNames ?? {})].some((name) =>
      wanted.has(name.toLowerCase()),
    ),
  )
}

async function trim(db: Database, before: number, signal: AbortSignal): Promise<number> {
  let all = 0
  while (!signal.aborted) {
    const gone = await trimEntries(db, before, SCHEDULE.batch)
    all += gone
    if (gone < SCHEDULE.batch) break
  }
  return all
}
