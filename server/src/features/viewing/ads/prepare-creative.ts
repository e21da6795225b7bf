import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { ingest } from '../../../ingest/ingest.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { probe } from '../../../ingest/probe.ts'
import { IngestError, type Reason } from '../../../ingest/reasons.ts'
import { makeWorkspace, removeWorkspace } from '../../../ingest/workspace.ts'
import { isErrno } from '../../../is-errno.ts'
import { isPassingStatus, OutboundError, type OutboundFault } from '../../../outbound/fetch-outside.ts'
import { PathError } from '../../../paths.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { LONGEST_AD_SECONDS } from './ads.service.ts'
import { exceptionsOf, openAd } from './own-ads.ts'

/** Maximum size of a creative, in bytes, and maximum time to fetch it, in milliseconds. */
const CREATIVE = { maxBytes: 500_000_000, maxMilliseconds: 10 * 60_000 }

/**
 * Fetches a creative and prepares it, once. A creative that cannot be used is marked as failed, and the next
 * nightly sweep deletes it.
 *
 * @throws Error for a temporary failure, so that the job is tried again
 */
export async function prepareCreative(
  context: Pick<
    Context,
    'configurations' | 'db' | 'folders' | 'log' | 'segments' | 'settings' | 'storefronts'
  >,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, folders, log, segments } = context
  const [row] = await db.select().from(adCreatives).where(eq(adCreatives.id, id))
  if (row?.state !== 'waiting') return
  const workspace = await makeWorkspace(segments.workFolder, randomBytes(16).toString('hex'))
  try {
    const path = join(workspace.work, 'creative.mp4')
    const body = await openAd(row.address, {
      ...CREATIVE,
      ...exceptionsOf(context),
      libraryFolder: folders.library,
      signal,
    })
    await pipeline(body, createWriteStream(path))
    // Encoding a film would take too long, and no advertisement is as long as a film.
    if ((await probe(path, signal)).durationSeconds > LONGEST_AD_SECONDS)
      throw new IngestError('tooLong', `An advertisement has ${LONGEST_AD_SECONDS} s at most.`)
    const { trackSet, key, durationSeconds } = await ingest(
      { path, segments, encrypted: true, subtitles: [], segmentSeconds: LIVE_SEGMENT_SECONDS },
      { signal },
    )
    await db.transaction(async (tx) => {
      await tx.insert(trackSets).values({ id: trackSet.id, key, document: trackSet, durationSeconds })
      await tx
        .update(adCreatives)
        .set({ state: 'ready', trackSetId: trackSet.id })
        .where(eq(adCreatives.id, id))
    })
  } catch (error) {
    if (!isUnusable(error) || signal.aborted) throw error
    log.warn({ err: error, address: row.address }, 'a creative cannot be used')
    await db.update(adCreatives).set({ state: 'failed' }).where(eq(adCreatives.id, id))
  } finally {
    await removeWorkspace(workspace)
  }
}

/** Reasons of failures of this machine, its network, or the creative's server. Another attempt may succeed. */
const PASSING: readonly (Reason | OutboundFault)[] = [
  'diskFull',
  'notStored',
  'programMissing',
  'too-slow',
  'unreachable',
]

/** Returns whether a failure is a fault of the creative, so that another attempt would fail too. */
function isUnusable(error: unknown): boolean {
  return (
    (error instanceof IngestError && !PASSING.includes(error.reason)) ||
    (error instanceof OutboundError &&
      !PASSING.includes(error.fault) &&
      !isPassingStatus(error.status ?? 0)) ||
    error instanceof PathError ||
    error instanceof URIError ||
    isErrno(error, 'ENOENT')
  )
}
