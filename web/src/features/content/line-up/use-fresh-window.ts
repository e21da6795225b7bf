import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nowQuery, windowStart } from './queries.ts'

/**
 * Returns the start of the guide's window to show. At first, returns the start with which the page was rendered. When
 * a quarter of an hour ends, returns the next start, but only after its data has arrived, so that nothing flickers.
 *
 * @param channels as for `nowQuery`; must be the same array object in each rendering
 */
export function useFreshWindow(
  start: number,
  now: number,
  queries: QueryClient,
  channels: number | readonly number[],
): number {
  const [shown, setShown] = useState(start)
  const wanted = Math.max(start, windowStart(now))
  useEffect(() => {
    if (wanted === shown) return undefined
    let current = true
    const follow = async () => {
      const query = nowQuery(wanted, channels)
      await queries.prefetchQuery(query)
      if (current && queries.getQueryData(query.queryKey) !== undefined) setShown(wanted)
    }
    void follow()
    return () => {
      current = false
    }
  }, [queries, wanted, shown, channels])
  return shown
}
