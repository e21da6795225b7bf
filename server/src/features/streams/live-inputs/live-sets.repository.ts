import type { Layout } from '@ondine/media/layout'
import { spanMilliseconds } from '@ondine/media/timeline'
import type { TrackSet } from '@ondine/media/track-set'
import { and, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { broadcasts, channels, liveReceivers, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { assets, trackSets } from '../../inventory/titles/titles.table.ts'
import { forbiddenIn, UNLIMITED } from '../on-air/forbidden-pieces.service.ts'
import { ratingsByGuide, UNANNOUNCED } from '../on-air/live-ratings.service.ts'

/** The lease on an input. One process at a time has the lease, and receives the input. */
export interface Lease {
  inputId: number
  holder: string
}

/**
 * Returns whether a process still receives an input. Until the end of the transaction, no other process takes over
 * the input.
 */
export async function keepLease(tx: Transaction, { inputId, holder }: Lease): Promise<boolean> {
  const rows = await tx
    .select({ inputId: liveReceivers.inputId })
    .from(liveReceivers)
    .where(and(eq(liveReceivers.inputId, inputId), eq(liveReceivers.holder, holder)))
    .for('share')
  return rows.length > 0
}

/** Returns the events that a channel carries between two times, in milliseconds since the Unix epoch. */
export async function eventsBetween(
  db: Database,
  channelId: number,
  from: number,
  to: number,
): Promise<{ id: number; startsAt: number | null; endsAt: number | null }[]> {
  return await db
    .select({ id: assets.id, startsAt: assets.startsAt, endsAt: assets.endsAt })
    .from(broadcasts)
    .innerJoin(assets, eq(assets.id, broadcasts.assetId))
    .where(and(eq(broadcasts.channelId, channelId), gt(assets.endsAt, from), lt(assets.startsAt, to)))
}

/** Returns whether a channel has media other than the slate. */
export async function hasSignal(db: Database, channelId: number): Promise<boolean> {
  const rows = await db
    .select({ position: liveSets.position })
    .from(liveSets)
    .where(and(eq(liveSets.channelId, channelId), eq(liveSets.isSlate, false)))
    .limit(1)
  return rows.length > 0
}

/** The newest TrackSet of a live channel. */
export interface LastSet {
  position: number
  trackSetId: string
  startsAt: number
  endsAt: number
  /** Sequence numbers at the end of the TrackSet. */
  mediaSequence: number
  discontinuitySequence: number
}

/**
 * Returns the newest TrackSet of a channel. Ends a TrackSet that still grows, because its process was killed.
 * Undefined for a channel that was never on the air.
 */
export async function endLastSet(tx: Transaction, channelId: number): Promise<LastSet | undefined> {
  return await endNewest(tx, eq(liveSets.channelId, channelId))
}

/** Ends a TrackSet after its last stored segment, if it still grows. */
export async function endSetOf(tx: Transaction, trackSetId: string): Promise<void> {
  await endNewest(tx, eq(liveSets.trackSetId, trackSetId))
}

/** Ends the newest TrackSet for which `condition` holds, if it still grows. */
async function endNewest(tx: Transaction, condition: SQL): Promise<LastSet | undefined> {
  // The row lock waits for a transaction that is adding a segment.
  const [row] = await tx
    .select({ set: liveSets, document: trackSets.document })
    .from(liveSets)
    .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
    .where(condition)
    .orderBy(desc(liveSets.position))
    .limit(1)
    .for('update', { of: trackSets })
  if (!row) return undefined
  const { set, document } = row
  const endsAt = set.endsAt ?? set.startsAt + spanMilliseconds(document)
  const { position, channelId, trackSetId, startsAt, mediaSequence, discontinuitySequence } = set
  if (set.endsAt === null) await endSet(tx, { channelId, trackSetId, startsAt, endsAt })
  return {
    position,
    trackSetId,
    startsAt,
    endsAt,
    mediaSequence: mediaSequence + segmentsOf(document),
    discontinuitySequence,
  }
}

function segmentsOf({ renditions: [first] }: TrackSet): number {
  return (first?.segments ?? []).reduce((sum, [, count]) => sum + count, 0)
}

/** Returns the TrackSets that began before `before` and still grow. */
export async function findAbandoned(db: Database, before: number): Promise<EndingSet[]> {
  const rows = await db
    .select({
      channelId: liveSets.channelId,
      startsAt: liveSets.startsAt,
      document: trackSets.document,
    })
    .from(liveSets)
    .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
    .where(and(isNull(liveSets.endsAt), lt(liveSets.startsAt, before)))
  return rows.map(({ channelId, startsAt, document }) => ({
    channelId,
    trackSetId: document.id,
    startsAt,
    endsAt: startsAt + spanMilliseconds(document),
  }))
}

/** A TrackSet that ends. Times are milliseconds since the Unix epoch. */
export interface EndingSet {
  channelId: number
  trackSetId: string
  startsAt: number
  endsAt: number
}

/**
 * Records that a TrackSet is complete, with its rating and the guide's prohibitions. The row never changes
 * afterwards.
 */
export async function endSet(
  tx: Transaction,
  { channelId, trackSetId, startsAt, endsAt }: EndingSet,
): Promise<void> {
  const [rating = UNANNOUNCED] = await ratingsByGuide(tx, channelId, [{ startsAt, endsAt }])
  const { moralityLevel, adult } = rating
  const [{ isRecordingForbidden } = UNLIMITED] = await forbiddenIn(tx, channelId, [{ startsAt, endsAt }])
  await tx.update(trackSets).set({ isGrowing: false }).where(eq(trackSets.id, trackSetId))
  await tx
    .update(liveSets)
    .set({ endsAt, moralityLevel, adult, isRecordingForbidden })
    .where(and(eq(liveSets.trackSetId, trackSetId), isNull(liveSets.endsAt)))
}

/**
 * Adds a TrackSet with its first segment to a channel. Fails if another process has added a TrackSet meanwhile.
 */
export async function addSet(
  tx: Transaction,
  set: Omit<typeof liveSets.$inferInsert, 'trackSetId' | 'endsAt'>,
  document: TrackSet,
  key: Buffer,
): Promise<void> {
  await tx.insert(trackSets).values({
    id: document.id,
    key,
    document,
    durationSeconds: spanMilliseconds(document) / 1000,
    isGrowing: true,
  })
  await tx.insert(liveSets).values({ ...set, trackSetId: document.id })
}

/** Stores the description of a growing TrackSet. @returns false if the TrackSet has ended */
export async function updateSet(db: Database | Transaction, document: TrackSet): Promise<boolean> {
  const rows = await db
    .update(trackSets)
    .set({ document, durationSeconds: spanMilliseconds(document) / 1000 })
    .where(and(eq(trackSets.id, document.id), eq(trackSets.isGrowing, true)))
    .returning({ id: trackSets.id })
  return rows.length > 0
}

/** Returns the tracks that the manifests of a channel offer; null if the channel was never on the air. */
export async function findLayout(db: Database, channelId: number): Promise<Layout | null> {
  const [row] = await db.select({ layout: channels.layout }).from(channels).where(eq(channels.id, channelId))
  return row?.layout ?? null
}

export async function setLayout(
  db: Database | Transaction,
  channelId: number,
  layout: Layout,
  now: number,
): Promise<void> {
  await db
    .update(channels)
    .set({ layout, startedAt: sql`coalesce(${channels.startedAt}, ${new Date(now).toISOString()})` })
    .where(eq(channels.id, channelId))
}
