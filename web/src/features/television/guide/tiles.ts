import type { GridProgramme } from '@ondine/contract/guide-grid'

/**
 * A tile in a row of the grid. There are no gaps between the tiles of a row. Times are seconds since the Unix epoch.
 */
export interface Tile {
  /**
   * `programme`: one programme. `several`: programmes that are too short for separate tiles; the tile shows the
   * current programme and the next one. `unknown`: the guide has no programme for this time. `waiting`: the data
   * has not arrived yet. `failed`: the data could not be fetched.
   */
  kind: 'programme' | 'several' | 'unknown' | 'waiting' | 'failed'
  start: number
  end: number
  programmes: readonly GridProgramme[]
}

/** A part of the time of a row, with its programmes, or with the state of its data. */
export interface Stretch {
  start: number
  end: number
  programmes: readonly GridProgramme[] | 'waiting' | 'failed'
}

/** Consecutive programmes that are shorter than this many seconds share a tile. */
const SHORT_SECONDS = 300
/**
 * Maximum length in seconds of a tile that short programmes share. The times at the head of the grid are this far
 * apart.
 */
const SHARED_SECONDS = 1800
/** A tile that is shorter than this many seconds is too narrow for text. */
const LEAST_SECONDS = 600
/**
 * A tile of several programmes that is shorter than this many seconds is too narrow for the titles of the current
 * and the next programme.
 */
const LEAST_SHARED_SECONDS = 900
/** A gap between two programmes that is at most this many seconds long is not shown. */
const HOLE_SECONDS = 60

/** Returns whether a tile is a placeholder for data that may still arrive. */
export function isMissing(kind: Tile['kind']): kind is 'waiting' | 'failed' {
  return kind === 'waiting' || kind === 'failed'
}

/**
 * Builds the tiles of a row. Programmes share a tile if separate tiles would be too narrow for their text. Each
 * stretch must begin at the end of the previous stretch.
 */
export function tilesOf(stretches: readonly Stretch[]): Tile[] {
  // Short programmes are joined with each other first, and then with long programmes. Otherwise, a whole day of
  // short programmes would join one long programme in a single tile.
  const shared = joined(tilesByTime(stretches), (one, other) => isTooNarrow(one) && isTooNarrow(other))
  return joined(shared, (one, other) => isTooNarrow(one) || isTooNarrow(other))
}

/** Joins consecutive tiles for which `belong` returns true. */
function joined(tiles: readonly Tile[], belong: (one: Tile, other: Tile) => boolean): Tile[] {
  const wide: Tile[] = []
  for (const tile of tiles) {
    const last = wide.at(-1)
    if (last !== undefined && areNeighbours(last, tile) && belong(last, tile)) {
      wide[wide.length - 1] = {
        kind: 'several',
        start: last.start,
        end: tile.end,
        programmes: [...last.programmes, ...tile.programmes],
      }
    } else wide.push(tile)
  }
  return wide
}

function isTooNarrow({ kind, start, end }: Tile): boolean {
  return end - start < (kind === 'several' ? LEAST_SHARED_SECONDS : LEAST_SECONDS)
}

function areNeighbours(one: Tile, other: Tile): boolean {
  return one.programmes.length > 0 && other.programmes.length > 0 && other.start - one.end <= HOLE_SECONDS
}

function tilesByTime(stretches: readonly Stretch[]): Tile[] {
  const tiles: Tile[] = []
  const begin = stretches[0]?.start ?? 0
  let until = begin
  const fill = (to: number, kind: 'unknown' | 'waiting' | 'failed') => {
    if (to - until > (kind === 'unknown' ? HOLE_SECONDS : 0)) {
      tiles.push({ kind, start: until, end: to, programmes: [] })
    }
    until = Math.max(until, to)
  }
  for (const stretch of stretches) {
    if (stretch.programmes === 'waiting' || stretch.programmes === 'failed') {
      fill(stretch.end, stretch.programmes)
      continue
    }
    for (const programme of stretch.programmes) {
      const start = Math.max(programme.startutc, until)
      const end = Math.min(programme.endutc, stretches.at(-1)?.end ?? 0)
      // A programme that continues into the next stretch is in both stretches. The second copy is skipped.
      if (end <= start) continue
      fill(start, 'unknown')
      lay(tiles, programme, start, end)
      until = end
    }
    fill(stretch.end, 'unknown')
  }
  return tiles
}

