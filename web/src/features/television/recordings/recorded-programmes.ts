import type { OutputOf } from '@ondine/contract/operation'
import { type RecordedState, recordedStateOf } from '@ondine/contract/recording-states'
import { type listRecordings, type Recording } from '@ondine/contract/recordings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useClock } from '../../../design/time/clock.ts'
import { useSession } from '../../ground/session/session.ts'
import {
  canContinue,
  changesUntil,
  isOutdated,
  recordingsQuery,
  refreshRecordings,
} from './recordings-query.ts'

/** The profile's recordings by the id of the programme in the guide. */
type Recorded = ReadonlyMap<number, Recording>

const NONE: Recorded = new Map()
const known = new WeakMap<object, Recorded>()

function recordedOf(list: OutputOf<typeof listRecordings>): Recorded {
  let recorded = known.get(list)
  if (!recorded) {
    recorded = new Map(
      list.records.flatMap((each) => (each.idEvent === null ? [] : [[each.idEvent, each] as const])),
    )
    known.set(list, recorded)
  }
  return recorded
}

/**
 * Returns the recordings of the active profile, by programme. Empty for a signed-out viewer, and if `enabled` is
 * false.
 */
export function useRecorded({ enabled = true } = {}): Recorded {
  const { profile } = useSession()
  const { data } = useQuery({ ...recordingsQuery, enabled: enabled && profile !== null })
  return data === undefined ? NONE : recordedOf(data)
}

/** The mark of a programme with a recording. `withheld`: the guide forbids the planned recording. */
export type Mark = RecordedState | 'withheld'

/** Returns the mark of a programme; undefined without a recording. */
export function markOf(recorded: Recorded, { id }: { id: number }): Mark | undefined {
  const recording = recorded.get(id)
  return recording?.state === 'withheld' ? 'withheld' : recording && recordedStateOf(recording.state)
}

/** Returns the result of {@link canContinue}, and renders anew when it changes. False without a recording. */
export function useCanContinue(recording: Recording | undefined, announcedEnd?: number): boolean {
  const clock = useClock()
  const at = (now: number) => recording !== undefined && canContinue(recording, now, announcedEnd)
  return useSyncExternalStore(
    clock.everySecond,
    () => at(clock.now()),
    () => at(clock.drawnAt),
  )
}

/**
 * Refetches the recordings when a programme begins or ends, and then regularly until its recording ends. A screen
 * that shows states of recordings calls this hook once.
 */
export function useChangesOfState({ enabled = true } = {}): void {
  const queries = useQueryClient()
  const clock = useClock()
  const { profile } = useSession()
  const { data } = useQuery({ ...recordingsQuery, enabled: enabled && profile !== null })
  const changes = (now: number) => changesUntil(data?.records ?? [], now)
  const changed = useSyncExternalStore(
    clock.everySecond,
    () => changes(clock.now()),
    () => changes(clock.drawnAt),
  )
  const before = useRef({ list: data, changes: changed })
  useEffect(() => {
    const shown = { list: data, changes: changed }
    if (isOutdated(before.current, shown)) void refreshRecordings(queries)
    before.current = shown
  }, [queries, data, changed])
}
