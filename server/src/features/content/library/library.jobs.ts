import type { Context } from '../../../context.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { StoreError } from '../../../segments/segment-store.ts'
import { bringBack, ownerOf } from '../../inventory/stores/stores.service.ts'
import { declareImports, PREPARE, queueImports } from './import-queue.service.ts'
import { explainWait, releaseInterrupted, waitingImports } from './library.repository.ts'
import { LOST_MS, prepareMedia, storeReason } from './prepare-media.ts'
import { sweepMedia } from './sweep-media.ts'

const LOOK_AFTER = 'library-look-after'

/** A workspace older than this counts as abandoned, in milliseconds. */
const ABANDONED_MS = 24 * 3600_000
const SWEEP_EVERY_MS = 3600_000
/** Maximum duration of a job, in milliseconds. A job then ends, so that another job can run. */
const TURN_MS = 600_000
/**
 * Pause of this process after a postponed import, in milliseconds. Shorter than the interval of `LOOK_AFTER`, whose next
 * run then ends the pause.
 */
const PAUSE_MS = 50_000

export interface LibraryHooks {
  /** Called when a title has become playable. */
  onReady?: () => Promise<void>
}

const started = new WeakMap<JobQueue, Promise<void>>()

/**
 * Starts to process the waiting imports, one file at a time. Restarts the work of killed processes. After a call that
 * succeeded, another one does nothing.
 */
export async function startLibraryJobs(context: Context, hooks: LibraryHooks = {}): Promise<void> {
  const known = started.get(context.jobs)
  if (known !== undefined) return await known
  const starting = start(context, hooks)
  started.set(context.jobs, starting)
  try {
    await starting
  } catch (error) {
    started.delete(context.jobs)
    throw error
  }
}

async function start(context: Context, hooks: LibraryHooks): Promise<void> {
  const { db, jobs, clock, connection, segments, log } = context
  // Only one process uses an embedded database. So a running import belongs to an earlier process that has ended.
  const alone = connection.kind === 'embedded'
  const release = async (): Promise<void> =>
    await releaseInterrupted(db, alone ? null : clock.now() - LOST_MS, clock.now())
  const store = context.stores.media
  let isTidy = false
  /** Cleans up the store once, before the first import. @returns why the store is not available; undefined if it is */
  const tidy = async (): Promise<StoreError | undefined> => {
    if (isTidy) return undefined
    try {
      if ((await ownerOf(db, store)) === 'ours') {
        const before = alone ? Infinity : Date.now() - ABANDONED_MS
        await segments.clear(before, async (ids) => await store.named(db, ids))
        // A restored backup may contain rows for quarantined media.
        await bringBack(context, store)
      }
      isTidy = true
      return undefined
    } catch (error) {
      if (error instanceof StoreError) return error
      throw error
    }
  }
  await tidy()
  await release()

  await declareImports(jobs)
  await jobs.declare(LOOK_AFTER, { retries: 0, expireSeconds: 3600 })
  await jobs.schedule(LOOK_AFTER, '* * * * *')
  await queueImports(context)
  let pausedUntil = -Infinity
  // Last: if anything above fails, the start is repeated, and `release` must not find an import of this process.
  await jobs.work(PREPARE, async ({ importId }: { importId: number }, signal) => {
    if (clock.now() < pausedUntil) return
    // One job prepares several waiting files, because the queue looks for the next job only at intervals.
    const until = performance.now() + TURN_MS
    const fault = await tidy()
    if (fault) {
      pausedUntil = clock.now() + PAUSE_MS
      return await explainWait(db, importId, storeReason(fault))
    }
    let next: number | undefined = importId
    while (next !== undefined) {
      const outcome = await prepareMedia(context, next, signal)
      if (outcome === 'ready') await hooks.onReady?.()
      // The other files would be postponed too. The job `LOOK_AFTER` queues the waiting files again every minute.
      if (outcome === 'postponed') {
        pausedUntil = clock.now() + PAUSE_MS
        return
      }
      const [waiting] = await waitingImports(db, 1)
      next = performance.now() < until ? waiting?.id : undefined
    }
    await queueImports(context)
  })
  let sweptAt = -Infinity
  await jobs.work(LOOK_AFTER, async () => {
    if (!alone) await release()
    await queueImports(context)
    if (clock.now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = clock.now()
    const swept = await sweepMedia(context)
    if (swept > 0) log.info({ swept }, 'unused media was removed')
  })
}
