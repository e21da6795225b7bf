import type { GridProgramme } from '@ondine/contract/guide-grid'

/** A tile of a row of the grid. The tiles of a row have no gaps. Times are seconds since the Unix epoch. */
export interface Tile {
  /**
   * `programme`: one programme. `several`: programmes that are too short to show their text. Their common
   * tile shows the current and the next one. `unknown`: no data for this time. `waiting`: not loaded yet.
   * `failed`: loading failed.
   */
  kind: 'programme' | 'several' | 'unknown' | 'waiting' | 'failed'
  start: number
  end: number
  programmes: readonly GridProgramme[]
}

/** A part of a row's time with its programmes, or its loading state. */
export interface Stretch {
  start: number
  end: number
  programmes: readonly GridProgramme[] | 'waiting' | 'failed'
}

/** Programmes shorter than this share a tile with their neighbours. */
const SHORT_SECONDS = 300
/** Length of a shared tile: the same as the divisions of the hours above the grid. */
const SHARED_SECONDS = 1800
/** A shorter tile has no room for text. */
const LEAST_SECONDS = 600
/** A shorter tile has no room for two titles, the current and the next one. */
const LEAST_SHARED_SECONDS = 900
/** Shorter gaps are not drawn. */
const HOLE_SECONDS = 60

/** Returns whether a tile stands for missing data, which may still arrive. */
export function isMissing(kind: Tile['kind']): kind is 'waiting' | 'failed' {
  return kind === 'waiting' || kind === 'failed'
}

/**
 * Builds the tiles of a row, each wide enough for its text, as far as its neighbours allow. The stretches
 * must be consecutive.
 */
export function tilesOf(stretches: readonly Stretch[]): Tile[] {
  // Short programmes are first joined with each other. Otherwise a whole day of short programmes would be
  // joined with one long programme.
  const shared = joined(tilesByTime(stretches), (one, other) => isTooNarrow(one) && isTooNarrow(other))
  return joined(shared, (one, other) => isTooNarrow(one) || isTooNarrow(other))
}

/** Joins neighbouring tiles for which `belong` returns true, from the first to the last. */
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
      // Skips a programme that both stretches contain because it continues from one to the other.
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

/** Returns the tile at a moment: the last tile that begins at or before it; undefined in a row without tiles. */
export function tileAt(tiles: readonly Tile[], seconds: number): Tile | undefined {
  return tiles.findLast(({ start }) => start <= seconds) ?? tiles[0]
}

/** If less than this is visible of a tile, its text would be cut off. */
const SLIVER_SECONDS = 900

/** Returns the tile that ends so soon after the left edge of the view that its text would be cut off. */
export function sliverAt(tiles: readonly Tile[], left: number): Tile | undefined {
  const tile = tileAt(tiles, left)
  return tile !== undefined && tile.start < left && tile.end - left < SLIVER_SECONDS ? tile : undefined
}

/** Returns the programme of a tile to show: the current one, else its first. */
export function chosenProgramme({ programmes }: Tile, now: number): GridProgramme | undefined {
  return programmes.find(({ startutc, endutc }) => startutc <= now && now < endutc) ?? programmes[0]
}

/** Returns the next programme of a tile after the shown programme that has another title. */
export function followingIn(tile: Tile, now: number): GridProgramme | undefined {
  const chosen = chosenProgramme(tile, now)
  if (chosen === undefined) return undefined
  return tile.programmes.find(({ startutc, title }) => startutc >= chosen.endutc && title !== chosen.title)
}

/**
 * Returns the last moment up to `now` at which a programme of a row began or ended; 0 when all are in the
 * future. Times are seconds since the Unix epoch.
 */
export function lastChange(tiles: readonly Tile[], now: number): number {
  const tile = tileAt(tiles, now)
  if (tile === undefined || now < tile.start) return 0
  if (now >= tile.end) return tile.end
  const begun = tile.programmes.findLast(({ startutc }) => startutc <= now)
  return Math.max(tile.start, begun === undefined ? 0 : now >= begun.endutc ? begun.endutc : begun.startutc)
}
