import { type GridProgramme, unpackChannel } from '@ondine/contract/guide-grid'
import type { PackedGuide } from '@ondine/contract/packed-guide'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reportFault } from '../errors/report-fault.ts'
import type { GuideDay } from './days.ts'
import { gridQuery } from './queries.ts'
import { type Tile, tilesOf } from './tiles.ts'

/** So many channels are asked for at once: more than a window shows. */
const BLOCK = 20
/** Days this close to the view are fetched ahead, in seconds. */
const AHEAD_SECONDS = 5400

/** The part of the guide that shows: rows, and seconds since the Unix epoch. */
export interface GuideView {
  firstRow: number
  lastRow: number
  from: number
  to: number
}

/** What is known of the part of the guide that shows. */
export interface GuideData {
  /** The tiles of a row, over the days that show. */
  tilesOf(row: number): readonly Tile[]
  failed: boolean
  retry: () => void
}

/** A row that was laid, and with what: it stays the same until that changes. */
interface Laid {
  start: number
  answers: readonly (PackedGuide | undefined)[]
  tiles: readonly Tile[]
}

/** The channels that are asked for together with the first. */
export function firstBlock(channelIds: readonly number[]): readonly number[] {
  return channelIds.slice(0, BLOCK)
}

/** Fetches what a view needs, by blocks of channels and days: what has come once stays while one moves around. */
export function useGuideData(
  channelIds: readonly number[],
  days: readonly GuideDay[],
  view: GuideView,
): GuideData {
  const shown = days.filter(
    ({ start, end }) => start < view.to + AHEAD_SECONDS && end > view.from - AHEAD_SECONDS,
  )
  const firstOfBlocks = Math.floor(view.firstRow / BLOCK)
  const blocks = Array.from({ length: Math.floor(view.lastRow / BLOCK) - firstOfBlocks + 1 }, (_, index) => {
    const from = (firstOfBlocks + index) * BLOCK
    return channelIds.slice(from, from + BLOCK)
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
      const block = Math.floor(row / BLOCK) - firstOfBlocks
      const answers = shown.map((_, index) => results[block * shown.length + index]?.data)
      const known = laid.current.get(idChannel)
      if (known?.start === start && isSame(known.answers, answers)) return known.tiles
      const tiles = tilesOf(
        shown.map(({ start, end }, index) => {
          const answer = answers[index]
          return { start, end, programmes: answer && unpacked(answer, idChannel) }
        }),
      )
      laid.current.set(idChannel, { start, answers, tiles })
      return tiles
    },
    failed: results.some(({ isError, isFetching }) => isError && !isFetching),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch()
    },
  }
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
