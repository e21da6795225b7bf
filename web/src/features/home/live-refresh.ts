import type { Rail } from '@ondine/contract/catalogue'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNow } from '../../design/clock.ts'

/** How often to ask again when the answer still showed a programme that is over, in seconds. */
const AGAIN_SECONDS = 5

/** Asks for the rails again as soon as one of the programmes that they show is over. */
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
    // Once for each end that passes, and again while the rails lag behind: an answer may have failed.
    if (over !== undefined) void queries.invalidateQueries({ queryKey: [name, input] })
  }, [queries, over, name, input])
}
