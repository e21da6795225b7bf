import type { PresentedRun } from '@ondine/contract/import-calls'
import type { ChannelList, GuideSource } from '@ondine/contract/import-sources'
import type * as z from 'zod'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import { isAddress } from '../../../outbound/open-source.ts'
import type { ImportRun } from './import-runs.ts'
import { ImportSourceError } from './import-schedule.ts'

/** Presents an import to operators. */
export function presentRun(run: ImportRun): PresentedRun {
  return {
    id: run.id,
    startedAt: run.startedAt / 1000,
    endedAt: run.endedAt === null ? null : run.endedAt / 1000,
    percent: run.percent,
    failure: run.failure,
    counts: run.counts,
    remarks: run.remarks.length,
  }
}

/**
 * Applies `changes` from the field `changes` of a call to `known`.
 *
 * @throws ServiceError `invalidInput` with every fault.
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
  // The name is the key for jobs and operators.
  if (changes.name !== undefined && changes.name !== known.name)
    faults.push({ field: 'changes.name', message: 'cannot be changed' })
  if (!parsed.success || faults.length > 0) throw invalidFields(faults)
  return parsed.data
}

/**
 * Accepts only addresses: calls may not name files of this machine, which need shell access. @throws ServiceError
 * `invalidInput`
 */
export function requireAddress(field: string, location: string): void {
  if (!isAddress(location))
    throw invalidFields([{ field: `${field}.location`, message: 'must be an http or https address' }])
}

/** Converts faults of a source into faults of the call's field. */
export async function faultsIn<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportSourceError)
      throw invalidFields([{ field: `${field}.${error.field}`, message: error.message }])
    throw error
  }
}

/** Returns a value that was found. @throws ServiceError `notFound` */
export function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('notFound')
  return found
}
