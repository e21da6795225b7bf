import type { Context } from '../../../context.ts'
import type { RecordingParts } from './recordings.service.ts'
import { recordNewEpisodes } from './series-recordings.service.ts'

const EPISODES = 'recordings-episodes'
const EPISODES_JOB = { alone: true, retries: 0, expireSeconds: 3600 }

/**
 * Delay between a change of the guide and the search for new episodes, in seconds. One search covers all channels that
 * an import changes during the delay.
 */
const DELAY_SECONDS = 60

/**
 * Time after a request during which further requests are ignored, in milliseconds. An import changes many channels per
 * second, and the first request covers them all.
 */
const SHARED_MS = 1000

/**
 * Returns a function that requests a search for new episodes of series. Call the function after the guide has changed.
 * The function never fails, because imports must not depend on recordings. If a request is lost, the hourly job finds
 * the episodes.
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

/** Records new episodes of series on request, and once after the start, to catch up on the time without service. */
export async function startEpisodeJobs(
  context: Pick<Context, 'jobs' | 'clock' | 'log'>,
  parts: RecordingParts,
): Promise<void> {
  const { jobs, clock } = context
  await jobs.declare(EPISODES, EPISODES_JOB)
  await jobs.work(EPISODES, async (_data, signal) => await recordNewEpisodes(parts, clock.now(), signal))
  await episodeRequester(context)()
}
