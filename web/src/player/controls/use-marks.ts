import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { eventQuery } from '../../features/television/schedule/queries.ts'
import type { Segment } from '../content/segments.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Returns the marks of the seek bar: chapters of a film, or the films of a block on a channel. Times are
 * seconds of the presentation.
 */
export function useMarks(actor: PlayerActor): readonly Segment[] {
  const chapters = useSelector(actor, (state) => state.context.segments.chapters)
  const epoch = useSelector(actor, (state) => state.context.reading.epoch)
  const live = useSelector(actor, (state) => state.context.playable?.kind === 'channel')
  const programme = useSelector(actor, (state) => state.context.liveEpgProgram)
  const movable = useSelector(actor, (state) => canMove(state.context))
  const { data: event } = useQuery({
    ...eventQuery(programme?.id ?? 0, programme?.id_channel ?? 0),
    // Only a block has parts, and a block is not an asset of the catalogue.
    enabled: live && movable && programme !== null && programme.idAsset === null,
  })
  if (!live) return chapters
  if (event === undefined || event.current.id !== programme?.id || epoch === null) return []
  return event.parts.map(({ title, subtitle, start, end }) => ({
    label: subtitle === '' ? title : `${title} · ${subtitle}`,
    start: start - epoch,
    end: end - epoch,
  }))
}
