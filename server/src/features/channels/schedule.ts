import { minuteOfDay, offsetAt } from './local-time.ts'
import { type Block, blocksOf, type ScheduleRules } from './schedule-rules.ts'

/** Something that a channel can play as a whole: the main media of an asset, or a trailer. */
export interface Piece {
  assetId: number
  trackSetId: string
  /** Of whole segments, rounded up to milliseconds: exactly what a Span of it plays. */
  durationMs: number
  segmentCount: number
}

/** What the titles of rules stand for now. */
export interface Shelf {
  /** A film by itself, a series as its episodes in order; nothing while it is not ready. */
  programmes(title: string): readonly Piece[]
  /** Its trailer, or itself. */
  fillers(title: string): readonly Piece[]
}

/** Where a block stands. */
interface BlockState {
  /** Place in the list of what was played last, and what it was: lists change as films come and go. */
  at: number
  last: number | null
  /** Shuffle: titles that have not been played in this round, the next one first. */
  left?: string[]
  /** Shuffle: number of the round. */
  round?: number
  lastTitle?: string
  /** Shuffle: the episode of each series that was played last. */
  episodes?: Record<string, { at: number; last: number | null }>
}

/**
 * Where a channel's schedule ends. It is stored with the entries, so that whoever goes on with it needs nothing else.
 * Times are milliseconds since the Unix epoch.
 */
export interface ScheduleCursor {
  /** Number of the next entry. */
  position: number
  /** When the next entry starts. */
  endsAt: number
  /** Segments and entries before the next entry: HLS wants both counted from the beginning of the channel. */
  mediaSequence: number
  discontinuitySequence: number
  blocks: Record<string, BlockState>
  filler: { at: number; last: number | null }
}

/** An entry of the schedule, as it is stored. */
export interface PlannedEntry {
  position: number
  kind: 'programme' | 'filler'
  startsAt: number
  endsAt: number
  /** When the next programme begins. */
  shownUntil: number
  piece: Piece
  mediaSequence: number
  discontinuitySequence: number
}

/** The cursor of a channel that has not played yet. */
export function firstCursor(startsAt: number): ScheduleCursor {
  return {
    position: 0,
    endsAt: startsAt,
    mediaSequence: 0,
    discontinuitySequence: 0,
    blocks: {},
    filler: { at: -1, last: null },
  }
}

/** How far to plan: until a time, and not many more than so many entries at once (the filler after one is never left out). */
export interface Bounds {
  until: number
  limit: number
}

/**
 * Plans what comes next: a pure function, so that the same cursor, rules and shelf always give the same entries. Stops
 * where nothing of the rules is ready.
 *
 * @param seed any text that tells channels apart: equal rules then shuffle differently.
 */
export function planEntries(
  rules: ScheduleRules,
  shelf: Shelf,
  from: ScheduleCursor,
  { until, limit }: Bounds,
  seed: string,
): { entries: PlannedEntry[]; cursor: ScheduleCursor } {
  const cursor = structuredClone(from)
  const entries: PlannedEntry[] = []
  const add = (kind: PlannedEntry['kind'], piece: Piece): PlannedEntry => {
    const { position, endsAt: startsAt, mediaSequence, discontinuitySequence } = cursor
    const endsAt = startsAt + piece.durationMs
    const entry = {
      position,
      kind,
      startsAt,
      endsAt,
      shownUntil: endsAt,
      piece,
      mediaSequence,
      discontinuitySequence,
    }
    entries.push(entry)
    cursor.position++
    cursor.endsAt = endsAt
    cursor.mediaSequence += piece.segmentCount
    cursor.discontinuitySequence++
    return entry
  }
  while (cursor.endsAt < until && entries.length < limit) {
    const piece = nextProgramme(rules, shelf, cursor, seed)
    if (!piece) break
    const programme = add('programme', piece)
    if (rules.roundTo === null) continue
    const round = nextRoundTime(rules, cursor.endsAt)
    for (
      let next = nextFiller(rules, shelf, cursor, round);
      next;
      next = nextFiller(rules, shelf, cursor, round)
    ) {
      add('filler', next)
      programme.shownUntil = cursor.endsAt
    }
  }
  return { entries, cursor }
}

