import { hash } from 'node:crypto'
import type { JobQueue } from '../../jobs/queue.ts'
import { isAddress } from '../../outbound/open-source.ts'

/** What is to be imported cannot be as it is described, in words. */
export class ImportSourceError extends Error {
  override name = 'ImportSourceError'
  readonly field: 'location' | 'cron'

  constructor(field: 'location' | 'cron', message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** @throws ImportSourceError for an address that nothing here fetches. */
export function requireFetchable(location: string): void {
  if (isAddress(location) && !/^https?:/i.test(location))
    throw new ImportSourceError('location', 'Only http and https addresses are fetched.')
}

/**
 * Has something imported by its cron expression, in UTC; null for no more.
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
    throw new ImportSourceError('cron', `${cron} is no cron expression.`, { cause: error })
  }
}

export async function unscheduleImport(jobs: JobQueue, kind: string, name: string): Promise<void> {
  await jobs.declare(kind)
  await jobs.unschedule(kind, importKey(name))
}

/** The job queue wants plain letters for its keys. */
export function importKey(name: string): string {
  return hash('md5', name, 'hex')
}