function lay(tiles: Tile[], programme: GridProgramme, start: number, end: number): void {
  const last = tiles.at(-1)
  if (last !== undefined && sharesTile(last, programme, start, end)) {
    tiles[tiles.length - 1] = {
      kind: 'several',
      start: last.start,
      end,
      programmes: [...last.programmes, programme],
    }
  } else tiles.push({ kind: 'programme', start, end, programmes: [programme] })
}

function sharesTile(last: Tile, programme: GridProgramme, start: number, end: number): boolean {
  if (last.kind !== 'programme' && last.kind !== 'several') return false
  if (end - start >= SHORT_SECONDS || start - last.end > HOLE_SECONDS) return false
  if (last.kind === 'programme' && last.end - last.start >= SHORT_SECONDS) return false
  const isSameSpan =
    Math.floor(last.start / SHARED_SECONDS) === Math.floor(programme.startutc / SHARED_SECONDS)
  return isSameSpan
}

/**
 * Returns the last tile that begins at or before a moment. If all tiles begin later, returns the first tile.
 * Undefined in a row without tiles.
 */
export function tileAt(tiles: readonly Tile[], seconds: number): Tile | undefined {
  return tiles.findLast(({ start }) => start <= seconds) ?? tiles[0]
}

/** If less than this many seconds of a tile are visible, the text of the tile would be cut off. */
const SLIVER_SECONDS = 900

/**
 * Returns the tile at the left edge of the view if its visible part is so narrow that its text would be cut off.
 * Otherwise undefined.
 */
export function sliverAt(tiles: readonly Tile[], left: number): Tile | undefined {
  const tile = tileAt(tiles, left)
  return tile !== undefined && tile.start < left && tile.end - left < SLIVER_SECONDS ? tile : undefined
}

/** Returns the programme that a tile shows: the current programme, or else the first programme of the tile. */
export function chosenProgramme({ programmes }: Tile, now: number): GridProgramme | undefined {
  return programmes.find(({ startutc, endutc }) => startutc <= now && now < endutc) ?? programmes[0]
}

/**
 * Returns whether a row has lost all programmes of an earlier tile. False as long as some data at the tile's time is
 * missing.
 */
export function isGone(earlier: Tile, tiles: readonly Tile[]): boolean {
  return earlier.programmes.length > 0 && isKnownAt(earlier, tiles) && !tiles.some(shareProgramme(earlier))
}

/**
 * Returns the tile to which the guide has moved a programme of an earlier tile. Undefined if the row still has it at the
 * start of the earlier tile, and as long as some data at the tile's time is missing.
 */
export function movedTile(earlier: Tile, tiles: readonly Tile[]): Tile | undefined {
  if (!isKnownAt(earlier, tiles)) return undefined
  const found = tiles.filter(shareProgramme(earlier))
  return found.some(({ start }) => start === earlier.start) ? undefined : found[0]
}

/** Returns whether all data at the time of an earlier tile has arrived. */
function isKnownAt(earlier: Tile, tiles: readonly Tile[]): boolean {
  const here = tiles.filter(({ start, end }) => start < earlier.end && end > earlier.start)
  return here.length > 0 && !here.some(({ kind }) => isMissing(kind))
}

function shareProgramme(earlier: Tile): (tile: Tile) => boolean {
  const ids = new Set(earlier.programmes.map(({ id }) => id))
  return ({ programmes }) => programmes.some(({ id }) => ids.has(id))
}

/** Returns the programme that a tile names as the next one: the first later programme with another title. */
export function followingIn(tile: Tile, now: number): GridProgramme | undefined {
  const chosen = chosenProgramme(tile, now)
  if (chosen === undefined) return undefined
  return tile.programmes.find(({ startutc, title }) => startutc >= chosen.endutc && title !== chosen.title)
}

/**
 * Returns the last moment, up to `now`, at which a programme of a row began or ended. 0 if all programmes are in the
 * future. Times are seconds since the Unix epoch.
 */
export function lastChange(tiles: readonly Tile[], now: number): number {
  const tile = tileAt(tiles, now)
  if (tile === undefined || now < tile.start) return 0
  if (now >= tile.end) return tile.end
  const begun = tile.programmes.findLast(({ startutc }) => startutc <= now)
  return Math.max(tile.start, begun === undefined ? 0 : now >= begun.endutc ? begun.endutc : begun.startutc)
}