/** The next piece of the block whose time it is; when nothing of it is ready, of the first block that has something. */
function nextProgramme(
  rules: ScheduleRules,
  shelf: Shelf,
  cursor: ScheduleCursor,
  seed: string,
): Piece | undefined {
  const blocks = blocksOf(rules)
  const now = blockAt(rules, blocks, cursor.endsAt)
  for (const block of [now, ...blocks.filter((other) => other !== now)]) {
    const state = (cursor.blocks[block.key] ??= { at: -1, last: null })
    const piece =
      block.order === 'sequence'
        ? takeNext(
            block.titles.flatMap((title) => shelf.programmes(title)),
            state,
          )
        : shuffled(block, shelf, state, `${seed}/${block.key}`)
    if (piece) return piece
  }
  return undefined
}

/** The block of the part of the day that `at` falls into; before the first one, the last one of the day before goes on. */
export function blockAt(rules: ScheduleRules, blocks: Block[], at: number): Block {
  const [first] = blocks
  if (!first) throw new Error('Rules have at least one block.')
  if (rules.kind !== 'dayparts') return first
  const minute = minuteOfDay(rules.timeZone, at)
  const byTime = [...blocks].sort((a, b) => (a.key < b.key ? -1 : 1))
  return byTime.findLast(({ key }) => minuteOf(key) <= minute) ?? byTime.at(-1) ?? first
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** The piece after the last one. Where that one has gone from the list, the one that has moved to its place. */
function takeNext(list: readonly Piece[], state: { at: number; last: number | null }): Piece | undefined {
  if (list.length === 0) return undefined
  const place =
    state.last === null || list[state.at]?.assetId === state.last
      ? state.at
      : list.findIndex(({ assetId }) => assetId === state.last)
  const next = place === -1 && state.last !== null ? state.at : place + 1
  state.at = next >= list.length || next < 0 ? 0 : next
  const piece = list[state.at]
  state.last = piece?.assetId ?? null
  return piece
}

function shuffled(block: Block, shelf: Shelf, state: BlockState, seed: string): Piece | undefined {
  const ready = block.titles.filter((title) => shelf.programmes(title).length > 0)
  if (ready.length === 0) return undefined
  let left = (state.left ?? []).filter((title) => ready.includes(title))
  if (left.length === 0) {
    state.round = (state.round ?? 0) + 1
    left = orderOf(ready, `${seed}/${state.round}`, state.lastTitle)
  }
  const [title = '', ...rest] = left
  state.left = rest
  state.lastTitle = title
  const episodes = (state.episodes ??= {})
  return takeNext(shelf.programmes(title), (episodes[title] ??= { at: -1, last: null }))
}

/** A random order (Fisher and Yates) that is the same for the same seed, and does not begin with `last`. */
function orderOf(titles: readonly string[], seed: string, last: string | undefined): string[] {
  const order = [...titles]
  const random = randomOf(seed)
  for (let index = order.length - 1; index > 0; index--)
    swap(order, index, Math.floor(random() * (index + 1)))
  if (order.length > 1 && order[0] === last) swap(order, 0, 1 + Math.floor(random() * (order.length - 1)))
  return order
}

function swap(list: string[], a: number, b: number): void {
  const kept = list[a] ?? ''
  list[a] = list[b] ?? ''
  list[b] = kept
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (FNV-1a into mulberry32). */
function randomOf(seed: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The first round time at or after `at`, on the local clock. */
function nextRoundTime(rules: ScheduleRules, at: number): number {
  const grid = (rules.roundTo ?? 1) * 60_000
  const offset = rules.kind === 'dayparts' ? offsetAt(rules.timeZone, at) : 0
  return Math.ceil((at + offset) / grid) * grid - offset
}

/**
 * The next filler that ends by `round`: whole ones only, in their order, those that are too long left out. Where none
 * fits any more the next programme begins early, by less than the shortest filler, for a channel has no gaps.
 */
function nextFiller(
  rules: ScheduleRules,
  shelf: Shelf,
  cursor: ScheduleCursor,
  round: number,
): Piece | undefined {
  const room = round - cursor.endsAt
  if (room <= 0) return undefined
  const all = rules.filler.flatMap((title) => shelf.fillers(title))
  for (let step = 1; step <= all.length; step++) {
    const at = (cursor.filler.at + step) % all.length
    const piece = all[at]
    if (piece && piece.durationMs > 0 && piece.durationMs <= room) {
      cursor.filler = { at, last: piece.assetId }
      return piece
    }
  }
  return undefined
}
