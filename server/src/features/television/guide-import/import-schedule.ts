import { hash } from 'node:crypto'
import type { JobQueue } from '../../../jobs/queue.ts'
import { isAddress } from '../../../outbound/open-source.ts'

/** Import source that cannot be used, with the reason in words. */
export class ImportSourceError extends Error {
  override name = 'ImportSourceError'
  readonly field: 'location' | 'cron'

  constructor(field: 'location' | 'cron', message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** Rejects addresses of other schemes than http and https. @throws ImportSourceError */
export function requireFetchable(location: string): void {
  if (isAddress(location) && !/^https?:/i.test(location))
    throw new ImportSourceError('location', 'Only http and https addresses are fetched.')
}

/**
 * Schedules imports by a cron expression, in UTC; null removes the schedule.
 *
 * @throws ImportSourceError
 */
export async function scheduleImport(
  jobs: JobQueue,
  kind: string,
  name: string,
  cron: string | null,
): Promise<void> {
  if (cron === null) return await unscheduleImport(jobs, kind, name)
  await jobs.declare(kind)
  try {
    await jobs.schedule(kind, cron, importKey(name), { name })
  } catch (error) {
    throw new ImportSourceError('cron', `${cron} is not a cron expression.`, { cause: error })
  }
}

export async function unscheduleImport(jobs: JobQueue, kind: string, name: string): Promise<void> {
  await jobs.declare(kind)
  await jobs.unschedule(kind, importKey(name))
}

/** Returns the key of a job. The job queue accepts only plain letters. */
export function importKey(name: string): string {
  return hash('md5', name, 'hex')
}
