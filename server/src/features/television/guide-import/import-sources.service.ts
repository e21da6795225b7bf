import { hash } from 'node:crypto'
import type { ChannelList, GuideSource } from '@ondine/contract/import-sources'
import type * as z from 'zod'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { isAddress } from '../../../outbound/open-source.ts'

/** Options of the jobs that import a guide or a list of channels. */
export const IMPORT_JOB = { retries: 1, expireSeconds: 3600 }

/** Thrown for an import source that cannot be used, with the reason as text. */
export class ImportSourceError extends Error {
  override name = 'ImportSourceError'
  readonly field: 'location' | 'cron'

  constructor(field: 'location' | 'cron', message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** Rejects addresses with other schemes than http and https. Accepts file paths. @throws ImportSourceError */
export function requireFetchable(location: string): void {
  if (isAddress(location) && !/^https?:/i.test(location))
    throw new ImportSourceError('location', 'Only http and https addresses are fetched.')
}

/**
 * Schedules imports by a cron expression, in UTC. Null removes the schedule.
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
  await jobs.declare(kind, IMPORT_JOB)
  try {
    await jobs.schedule(kind, cron, importKey(name), { name })
  } catch (error) {
    throw new ImportSourceError('cron', `${cron} is not a cron expression.`, { cause: error })
  }
}

export async function unscheduleImport(jobs: JobQueue, kind: string, name: string): Promise<void> {
  await jobs.declare(kind, IMPORT_JOB)
  await jobs.unschedule(kind, importKey(name))
}

/**
 * Returns the key of the job that imports a source or list. The key is a hash of the name, because the job queue
 * accepts only letters and digits.
 */
export function importKey(name: string): string {
  return hash('md5', name, 'hex')
}

/**
 * Returns `known` with `changes` applied. `changes` is the field with this name in a call.
 *
 * @throws ServiceError `invalidInput` with every fault of the changes.
 */
export function changedBy<Described extends ChannelList | GuideSource>(
  schema: z.ZodType<Described>,
  known: Described,
  changes: Record<string, unknown>,
): Described {
  const parsed = schema.safeParse({ ...known, ...changes })
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ field: ['changes', ...path].join('.'), message }))
  // The name cannot change, because jobs and operators identify a source by its name.
  if (changes.name !== undefined && changes.name !== known.name)
    faults.push({ field: 'changes.name', message: 'cannot be changed' })
  if (!parsed.success || faults.length > 0) throw invalidFields(faults)
  return parsed.data
}

/**
 * Rejects file paths: calls must not give access to files of this machine.
 *
 * @throws ServiceError `invalidInput`
 */
export function requireAddress(field: string, location: string): void {
  if (!isAddress(location))
    throw invalidFields([{ field: `${field}.location`, message: 'must be an http or https address' }])
}

/** Runs `work`. Converts an `ImportSourceError` to a `ServiceError` that names `field`, a field of the call. */
export async function faultsIn<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportSourceError)
      throw invalidFields([{ field: `${field}.${error.field}`, message: error.message }])
    throw error
  }
}

/**
 * Returns `found`.
 *
 * @throws ServiceError `notFound` if `found` is undefined
 */
export function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('notFound')
  return found
}
