import type { Context } from '../../context.ts'
import { createTrackSetStore } from '../playback/track-sets.service.ts'
import { extendSchedules } from './extend-schedules.ts'
import { findList, IMPORT_LIST, listFailure, runList } from './lists.service.ts'

const EXTEND = 'channels-extend'
const OPTIONS = { retries: 3, expireSeconds: 900 }

type JobContext = Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'images' | 'settings'>

/** Plans all channels ahead: now, each minute, and whenever `requestSchedules` asks for it. */
export async function startChannelJobs(context: JobContext): Promise<void> {
  const { db, jobs, clock, log } = context
  await jobs.declare(EXTEND, OPTIONS)
  await jobs.work(EXTEND, async (_data, signal) => {
    // A store of its own for each round: between two of them planning keeps nothing in memory.
    const done = await extendSchedules(db, createTrackSetStore(db), clock.now(), signal)
    if (done.entries > 0 || done.trimmed > 0) log.info(done, 'channels are planned')
  })
  await jobs.schedule(EXTEND, '* * * * *')
  await jobs.declare(IMPORT_LIST)
  await jobs.work<{ listId: number }>(
    IMPORT_LIST,
    async ({ listId }, signal) => await importKnownList(context, listId, signal),
  )
  await requestSchedules(context)
}

async function importKnownList(context: JobContext, listId: number, signal: AbortSignal): Promise<void> {
  const list = await findList(context, listId)
  if (!list) return
  try {
    const { added, changed, gone } = await runList(context, list, { signal, onProgress: () => undefined })
    context.log.info({ list: list.name, added, changed, gone }, 'a list of channels was imported')
  } catch (error) {
    const failure = listFailure(error)
    if (failure === undefined) throw error
    // The channels stand as they were. Trying again at once would find the same.
    context.log.warn({ list: list.name, failure }, 'a list of channels could not be imported')
  }
}

/**
 * Has the channels planned soon: call it when an asset has become ready, or a channel has come. It also works where no
 * work is done, such as in a command beside the service.
 */
export async function requestSchedules({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.declare(EXTEND, OPTIONS)
  await jobs.send(EXTEND, EXTEND, {})
}
