import type { Rail } from '@ondine/contract/catalogue'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNow } from '../../../design/time/clock.ts'

/** Interval between further fetches if the new rails still contain an ended programme, in seconds. */
const AGAIN_SECONDS = 5

/** Fetches the rails again as soon as one of their programmes ends. */
export function useLiveRefresh(
  rails: Rail[],
  queryKey: readonly [name: string, input: { type?: string | undefined }],
): void {
  const queries = useQueryClient()
  const now = useNow()
  const ends = rails.flatMap(({ items }) =>
    items.flatMap((item) =>
      item.type === 'channel' && item.programme !== null ? [item.programme.endutc] : [],
    ),
  )
  const firstEnd = Math.min(...ends)
  const over =
    now >= firstEnd ? firstEnd + Math.floor((now - firstEnd) / AGAIN_SECONDS) * AGAIN_SECONDS : undefined
  const [name, input] = queryKey
  useEffect(() => {
    // Fetches the rails each time a programme ends. If the new rails still contain an ended programme, fetches
    // them again after each interval, because a request may have failed.
    if (over !== undefined) void queries.invalidateQueries({ queryKey: [name, input] })
  }, [queries, over, name, input])
}
