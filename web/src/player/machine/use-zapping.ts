import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect } from 'react'
import { useNow } from '../../design/time/clock.ts'
import { channelsQuery, nowQuery, windowStart } from '../../features/content/line-up/queries.ts'
import { playerPath } from '../content/player-target.ts'
import { replaceAddress } from '../content/replace-address.ts'
import type { PlayerActor } from './player-machine.ts'
import type { BrowserParts } from './player-parts.ts'
import { neighbour } from './zapping.ts'

/** Switching between channels. */
export interface Zapping {
  step(by: 1 | -1): void
  to(idChannel: number): void
}

/**
 * Time that a channel must play before the player requests the streams of its neighbours. Fast switching then
 * causes no extra requests.
 */
const ANTICIPATE_MS = 1500

export function useZapping(actor: PlayerActor, parts: BrowserParts): Zapping {
  const router = useRouter()
  const target = useSelector(actor, (state) => state.context.target)
  const settled = useSelector(actor, (state) => state.matches({ playback: 'playing' }))
  const isChannel = target.kind === 'channel'
  const { data: channels } = useQuery({ ...channelsQuery, enabled: isChannel })
  const now = useNow()
  const playable = channels?.filter((channel) => channel.isIncludedInUserOffers)
  const before = isChannel ? neighbour(playable ?? [], target.id, -1) : undefined
  const after = isChannel ? neighbour(playable ?? [], target.id, 1) : undefined
  const beside = [...new Set([after, before])].filter((id) => id !== undefined)
  const { data: guide } = useQuery({
    ...nowQuery(windowStart(now), beside),
    enabled: settled && beside.length > 0,
  })

  useEffect(() => {
    // A channel without a current programme has no stream to request.
    const onAir = (id: number) => (guide?.[`chan_${id}`] ?? []).length > 0
    if (!settled || guide === undefined) return undefined
    const timer = setTimeout(() => {
      for (const id of new Set([after, before])) if (id !== undefined && onAir(id)) parts.anticipate(id)
    }, ANTICIPATE_MS)
    return () => clearTimeout(timer)
  }, [parts, settled, guide, before, after])

  const to = useCallback((id: number) => replaceAddress(router, playerPath('channel', id)), [router])
  const step = useCallback(
    (by: 1 | -1) => {
      const next = by === 1 ? after : before
      if (next !== undefined) to(next)
    },
    [to, before, after],
  )
  return { step, to }
}
