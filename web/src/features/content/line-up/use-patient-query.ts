import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'

/**
 * Runs a query of a screen that stays open. A request that failed because of the connection or a fault of the service is
 * repeated after growing pauses until it succeeds, because a computer that wakes up may not have a connection yet. Only
 * the first failure is reported, so that an outage does not cause a report for each attempt.
 */
export function usePatientQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
) {
  const result = useQuery({ ...options, retry: (_count, error) => isPassing(error) })
  const { failureCount, failureReason } = result
  // A query that is not enabled here has the failures of others.
  const reported = options.enabled !== false && failureCount === 1 ? failureReason : null
  useEffect(() => reportFault(reported), [reported])
  return result
}

/** Returns whether a later attempt may succeed. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status >= 500 || error.status === 429)
}
