import { stat } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { ENOUGH_BYTES } from '../../../free-space.ts'
import { type IngestOptions, type IngestProgress, ingest, type Published } from '../../../ingest/ingest.ts'
import { IngestError, type Reason } from '../../../ingest/reasons.ts'
import { replaceSubtitles } from '../../../ingest/replace-subtitles.ts'
import { isErrno } from '../../../is-errno.ts'
import { removeTrackSet, StoreError } from '../../../segments/segment-store.ts'
import { assets, medias, trackSets } from '../../inventory/titles/titles.table.ts'
import { endBroadcast } from './broadcast-files.ts'
import { chapterMarks } from './chapter-marks.ts'
import { fingerprint, isSameVideo } from './fingerprint.ts'
import {
  claimImport,
  endImport,
  explainWait,
  failAsset,
  findMedia,
  findTarget,
  type ImportRow,
  type ReportedProgress,
  releaseImport,
  reportImport,
} from './library.repository.ts'

/** A worker without a report or heartbeat for this time counts as dead, in milliseconds. */
export const LOST_MS = 60_000
/**
 * Interval of the heartbeats, in milliseconds. Several heartbeats may fail before the worker counts as dead. They
 * continue while nothing reports progress, as while ffprobe reads a large file.
 */
const HEARTBEAT_MS = LOST_MS / 6
/** Interval at which progress is stored, in milliseconds. */
const REPORT_MS = 1000
const DETAIL_CHARACTERS = 500
/**
 * Maximum number of attempts for a file whose media the store refuses or the disk cannot hold. Each attempt may encode
 * the whole film.
 */
const MOST_REFUSED = 3

/**
 * Reasons of failures of this machine. Every other file would fail too, so files wait until an operator has acted.
 */
const PASSING: readonly Reason[] = ['diskFull', 'programMissing']

/** Thrown if this version of the file is no longer wanted: its import was cancelled, or the file changed. */
class Superseded extends Error {
  override name = 'Superseded'
}

export type Outcome = 'ready' | 'failed' | 'changed' | 'dropped' | 'postponed'

/**
 * Prepares the TrackSet of a waiting file and assigns it to its asset or series, in one transaction. `ready`: the
 * title can be played. `failed`: the file cannot be used; its row in `imports` contains the reason. `changed`: the
 * file changed meanwhile and waits again. `dropped`: the import is no longer wanted. `postponed`: the segment
 * store is unavailable, or this machine lacks what every import needs ({@link PASSING}), and the file waits. After
 * {@link MOST_REFUSED} attempts with media that the store refuses or the disk cannot hold, the result is `failed`.
 *
 * If `signal` aborts, the file waits again, and the function throws the signal's reason.
 */
export async function prepareMedia(
  context: Context,
  importId: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { db, clock, log, segments } = context
  // Check before the encoding, which would be useless without the store.
  const fault = await faultOf(segments)
  if (fault) {
    await explainWait(db, importId, storeReason(fault))
    return 'postponed'
  }
  const row = await claimImport(db, importId, clock.now())
  if (row === undefined) return 'dropped'
  const superseded = new AbortController()
  const reporter = createReporter(context, row, superseded)
  const begun = performance.now()
  let published: Prepared | undefined
  try {
    const lack = await lackOfSpace(context, row)
    if (lack) return await postpone(context, row, { reason: lack })
    published = await prepare(context, row, {
      signal: AbortSignal.any([signal, superseded.signal]),
      onProgress: reporter.report,
      onFull: (error) => {
        log.error({ source: row.source, reason: error.message }, 'media waits until the store has space')
        reporter.wait(storeReason(error))
      },
    })
    await reporter.settle()
    const now = await fingerprint({ path: row.source, subtitles: row.work.subtitles })
    if (now !== row.fingerprint) {
      await discard(context, published)
      await releaseImport(db, row.id, clock.now(), { fingerprint: now, refusals: 0 })
      return 'changed'
    }
    if (published.notes.length > 0)
      log.warn(
        { source: row.source, notes: published.notes },
        'subtitles were left out, or read in an assumed encoding',
      )
    await complete(context, row, published, (performance.now() - begun) / 1000)
    log.info({ source: row.source, trackSet: published.trackSet.id, how: published.how }, 'media is ready')
    return 'ready'
  } catch (error) {
    await reporter.stop()
    // Delete the new TrackSet only if the import is no longer wanted. After any other error, it is unclear whether
    // the transaction that refers to the TrackSet was committed. If it was not, the sweep moves the TrackSet into
    // quarantine.
    if (published !== undefined && error instanceof Superseded) await discard(context, published)
    if (signal.aborted) {
      await releaseImport(db, row.id, clock.now())
      throw signal.reason
    }
    if (superseded.signal.aborted || error instanceof Superseded) {
      // If the title was removed, its import has not been cancelled yet. So cancel it here.
      await endImport(db, row, { state: 'cancelled' }, clock.now())
      return 'dropped'
    }
    if (error instanceof StoreError) {
      const refusals = row.refusals + (error.kind === 'refused' ? 1 : 0)
      if (refusals >= MOST_REFUSED) {
        await fail(context, row, new IngestError('notStored', error.message, error))
        return 'failed'
      }
      await releaseImport(db, row.id, clock.now(), { refusals, reason: storeReason(error) })
      log.error({ source: row.source, reason: error.message }, 'media could not be published')
      return 'postponed'
    }
    const reason = reasonOf(error)
    const refusals = row.refusals + (reason.code === 'diskFull' ? 1 : 0)
    if (PASSING.includes(reason.code) && refusals < MOST_REFUSED)
      return await postpone(context, row, { reason, refusals })
    await fail(context, row, error)
    return 'failed'
  } finally {
    await reporter.stop()
  }
}

