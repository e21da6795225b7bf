import type { Context } from '../../context.ts'
import { imagesStore } from '../stores/store.ts'
import { bringBack, ownerOf } from '../stores/stores.service.ts'
import { FETCH_PICTURES, fetchGuidePictures, PICTURE_JOB } from './guide-pictures.ts'
import {
  findGuideSource,
  guideFailure,
  IMPORT_GUIDE,
  keptFrom,
  runGuideSource,
} from './guide-sources.service.ts'
import { endLostRuns } from './import-runs.ts'
import { prunePast } from './remove-programmes.ts'
import { sweepPictures } from './sweep-pictures.ts'

const PRUNE = 'guide-prune'

/** What has not ended for so long was lost with its process, in milliseconds. */
const LOST_MS = 3 * 3600_000

/** Imports guides when they are due or asked for, fetches their pictures, and forgets the past. */
export async function startGuideJobs(context: Context): Promise<void> {
  const { db, jobs, clock, log, connection, folders } = context
  const pictures = imagesStore(folders.images)
  // After a newer backup was restored, its pictures are there at once.
  if ((await ownerOf(db, pictures)) === 'ours') await bringBack(context, pictures)
  // An embedded database has one process: whatever looks begun was begun by one that is no more.
  const alone = connection.kind === 'embedded'
  await endLostRuns(db, clock.now() - (alone ? 0 : LOST_MS), clock.now())
  await jobs.declare(IMPORT_GUIDE, { retries: 1, expireSeconds: 3600 })
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
      // The old guide stands. Trying again at once would find the same.
      log.warn({ source: source.name, failure }, 'a guide could not be imported')
    }
  })
  await jobs.declare(PRUNE, { retries: 0, expireSeconds: 900 })
  await jobs.work(PRUNE, async (_data, signal) => {
    await pruneGuide(context, signal)
  })
  await jobs.schedule(PRUNE, '17 * * * *')
  await jobs.declare(FETCH_PICTURES, PICTURE_JOB)
  await jobs.work(FETCH_PICTURES, async (_data, signal) => {
    const done = { ...(await fetchGuidePictures(context, signal)), swept: await sweepPictures(context) }
    if (Object.values(done).some((count) => count > 0)) log.info(done, 'pictures of programmes are fetched')
  })
  // Under the key by which a round is asked for: what is due and what is asked for is one.
  await jobs.schedule(FETCH_PICTURES, '37 * * * *', FETCH_PICTURES)
  // Rounds of this kind, which ran beside each other, are still due where they once were.
  await jobs.unschedule('guide-pictures', '')
}

/** Forgets what ended before the part of the past that is kept. @returns how many programmes went. */
export async function pruneGuide(
  context: Pick<Context, 'db' | 'configurations' | 'storefronts' | 'clock'>,
  signal?: AbortSignal,
): Promise<number> {
  return await prunePast(context.db, keptFrom(context), signal)
}
