import type { Context } from '../../../context.ts'
import { sweepWords } from './sweep-words.ts'

const SWEEP = 'search-sweep'
const DAY_MS = 86_400_000

/** Starts the nightly job that deletes words which nothing contains any more. */
export async function startSearchJobs({
  db,
  jobs,
  clock,
  log,
}: Pick<Context, 'db' | 'jobs' | 'clock' | 'log'>): Promise<void> {
  await jobs.declare(SWEEP, { alone: true, retries: 0, expireSeconds: 3600 })
  await jobs.work(SWEEP, async (_data, signal) => {
    const count = await sweepWords(db, Math.floor(clock.now() / DAY_MS), signal)
    if (count > 0) log.info({ count }, 'words that nothing contains any more were deleted')
  })
  await jobs.schedule(SWEEP, '41 4 * * *')
}
