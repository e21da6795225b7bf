import type { JobQueue } from '../../../jobs/queue.ts'

/** Kind of the jobs that prepare a creative. */
export const PREPARE_CREATIVE = 'ad-creative'

const declared = new WeakMap<JobQueue, Promise<void>>()

/** Declares the queue of creatives, so that creatives can be enqueued before a worker runs. */
export async function declareCreatives(jobs: JobQueue): Promise<void> {
  const declaring =
    declared.get(jobs) ??
    jobs.declare(PREPARE_CREATIVE, {
      // Each start of a film enqueues a creative again until the creative is ready. `alone` keeps two processes
      // from preparing the same creative at the same time.
      alone: true,
      retries: 3,
      expireSeconds: 3600,
      pauseSeconds: { first: 60, longest: 1800 },
    })
  declared.set(jobs, declaring)
  try {
    await declaring
  } catch (error) {
    // The next call tries again.
    declared.delete(jobs)
    throw error
  }
}

/** Enqueues creatives, each once. */
export async function queueCreatives(jobs: JobQueue, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await declareCreatives(jobs)
  await jobs.sendAll(
    PREPARE_CREATIVE,
    ids.map((id) => ({ key: id, data: { id } })),
  )
}
