import { dayOf, type GuideDay } from '../../ground/days/days.ts'
import { isMissing, type Tile, tileAt } from './tiles.ts'

/** A place in the grid: a row, and a moment in seconds since the Unix epoch. */
export interface GridPlace {
  row: number
  time: number
}

/** The grid in which the focus moves. */
export interface GridGround {
  rows: number
  /** Number of rows by which Page Up and Page Down move the focus. */
  page: number
  /** All days of the guide. */
  days: readonly GuideDay[]
  /**
   * Returns the tiles of a row for the days near the view. Other days are loaded when the view approaches them.
   */
  tilesOf(row: number): readonly Tile[]
}

/** A key press with its modifier. */
export interface Press {
  key: string
  ctrlKey: boolean
}

/**
 * Returns the place to which a key moves the focus; undefined for any other key.
 * - Left and right: the previous or the next programme of the row.
 * - Up and down, Page Up and Page Down: the programme at the same time on another channel.
 * - Home and End: the start of the day and its last programme; with Control, the first and the last channel.
 *
 * Home moves to the start of the day, even if the first programme began on the day before. Left and right can move
 * to a day that is not loaded. The new place is then directly beside the tile that loses the focus. When the day
 * arrives, this is the nearest programme. At the start and the end of the guide, the place does not change.
 */
export function move(place: GridPlace, { key, ctrlKey }: Press, ground: GridGround): GridPlace | undefined {
  const { days } = ground
  const tiles = ground.tilesOf(place.row)
  const toRow = (row: number): GridPlace => ({ ...place, row: Math.min(Math.max(row, 0), ground.rows - 1) })
  const toTime = (time: number): GridPlace => {
    const isInside = time >= (days[0]?.start ?? 0) && time < (days.at(-1)?.end ?? 0)
    return isInside ? { ...place, time } : place
  }
  const here = tileOfPlace(tiles, place.time, days)
  const day = dayOf(days, place.time)
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
      return here === undefined ? place : toTime(timeBefore(here, tiles, days))
    case 'ArrowRight':
      return here === undefined ? place : toTime(timeAfter(here, tiles, days))
    case 'Home':
      if (ctrlKey) return toRow(0)
      return day === undefined ? place : toTime(day.start)
    case 'End': {
      if (ctrlKey) return toRow(ground.rows - 1)
      const last = day && tileOfPlace(tiles, day.end - 1, days)
      if (last === undefined) return place
      return toTime(isMissing(last.kind) ? last.end - 1 : Math.max(last.start, day?.start ?? 0))
    }
    default:
      return undefined
  }
}

/**
 * Returns the tile at a place: the last tile of the day that begins at or before the moment. Undefined if the row
 * is not loaded.
 */
export function tileOfPlace(
  tiles: readonly Tile[],
  seconds: number,
  days: readonly GuideDay[],
): Tile | undefined {
  const day = dayOf(days, seconds)
  if (day === undefined) return undefined
  return tileAt(
    tiles.filter(({ start, end }) => start < day.end && end > day.start),
    seconds,
  )
}

/**
 * Returns the start of the previous tile. If that tile is not loaded, returns the last second before `tile`. Times
 * are seconds since the Unix epoch.
 */
function timeBefore(tile: Tile, tiles: readonly Tile[], days: readonly GuideDay[]): number {
  const previous = tiles[tiles.indexOf(tile) - 1]
  if (previous !== undefined && !isMissing(previous.kind)) return previous.start
  const end = previous?.end ?? dayOf(days, tile.start)?.start ?? tile.start
  // If the programme began on a day that is not loaded, its tile is cut at the end of that day.
  return Math.min(end, tile.programmes[0]?.startutc ?? end) - 1
}

/** Returns the start of the next tile. Times are seconds since the Unix epoch. */
function timeAfter(tile: Tile, tiles: readonly Tile[], days: readonly GuideDay[]): number {
  const next = tiles[tiles.indexOf(tile) + 1]
  if (next !== undefined) return next.start
  const end = dayOf(days, tile.end - 1)?.end ?? tile.end
  // If the programme continues on a day that is not loaded, its tile is cut at the end of the last loaded day.
  return Math.max(end, tile.programmes.at(-1)?.endutc ?? end)
}
