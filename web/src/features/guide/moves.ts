import type { GuideDay } from './days.ts'
import { type Tile, tileAt } from './tiles.ts'

/** A place in the grid: a row, and a moment in seconds since the Unix epoch. */
export interface GridPlace {
  row: number
  time: number
}

/** What the grid is like where one moves in it. */
export interface GridGround {
  rows: number
  /** Rows that show at once. */
  page: number
  /** The day that is shown. */
  day: GuideDay
  tilesOf(row: number): readonly Tile[]
}

/** A key with what is held down with it. */
export interface Press {
  key: string
  ctrlKey: boolean
}

/**
 * Where a key leads: along a row to the programme before or after, up and down to what is on at the same time on the
 * channel there, with Home and End to the ends of the day, with Control to the first and the last channel. At the ends of
 * the day one is within it, also on a programme that has begun the day before. Undefined for a key that means nothing here.
 */
export function move(place: GridPlace, { key, ctrlKey }: Press, ground: GridGround): GridPlace | undefined {
  const toRow = (row: number): GridPlace => ({ ...place, row: Math.min(Math.max(row, 0), ground.rows - 1) })
  const toTime = (time: number): GridPlace => {
    const tile = tileAt(ground.tilesOf(place.row), time)
    return tile === undefined ? place : { ...place, time: tile.start }
  }
  const toEnd = (time: number): GridPlace => {
    const to = toTime(time)
    return { ...to, time: Math.max(to.time, ground.day.start) }
  }
  const here = tileAt(ground.tilesOf(place.row), place.time)
  switch (key) {
    case 'ArrowUp':
      return toRow(place.row - 1)
    case 'ArrowDown':
      return toRow(place.row + 1)
    case 'PageUp':
      return toRow(place.row - ground.page)
    case 'PageDown':
      return toRow(place.row + ground.page)
    case 'ArrowLeft':
      return here === undefined ? place : toTime(here.start - 1)
    case 'ArrowRight':
      return here === undefined ? place : toTime(here.end)
    case 'Home':
      return ctrlKey ? toRow(0) : toEnd(ground.day.start)
    case 'End':
      return ctrlKey ? toRow(ground.rows - 1) : toEnd(ground.day.end - 1)
    default:
      return undefined
  }
}
