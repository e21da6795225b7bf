import { type GridProgramme, unpackChannel } from '@ondine/contract/guide-grid'
import type { PackedGuide } from '@ondine/contract/packed-guide'
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { GuideDay } from '../../ground/days/days.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { gridQuery } from '../schedule/queries.ts'
import { blockOf, channelsOf } from './channel-blocks.ts'
import { type Stretch, type Tile, tilesOf } from './tiles.ts'

/** A day within this many seconds of the view is fetched before it becomes visible. */
const AHEAD_SECONDS = 5400

/** The rendered part of the guide: its rows, and its start and end in seconds since the Unix epoch. */
export interface GuideView {
  firstRow: number
  lastRow: number
  from: number
  to: number
}

/** The data of the rendered part of the guide. */
export interface GuideData {
  /** Returns the tiles of a row, for the days in the view and near it. */
  tilesOf(row: number): readonly Tile[]
  /** Whether some of the data of the view could not be fetched. */
  failed: boolean
  /** Tries the failed requests again. */
  retry: () => void
}

/** The answer to a call for one day of some channels, or the state of that call. */
type Answer = PackedGuide | 'waiting' | 'failed'

/** The tiles of a row, and the answers from which they were built. Only a new answer causes new tiles. */
interface Laid {
  start: number
  answers: readonly Answer[]
  tiles: readonly Tile[]
}

/** A fetched day of some channels, with its answer. */
interface KnownDay {
  day: GuideDay
  answer: PackedGuide
}

/**
 * Fetches the data of a view in blocks of some channels and one day. Fetched data is kept. If the browser's time
 * zone differs from the zone that the server assumed, the days change. `before` then contains the previous days,
 * whose programmes are shown until the data of `days` arrives.
 */
export function useGuideData(
  channelIds: readonly number[],
  days: readonly GuideDay[],
  before: readonly GuideDay[] | undefined,
  view: GuideView,
): GuideData {
  const queryClient = useQueryClient()
  const shown = days.filter(
    ({ start, end }) => start < view.to + AHEAD_SECONDS && end > view.from - AHEAD_SECONDS,
  )
  const firstOfBlocks = blockOf(view.firstRow)
  const blocks = Array.from({ length: blockOf(view.lastRow) - firstOfBlocks + 1 }, (_, index) => {
    return channelsOf(channelIds, firstOfBlocks + index)
  }).filter((block) => block.length > 0)
  const results = useQueries({
    queries: blocks.flatMap((block) => shown.map((day) => gridQuery(day, block))),
  })
  const error = results.find((result) => result.error !== null)?.error ?? null
  useEffect(() => reportFault(error), [error])

  const laid = useRef(new Map<number, Laid>())
  const start = shown[0]?.start ?? 0
  return {
    tilesOf: (row) => {
      const idChannel = channelIds[row]
      if (idChannel === undefined) return []
      const block = blockOf(row) - firstOfBlocks
      const answers = shown.map((_, index) => answerOf(results[block * shown.length + index]))
      const known = laid.current.get(idChannel)
      if (known?.start === start && isSame(known.answers, answers)) return known.tiles
      const earlier = answers.every((answer) => typeof answer === 'object')
        ? []
        : (before ?? []).flatMap((day): KnownDay[] => {
            const answer = queryClient.getQueryData(gridQuery(day, blocks[block] ?? []).queryKey)
            return answer === undefined ? [] : [{ day, answer }]
          })
      const tiles = tilesOf(
        shown.flatMap((day, index): Stretch[] => {
          const answer = answers[index] ?? 'waiting'
          if (typeof answer === 'string') return stretchesOf(day, earlier, idChannel, answer)
          return [{ start: day.start, end: day.end, programmes: unpacked(answer, idChannel) }]
        }),
      )
      laid.current.set(idChannel, { start, answers, tiles })
      return tiles
    },
    failed: results.some(hasFailed),
    retry: () => {
      for (const result of results) if (hasFailed(result)) void result.refetch()
    },
  }
}

/** The fields of a query's result that the guide uses. */
type Asked = Pick<UseQueryResult<PackedGuide>, 'data' | 'isError' | 'isFetching'>

/** Returns whether there is no data because of an error. After a refetch that fails, the earlier data stays. */
function hasFailed({ data, isError, isFetching }: Asked): boolean {
  return data === undefined && isError && !isFetching
}

function answerOf(asked: Asked | undefined): Answer {
  return asked?.data ?? (asked !== undefined && hasFailed(asked) ? 'failed' : 'waiting')
}

/** Fills a day without data with programmes from the overlapping days in `known`. */
function stretchesOf(
  day: GuideDay,
  known: readonly KnownDay[],
  idChannel: number,
  otherwise: 'waiting' | 'failed',
): Stretch[] {
  const stretches: Stretch[] = []
  let until = day.start
  for (const { day: earlier, answer } of known) {
    const start = Math.max(earlier.start, until)
    const end = Math.min(earlier.end, day.end)
    if (end <= start) continue
    if (start > until) stretches.push({ start: until, end: start, programmes: otherwise })
    const programmes = unpacked(answer, idChannel).filter(({ startutc }) => startutc < end)
    stretches.push({ start, end, programmes })
    until = end
  }
  if (until < day.end) stretches.push({ start: until, end: day.end, programmes: otherwise })
  return stretches
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

const UNPACKED = new WeakMap<PackedGuide, Map<number, GridProgramme[]>>()

function unpacked(answer: PackedGuide, idChannel: number): GridProgramme[] {
  const channels = UNPACKED.get(answer) ?? new Map<number, GridProgramme[]>()
  UNPACKED.set(answer, channels)
  const programmes = channels.get(idChannel) ?? unpackChannel(answer, idChannel)
  channels.set(idChannel, programmes)
  return programmes
}
