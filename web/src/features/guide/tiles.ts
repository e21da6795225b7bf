import type { GridProgramme } from '@ondine/contract/guide-grid'

/** What a row of the grid is laid with, without a hole from its beginning to its end. Seconds since the Unix epoch. */
export interface Tile {
  /**
   * `programme`: one. `several`: short ones with their neighbours, each too narrow to be read; the tile shows what is on and what
   * follows. `unknown`: nothing is known of this time. `waiting`: it has not come yet. `failed`: it could not be had.
   */
  kind: 'programme' | 'several' | 'unknown' | 'waiting' | 'failed'
  start: number
  end: number
  programmes: readonly GridProgramme[]
}

/** Part of the time of a row: what is known of it, or that it has not come or could not be had. */
export interface Stretch {
  start: number
  end: number
  programmes: readonly GridProgramme[] | 'waiting' | 'failed'
}

/** Programmes shorter than this, side by side, share a tile. */
const SHORT_SECONDS = 300
/** Such a tile lasts as long as what the hours above are divided into. */
const SHARED_SECONDS = 1800
/** A shorter tile has no room for words. */
const LEAST_SECONDS = 600
/** Nor has a shorter one for two titles, of what is on and of what follows. */
const LEAST_SHARED_SECONDS = 900
/** A shorter hole is drawn as none. */
const HOLE_SECONDS = 60

/** Whether a tile stands for what is not there, which may come yet. */
export function isMissing(kind: Tile['kind']): kind is 'waiting' | 'failed' {
  return kind === 'waiting' || kind === 'failed'
}

/** Lays a row with tiles, each wide enough for words as far as its neighbours allow. The stretches follow each other. */
export function tilesOf(stretches: readonly Stretch[]): Tile[] {
  // Short ones share a tile among themselves first: otherwise a day of them would join one long programme.
  const shared = joined(tilesByTime(stretches), (one, other) => isTooNarrow(one) && isTooNarrow(other))
  return joined(shared, (one, other) => isTooNarrow(one) || isTooNarrow(other))
}

/** Joins neighbouring tiles where `belong` says so, from the first to the last. */
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
      // Also what both stretches know because it lasts over the border between them.
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

/** The tile at a moment: the last one that has begun by then; undefined in a row without tiles. */
export function tileAt(tiles: readonly Tile[], seconds: number): Tile | undefined {
  return tiles.findLast(({ start }) => start <= seconds) ?? tiles[0]
}

/** The programme of a tile to speak of: the one that is on now, else its first. */
export function chosenProgramme({ programmes }: Tile, now: number): GridProgramme | undefined {
  return programmes.find(({ startutc, endutc }) => startutc <= now && now < endutc) ?? programmes[0]
}

/** What follows that programme inside its tile, where it is called otherwise. */
export function followingIn(tile: Tile, now: number): GridProgramme | undefined {
  const chosen = chosenProgramme(tile, now)
  if (chosen === undefined) return undefined
  return tile.programmes.find(({ startutc, title }) => startutc >= chosen.endutc && title !== chosen.title)
}

/** The last moment until `now` at which a programme of a row began or ended; 0 when all of it is to come. Seconds since the Unix epoch. */
export function lastChange(tiles: readonly Tile[], now: number): number {
  const tile = tileAt(tiles, now)
  if (tile === undefined || now < tile.start) return 0
  if (now >= tile.end) return tile.end
  const begun = tile.programmes.findLast(({ startutc }) => startutc <= now)
  return Math.max(tile.start, begun === undefined ? 0 : now >= begun.endutc ? begun.endutc : begun.startutc)
}
