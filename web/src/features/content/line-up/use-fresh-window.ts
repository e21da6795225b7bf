import { useState } from 'react'
import { nowQuery, windowStart } from './queries.ts'
import { usePatientQuery } from './use-patient-query.ts'

/**
 * Returns the start of the guide's window to show. At first, returns the start with which the page was rendered. When
 * a quarter of an hour ends, returns the next start, but only after its data has arrived, so that nothing flickers.
 *
 * @param channels as for `nowQuery`; must be the same array object in each rendering
 */
export function useFreshWindow(start: number, now: number, channels: number | readonly number[]): number {
  const [shown, setShown] = useState(start)
  const wanted = Math.max(start, windowStart(now))
  const { isSuccess } = usePatientQuery({ ...nowQuery(wanted, channels), enabled: wanted !== shown })
  if (isSuccess && wanted !== shown) setShown(wanted)
  return shown
}
