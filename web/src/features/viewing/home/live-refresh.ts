import type { Rail } from '@ondine/contract/catalogue'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNow } from '../../../design/time/clock.ts'

/** Delay before the next request when the answer still contained an ended programme, in seconds. */
const AGAIN_SECONDS = 5

/** Refetches the rails as soon as one of their programmes ends. */
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
    // Refetches once for each end, and again while the rails still contain an ended programme, because a
    // request may have failed.
    if (over !== undefined) void queries.invalidateQueries({ queryKey: [name, input] })
  }, [queries, over, name, input])
}
