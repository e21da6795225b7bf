import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { nowQuery, windowStart } from './queries.ts'

/**
 * Returns the start of the guide's window to show. At first, returns the start with which the page was rendered. When
 * a quarter of an hour ends, returns the next start, but only after its data has arrived, so that nothing flickers.
 * A failed request is repeated after growing pauses, because a computer that wakes up may not have a connection yet.
 *
 * @param channels as for `nowQuery`; must be the same array object in each rendering
 */
export function useFreshWindow(start: number, now: number, channels: number | readonly number[]): number {
  const [shown, setShown] = useState(start)
  const wanted = Math.max(start, windowStart(now))
  const { isSuccess, failureReason } = useQuery({
    ...nowQuery(wanted, channels),
    enabled: wanted !== shown,
    retry: true,
  })
  useEffect(() => reportFault(failureReason), [failureReason])
  if (isSuccess && wanted !== shown) setShown(wanted)
  return shown
}
