import type { Programme } from '@ondine/contract/entities'
import { keepPreviousData } from '@tanstack/react-query'
import { useNow } from '../../../design/time/clock.ts'
import { nowQuery } from './queries.ts'
import { useFreshWindow } from './use-fresh-window.ts'
import { usePatientQuery } from './use-patient-query.ts'

/**
 * Returns the current time, in seconds since the Unix epoch, and the programmes of channels around this time. The
 * programmes of a channel are undefined as long as they are unknown.
 *
 * @param start start of the guide's window with which the page was rendered, in seconds since the Unix epoch
 * @param ids the channels of one page of a wall, see `wallPage`; must be the same array object in each rendering
 */
export function useWallProgrammes(
  start: number,
  ids: readonly number[],
): { now: number; programmesOf: (idChannel: number) => readonly Programme[] | undefined } {
  const now = useNow()
  const { data: guide, isPlaceholderData } = usePatientQuery({
    ...nowQuery(useFreshWindow(start, now, ids), ids),
    // When a channel is removed from the wall, the other channels keep their programmes.
    placeholderData: keepPreviousData,
  })
  // Earlier data says nothing about a channel that is new on the wall.
  const without = guide === undefined || isPlaceholderData ? undefined : []
  return { now, programmesOf: (idChannel) => guide?.[`chan_${idChannel}`] ?? without }
}
