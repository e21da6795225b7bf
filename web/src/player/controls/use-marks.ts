import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { eventQuery } from '../../features/television/schedule/queries.ts'
import type { Segment } from '../content/segments.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Returns the marks of the seek bar: the chapters of a film, or on a channel the films of a block (a programme
 * with several films). Times are seconds of the presentation.
 */
export function useMarks(actor: PlayerActor): readonly Segment[] {
  const chapters = useSelector(actor, (state) => state.context.segments.chapters)
  const epoch = useSelector(actor, (state) => state.context.reading.epoch)
  const live = useSelector(actor, (state) => state.context.playable?.kind === 'channel')
  const programme = useSelector(actor, (state) => state.context.liveEpgProgram)
  const movable = useSelector(actor, (state) => canMove(state.context))
  const { data: event } = useQuery({
    ...eventQuery(programme?.id ?? 0, programme?.id_channel ?? 0),
    // A programme with an asset is a single title. Only a programme without an asset can be a block with parts.
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
