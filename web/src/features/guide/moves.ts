import { dayOf, type GuideDay } from './days.ts'
import { isMissing, type Tile, tileAt } from './tiles.ts'

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
  /** All days of the guide. */
  days: readonly GuideDay[]
  /** What a row is laid with: the days near the view. The others are laid as the view comes near them. */
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
 * the day one is within it, also on a programme that has begun the day before. Along a row one comes to days that are not
 * laid or have not come as well: there the place is the moment next to what one leaves, so that one stands on what is
 * nearest once it has come. At the ends of the guide one stays. Undefined for a key that means nothing here.
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
 * The tile that one stands on at a moment: of those of its day the last one that has begun by then. Undefined where the row
 * is not laid.
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

/** The beginning of what comes before a tile, or its last second where that is not known. Seconds since the Unix epoch. */
function timeBefore(tile: Tile, tiles: readonly Tile[], days: readonly GuideDay[]): number {
  const previous = tiles[tiles.indexOf(tile) - 1]
  if (previous !== undefined && !isMissing(previous.kind)) return previous.start
  const end = previous?.end ?? dayOf(days, tile.start)?.start ?? tile.start
  // What has begun on a day that is not there is drawn from where that day ends.
  return Math.min(end, tile.programmes[0]?.startutc ?? end) - 1
}

/** The beginning of what comes after a tile. Seconds since the Unix epoch. */
function timeAfter(tile: Tile, tiles: readonly Tile[], days: readonly GuideDay[]): number {
  const next = tiles[tiles.indexOf(tile) + 1]
  if (next !== undefined) return next.start
  const end = dayOf(days, tile.end - 1)?.end ?? tile.end
  // What goes on over the end of what is laid is drawn until there.
  return Math.max(end, tile.programmes.at(-1)?.endutc ?? end)
}
