import type { Context } from '../../../context.ts'
import type { RecordingParts } from './recordings.service.ts'
import { recordNewEpisodes } from './series-recordings.service.ts'

const EPISODES = 'recordings-episodes'
const EPISODES_JOB = { alone: true, retries: 0, expireSeconds: 3600 }

/**
 * Delay from a change of the guide until new episodes are looked for, in seconds. One look serves all channels that
 * an import changes meanwhile.
 */
const DELAY_SECONDS = 60

/**
 * Time for which a request stands for those that follow it, in milliseconds. An import changes many channels a second.
 */
const SHARED_MS = 1000

/**
 * Returns a function that requests a look for new episodes of series. Call the function after the guide has changed.
 * The function never fails, because imports must not depend on recordings. The hourly job finds what it misses.
 */
export function episodeRequester({ jobs, log }: Pick<Context, 'jobs' | 'log'>): () => Promise<void> {
  let isDeclared = false
  let requestedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - requestedAt < SHARED_MS) return
    requestedAt = performance.now()
    try {
      if (!isDeclared) await jobs.declare(EPISODES, EPISODES_JOB)
      isDeclared = true
      await jobs.send(EPISODES, EPISODES, {}, { afterSeconds: DELAY_SECONDS })
    } catch (error) {
      log.error({ err: error }, 'new episodes of series are not looked for')
    }
  }
}

/** Records new episodes of series when they are requested, and once after the start for a time without service. */
export async function startEpisodeJobs(
  context: Pick<Context, 'jobs' | 'clock' | 'log'>,
  parts: RecordingParts,
): Promise<void> {
  const { jobs, clock } = context
  await jobs.declare(EPISODES, EPISODES_JOB)
  await jobs.work(EPISODES, async (_data, signal) => await recordNewEpisodes(parts, clock.now(), signal))
  await episodeRequester(context)()
}
