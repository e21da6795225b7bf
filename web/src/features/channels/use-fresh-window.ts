import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nowQuery, windowStart } from './queries.ts'

/**
 * The window of the guide to show: the one that the page was made with, and each later one as soon as its answer is
 * there, so that nothing flickers when the quarter of an hour is over.
 *
 * @param channels as `nowQuery` takes them; the same array from one rendering to the next.
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
