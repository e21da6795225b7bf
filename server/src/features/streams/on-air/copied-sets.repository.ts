import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { copiedSets } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { assets, trackSets } from '../../inventory/titles/titles.table.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'
import type { LiveSetRow } from './on-air.repository.ts'

/** Copy of an entry of a library channel. */
export interface CopiedEntry extends EntryRow {
  /** Whether the guide forbade recording the entry at the time of the copy. */
  isRecordingForbidden: boolean
}

/** Returns whether a copy contains the media of a live input. */
export async function isLiveCopy(db: Database, copyId: number): Promise<boolean> {
  const rows = await db
    .select({ position: copiedSets.position })
    .from(copiedSets)
    .where(and(eq(copiedSets.copyId, copyId), isNotNull(copiedSets.joint)))
    .limit(1)
  return rows.length > 0
}

/** Returns the copied entries of a library channel that play in `[from, to)`, in order. */
export async function findCopiedEntries(
  db: Database,
  copyId: number,
  from: number,
  to: number,
): Promise<CopiedEntry[]> {
  return await db
    .select({
      position: copiedSets.position,
      startsAt: copiedSets.startsAt,
      endsAt: copiedSets.endsAt,
      trackSetId: copiedSets.trackSetId,
      firstSegment: copiedSets.firstSegment,
      segmentCount: copiedSets.segmentCount,
      mediaSequence: copiedSets.mediaSequence,
      discontinuitySequence: copiedSets.discontinuitySequence,
      isRecordingForbidden: copiedSets.isRecordingForbidden,
    })
    .from(copiedSets)
    .where(
      and(
        eq(copiedSets.copyId, copyId),
        isNull(copiedSets.joint),
        gt(copiedSets.endsAt, from),
        lt(copiedSets.startsAt, to),
      ),
    )
    .orderBy(asc(copiedSets.position))
}

/** Returns the copied TrackSets of a live channel that end after `from`, in order, like `findLiveSets`. */
export async function findCopiedLiveSets(
  db: Database,
  copyId: number,
  from: number,
  position: number,
  to?: number,
): Promise<LiveSetRow[]> {
  const rows = await db
    .select({
      position: copiedSets.position,
      startsAt: copiedSets.startsAt,
      endsAt: copiedSets.endsAt,
      joint: copiedSets.joint,
      isSlate: copiedSets.isSlate,
      isRecordingForbidden: copiedSets.isRecordingForbidden,
      mediaSequence: copiedSets.mediaSequence,
      discontinuitySequence: copiedSets.discontinuitySequence,
      document: trackSets.document,
    })
    .from(copiedSets)
    .innerJoin(trackSets, eq(trackSets.id, copiedSets.trackSetId))
    .where(
      and(
        eq(copiedSets.copyId, copyId),
        isNotNull(copiedSets.joint),
        gte(copiedSets.position, position),
        gt(copiedSets.endsAt, from),
        to === undefined ? undefined : lt(copiedSets.startsAt, to),
      ),
    )
    .orderBy(asc(copiedSets.position))
  return rows.flatMap(({ joint, ...row }) => (joint === null ? [] : [{ ...row, joint }]))
}

/** Returns the ratings of copied entries by position. A removed title has its last known rating. */
export async function findCopiedRatings(
  db: Database,
  copyId: number,
  positions: readonly number[],
): Promise<Map<number, Rated>> {
  const rows = await ratingRows(db, copyId, positions)
  return new Map(
    rows.flatMap(({ position, rating }) => (rating === null ? [] : [[position, rating] as const])),
  )
}

/** Returns the stored ratings of copied TrackSets of a live channel by position, like `findStoredRatings`. */
export async function findStoredCopiedRatings(
  db: Database,
  copyId: number,
  positions: readonly number[],
): Promise<Map<number, Rated | null>> {
  const rows = await ratingRows(db, copyId, positions)
  return new Map(rows.map(({ position, rating }) => [position, rating] as const))
}

async function ratingRows(
  db: Database,
  copyId: number,
  positions: readonly number[],
): Promise<{ position: number; rating: Rated | null }[]> {
  if (positions.length === 0) return []
  const rows = await db
    .select({
      position: copiedSets.position,
      moralityLevel: sql<number | null>`coalesce(${assets.moralityLevel}, ${copiedSets.moralityLevel})`,
      adult: sql<boolean | null>`coalesce(${assets.adult}, ${copiedSets.adult})`,
    })
    .from(copiedSets)
    .leftJoin(assets, eq(assets.id, copiedSets.assetId))
    .where(and(eq(copiedSets.copyId, copyId), inArray(copiedSets.position, [...positions])))
  return rows.map(({ position, moralityLevel, adult }) => ({
    position,
    rating: moralityLevel === null || adult === null ? null : { moralityLevel, adult },
  }))
}
