import type { Context } from '../../../context.ts'
import { bringBack, ownerOf } from '../../inventory/stores/stores.service.ts'
import { FETCH_PICTURES, fetchGuidePictures, PICTURE_JOB } from './guide-pictures.ts'
import {
  findGuideSource,
  guideFailure,
  IMPORT_GUIDE,
  keptFrom,
  runGuideSource,
} from './guide-sources.service.ts'
import { endLostRuns } from './import-runs.service.ts'
import { IMPORT_JOB } from './import-sources.service.ts'
import { prunePast } from './programmes.service.ts'
import { sweepPictures } from './sweep-pictures.ts'

const PRUNE = 'guide-prune'

/** Age at which an import without an end counts as lost, because its process was killed. In milliseconds. */
const LOST_MS = 3 * 3600_000

/**
 * Starts the jobs that import guides (by schedule or on request), fetch pictures of programmes, and delete past
 * programmes.
 */
export async function startGuideJobs(context: Context): Promise<void> {
  const { db, jobs, clock, log, connection } = context
  const pictures = context.stores.images
  // After the restore of a backup, rows may refer to pictures that are in quarantine.
  if ((await ownerOf(db, pictures)) === 'ours') await bringBack(context, pictures)
  // An embedded database is used by one process. So any import that has not ended belongs to an earlier process.
  const alone = connection.kind === 'embedded'
  await endLostRuns(db, clock.now() - (alone ? 0 : LOST_MS), clock.now())
  await jobs.declare(IMPORT_GUIDE, IMPORT_JOB)
  await jobs.declare(PRUNE, { retries: 0, expireSeconds: 900 })
  await jobs.declare(FETCH_PICTURES, PICTURE_JOB)
  await jobs.schedule(PRUNE, '17 * * * *')
  // Use the key of requested rounds, so that a scheduled round and a requested round become one job.
  await jobs.schedule(FETCH_PICTURES, '37 * * * *', FETCH_PICTURES)
  // Remove the schedule that earlier versions created.
  await jobs.unschedule('guide-pictures', '')
  // Last: if anything above fails, the start is repeated, and `endLostRuns` must not find an import of this process.
  await jobs.work<{ name: string }>(IMPORT_GUIDE, async ({ name }, signal) => {
    const source = await findGuideSource(context, name)
    if (!source) return
    try {
      const { remarks, ...counts } = await runGuideSource(context, source, {
        signal,
        onProgress: () => undefined,
      })
      log.info({ source: source.name, remarks: remarks.length, ...counts }, 'a guide was imported')
    } catch (error) {
      const failure = guideFailure(error)
      if (failure === undefined) throw error
      // Do not rethrow: an immediate retry would find the same fault. The old guide is unchanged.
      log.warn({ source: source.name, failure }, 'a guide could not be imported')
    }
  })
  await jobs.work(PRUNE, async (_data, signal) => {
    await pruneGuide(context, signal)
  })
  await jobs.work(FETCH_PICTURES, async (_data, signal) => {
    const done = { ...(await fetchGuidePictures(context, signal)), swept: await sweepPictures(context) }
    if (Object.values(done).some((count) => count > 0)) log.info(done, 'pictures of programmes are fetched')
  })
}

/**
 * Deletes programmes that ended before the retained past (`keptFrom`).
 *
 * @returns the number of deleted programmes
 */
export async function pruneGuide(
  context: Pick<Context, 'db' | 'configurations' | 'storefronts' | 'clock'>,
  signal?: AbortSignal,
): Promise<number> {
  return await prunePast(context.db, keptFrom(context), signal)
}
