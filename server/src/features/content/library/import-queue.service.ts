import type { Context } from '../../../context.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { waitingImports } from './library.repository.ts'

/** Kind of the jobs that prepare a file. */
export const PREPARE = 'library-prepare'

/** Maximum number of jobs in the queue. Further waiting imports have only a row in the table `imports`. */
const QUEUED = 20

const declared = new WeakMap<JobQueue, Promise<void>>()

/** Declares the queue of imports, so that imports can be queued before a worker runs. */
export async function declareImports(jobs: JobQueue): Promise<void> {
  const declaring = declared.get(jobs) ?? jobs.declare(PREPARE, { retries: 3, expireSeconds: 24 * 3600 })
  declared.set(jobs, declaring)
  await declaring
}

/** Queues jobs for the first waiting imports, at most one job for each import. */
export async function queueImports({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await declareImports(jobs)
  for (const { id, attempts } of await waitingImports(db, QUEUED)) {
    await jobs.send(PREPARE, `${id}`, { importId: id }, { priority: -attempts })
  }
}