/** Returns why the store cannot be used; undefined if it can. */
async function faultOf(segments: Context['segments']): Promise<StoreError | undefined> {
  try {
    await segments.check()
    return undefined
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
}

/** The reasons of faults of the store. */
const STORE_REASONS = {
  unreachable: 'storeAway',
  full: 'storeFull',
  refused: 'notStored',
} as const satisfies Record<StoreError['kind'], Reason>

/** Returns the reason of an import that waits for the store. */
export function storeReason({ kind, message }: StoreError): NonNullable<ImportRow['reason']> {
  return { code: STORE_REASONS[kind], detail: message.slice(0, DETAIL_CHARACTERS) }
}

/**
 * Returns a reason to wait if the disk has too little free space to begin. The encoded files and the segments made from
 * them are on the disk at the same time, and both may be as large as the source. With {@link ENOUGH_BYTES}, every file
 * is tried, because the media of a large source may be much smaller.
 */
async function lackOfSpace(
  { segments, freeBytes }: Context,
  { source }: ImportRow,
): Promise<ImportRow['reason']> {
  const { size } = await stat(source)
  const needed = Math.min(2 * size, ENOUGH_BYTES)
  if ((await freeBytes(segments.workFolder)) >= needed) return null
  return { code: 'diskFull', detail: `${Math.ceil(needed / 1e6)} MB must be free in ${segments.workFolder}.` }
}

/** Lets a file wait until an operator has acted. */
async function postpone(
  { db, clock, log }: Context,
  { id, source }: ImportRow,
  changes: Pick<ImportRow, 'reason'> & Partial<Pick<ImportRow, 'refusals'>>,
): Promise<'postponed'> {
  await releaseImport(db, id, clock.now(), changes)
  log.error({ source, ...changes.reason }, 'media could not be prepared on this machine, and waits')
  return 'postponed'
}

/** A published TrackSet, and the data for its asset. */
interface Prepared extends Pick<Published, 'trackSet' | 'key' | 'durationSeconds' | 'notes'> {
  /** The chapters of the asset; null to keep the existing ones. */
  chapters: Published['chapters'] | null
  /** How the media was prepared, for the log. */
  how: string
}

/** Prepares the TrackSet. Reuses the existing TrackSet if only the subtitles changed. */
async function prepare(
  { db, segments, log }: Context,
  row: ImportRow,
  options: IngestOptions,
): Promise<Prepared> {
  const { target, media: kind, subtitles } = row.work
  const request = { path: row.source, segments, subtitles }
  const owner = await findTarget(db, target)
  const known = owner && (await findMedia(db, owner, kind))
  const isStored = known && (await segments.entries.isOlder(known.trackSetId, Infinity))
  if (isStored && isSameVideo(known.fingerprint, row.fingerprint)) {
    const [previous] = await db.select().from(trackSets).where(eq(trackSets.id, known.trackSetId))
    try {
      if (previous) {
        const { key, durationSeconds, document } = previous
        const made = await replaceSubtitles({ ...request, previous: document }, options)
        return { ...made, key, durationSeconds, chapters: null, how: 'new subtitles' }
      }
    } catch (error) {
      if (options.signal.aborted || error instanceof IngestError || error instanceof StoreError) throw error
      // The existing TrackSet is incomplete, so prepare everything again.
      log.warn({ err: error, trackSet: known.trackSetId }, 'a TrackSet could not be reused')
    }
  }
  const made = await ingest({ ...request, encrypted: kind === 'main' }, options)
  return { ...made, how: made.copyObstacle === null ? 'copied' : `encoded, since ${made.copyObstacle}` }
}

async function discard({ segments }: Context, { trackSet }: Prepared): Promise<void> {
  await removeTrackSet(segments, trackSet.id)
}

async function fail({ db, clock, log }: Context, row: ImportRow, error: unknown): Promise<void> {
  const reason = reasonOf(error)
  // Errors in the file are logged without a stack trace, errors of the service with one.
  if (error instanceof IngestError) log.warn({ source: row.source, ...reason }, 'media could not be prepared')
  else log.error({ err: error, source: row.source }, 'media could not be prepared')
  const wanted = await endImport(db, row, { state: 'failed', reason }, clock.now())
  const { target, media } = row.work
  if (wanted && media === 'main' && 'asset' in target) await failAsset(db, target.asset)
}

function reasonOf(error: unknown): NonNullable<ImportRow['reason']> {
  const known = error instanceof IngestError
  const detail = known ? error.detail : error instanceof Error ? error.message : String(error)
  return { code: known ? error.reason : codeOf(error), detail: detail.slice(0, DETAIL_CHARACTERS) }
}

/** Returns the reason for an error of the system. */
function codeOf(error: unknown): Reason {
  if (isErrno(error, 'ENOENT')) return 'unreadable'
  return isErrno(error, 'ENOSPC', 'EDQUOT') ? 'diskFull' : 'encodingFailed'
}

async function complete(
  { db, clock }: Context,
  row: ImportRow,
  published: Prepared,
  tookSeconds: number,
): Promise<void> {
  const { trackSet, key, durationSeconds, notes } = published
  const { target, media: kind } = row.work
  await retryOnDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        const owner = await findTarget(tx, target)
        const wanted = await endImport(
          tx,
          row,
          { state: 'ready', percent: 100, reason: null, tookSeconds, notes },
          clock.now(),
        )
        if (!wanted || owner === undefined) throw new Superseded()
        await tx.insert(trackSets).values({ id: trackSet.id, key, document: trackSet, durationSeconds })
        const fields = {
          trackSetId: trackSet.id,
          fingerprint: row.fingerprint,
          audioLanguages: languagesOf(published, 'audio'),
          subtitleLanguages: languagesOf(published, 'text'),
        }
        const known = await findMedia(tx, owner, kind)
        if (known) await tx.update(medias).set(fields).where(eq(medias.id, known.id))
        else await tx.insert(medias).values({ kind, ...owner, ...fields })
        if (kind === 'main' && 'assetId' in owner) {
          await tx
            .update(assets)
            .set({
              durationSeconds,
              ...(published.chapters && { marks: chapterMarks(published.chapters, durationSeconds) }),
            })
            .where(eq(assets.id, owner.assetId))
          await tx
            .update(assets)
            .set({ availability: 'ready' })
            .where(and(eq(assets.id, owner.assetId), eq(assets.availability, 'preparing')))
          await endBroadcast(tx, owner.assetId)
        }
      }),
  )
}

/**
 * Returns the languages of the audio or subtitle tracks, without duplicates, the language of the default track
 * first. Skips forced subtitles, because viewers do not choose them, and commentaries and descriptions.
 */
function languagesOf({ trackSet }: Prepared, kind: 'audio' | 'text'): string[] {
  const languages: string[] = []
  for (const rendition of trackSet.renditions) {
    if (rendition.kind !== kind || (rendition.kind === 'text' && rendition.forced)) continue
    if (rendition.kind === 'audio' && rendition.addition !== undefined) continue
    if (rendition.kind === 'audio' && rendition.isDefault) languages.unshift(rendition.language)
    else languages.push(rendition.language)
  }
  return [...new Set(languages)]
}

/** Stores the progress of an import while a worker prepares it. */
interface Reporter {
  report: (progress: IngestProgress) => void
  /** Stores why the work waits, until the next report. */
  wait: (reason: NonNullable<ImportRow['reason']>) => void
  /** Waits until the last report is stored. */
  settle: () => Promise<void>
  /** Ends the heartbeats, and waits until the last report is stored. */
  stop: () => Promise<void>
}

/**
 * Returns a reporter that stores the progress at intervals, one write at a time, and heartbeats while there is no
 * progress. The reporter stops the work if a write finds that the import is no longer wanted.
 */
function createReporter({ db, clock, log }: Context, row: ImportRow, superseded: AbortController): Reporter {
  let writing = Promise.resolve()
  let busy = false
  let last = -Infinity
  let stage: IngestProgress['stage'] | undefined
  const store = async (progress: ReportedProgress): Promise<void> => {
    try {
      const wanted = await reportImport(db, row, progress, clock.now())
      if (!wanted) superseded.abort(new Superseded())
    } catch (error) {
      // The work continues, because the next report or heartbeat tries again.
      log.warn({ err: error }, 'progress could not be stored')
    } finally {
      busy = false
    }
  }
  const write = (progress: ReportedProgress): void => {
    busy = true
    writing = store(progress)
  }
  const heartbeat = setInterval(() => {
    if (!busy) write({})
  }, HEARTBEAT_MS)
  return {
    report: (progress) => {
      const now = performance.now()
      if (busy || (progress.stage === stage && now - last < REPORT_MS)) return
      stage = progress.stage
      last = now
      const { percent, secondsLeft } = progress
      write({
        state: stage,
        // Stays below 100 until the asset is ready too.
        percent: Math.min(percent, 99),
        secondsLeft: secondsLeft === null ? null : Math.ceil(secondsLeft),
        reason: null,
      })
    },
    wait: (reason) => {
      const before = writing
      busy = true
      writing = (async () => {
        await before
        await store({ reason })
      })()
    },
    settle: async () => await writing,
    stop: async () => {
      clearInterval(heartbeat)
      await writing
    },
  }
}
