import { minuteOfDay, nextTimeOfDay, offsetAt } from '../../../time/local-time.ts'
import type { ItemId, OpenBlock, PartState, ScheduleCursor } from '../../inventory/line-up/schedule-cursor.ts'
import {
  blockIdOf,
  blockName,
  type Part,
  type ProgrammeBlock,
  partsOf,
  type ScheduleRules,
} from '../../inventory/line-up/schedule-rules.service.ts'

/** Media that a channel plays from beginning to end: the main media of an asset, or a trailer. */
export interface ScheduledMedia {
  assetId: number
  trackSetId: string
  /**
   * Duration of all `segmentCount` segments, rounded up to milliseconds. The Span of this media has exactly this
   * duration.
   */
  durationMs: number
  segmentCount: number
}

/** Resolves the titles in rules to media. */
export interface ProgrammeResolver {
  /** Returns a film, or the episodes of a series in order. Empty if the title is not ready. */
  programmes(title: string): readonly ScheduledMedia[]
  /** Returns the trailers of a title, or the title itself if it has no trailer. */
  fillers(title: string): readonly ScheduledMedia[]
  /** Whether media of this title are still being prepared. */
  isPending(title: string): boolean
}

/** An entry of the schedule, ready to be stored. */
export interface PlannedEntry {
  position: number
  kind: 'programme' | 'filler'
  startsAt: number
  endsAt: number
  piece: ScheduledMedia
  mediaSequence: number
  discontinuitySequence: number
}

/** A programme to write into the guide. */
export interface Announcement {
  /** Position of the programme's first entry in the schedule. */
  position: number
  startsAt: number
  /** When the next programme begins. For a block that is only partly scheduled: its planned end. */
  endsAt: number
  shows: { assetId: number } | { block: ProgrammeBlock }
}

/** Result of a round of scheduling. */
export interface SchedulePlan {
  entries: PlannedEntry[]
  /** New programmes, and blocks of earlier rounds whose final end is now known. */
  announcements: Announcement[]
  /** Block of an earlier round that ended early, because the rules no longer contain it. Identified by its start. */
  removedBlock: { startsAt: number; endsAt: number } | undefined
  cursor: ScheduleCursor
}

/** Returns the cursor of a channel without a schedule. */
export function firstCursor(startsAt: number): ScheduleCursor {
  return {
    position: 0,
    endsAt: startsAt,
    mediaSequence: 0,
    discontinuitySequence: 0,
    blocks: {},
    filler: { at: -1, last: null },
    unbrokenSince: startsAt,
  }
}

/**
 * Limits of a round: an end time, and an approximate number of entries. A round may exceed both, because it always
 * adds the fillers after its last programme.
 */
export interface Bounds {
  until: number
  limit: number
}

/**
 * Plans the next entries of a channel. Pure function: the same cursor, rules and resolver always give the same
 * entries. Stops where no title in the rules is ready.
 *
 * @param seed any text that differs between channels, so that channels with the same rules shuffle differently.
 */
export function planEntries(
  rules: ScheduleRules,
  resolver: ProgrammeResolver,
  from: ScheduleCursor,
  { until, limit }: Bounds,
  seed: string,
): SchedulePlan {
  const cursor = structuredClone(from)
  const entries: PlannedEntry[] = []
  const announced = new Map<number, Announcement>()
  const announce = (announcement: Announcement) => announced.set(announcement.position, announcement)
  const add = (kind: PlannedEntry['kind'], piece: ScheduledMedia): PlannedEntry => {
    const { position, endsAt: startsAt, mediaSequence, discontinuitySequence } = cursor
    const endsAt = startsAt + piece.durationMs
    const entry = { position, kind, startsAt, endsAt, piece, mediaSequence, discontinuitySequence }
    entries.push(entry)
    cursor.position++
    cursor.endsAt = endsAt
    cursor.mediaSequence += piece.segmentCount
    cursor.discontinuitySequence++
    return entry
  }
  const blockOf = (id: string) => rules.blocks.find((known) => known.id === id)
  let removedBlock: SchedulePlan['removedBlock']
  const close = (open: OpenBlock) => {
    const block = blockOf(open.id)
    if (block) announce({ ...open, endsAt: open.plannedUntil, shows: { block } })
    else removedBlock = { startsAt: open.startsAt, endsAt: open.plannedUntil }
    cursor.open = undefined
    cursor.lastBlock = blockName(open.id)
  }
  /** Schedules the next entry of an open block, or ends the block. */
  const goOn = (open: OpenBlock) => {
    const block = blockOf(open.id)
    const next = block && nextInBlock(rules, block, open, resolver, cursor, seed)
    if (!block || !next) return close(open)
    add(next.kind, next.piece)
    open.plannedUntil = cursor.endsAt
    announce({ ...open, endsAt: Math.max(open.endsAt, cursor.endsAt), shows: { block } })
  }
  // After an outage, end the block at its last entry: its rest after the gap cannot be watched any more.
  if (cursor.open && cursor.open.plannedUntil !== cursor.endsAt) close(cursor.open)
  while (cursor.endsAt < until && entries.length < limit) {
    if (cursor.open) {
      goOn(cursor.open)
      continue
    }
    const item = nextProgramme(rules, resolver, cursor, seed)
    if (!item) break
    if ('block' in item) {
      const startsAt = cursor.endsAt
      const endsAt = endOfBlock(rules, item.block, startsAt)
      cursor.open = { id: item.block.id, position: cursor.position, startsAt, endsAt, plannedUntil: startsAt }
      goOn(cursor.open)
      continue
    }
    const { position, startsAt } = add('programme', item.piece)
    if (rules.roundTo !== null) {
      const round = nextRoundTime(rules, cursor.endsAt)
      for (
        let next = nextFiller(rules, resolver, cursor, round);
        next;
        next = nextFiller(rules, resolver, cursor, round)
      )
        add('filler', next)
    }
    announce({ position, startsAt, endsAt: cursor.endsAt, shows: { assetId: item.piece.assetId } })
  }
  return { entries, announcements: [...announced.values()], removedBlock, cursor }
}

/** An item in the list of a part of the day: a whole title, or a block. */
type Item = { id: number; piece: ScheduledMedia } | { id: string; block: ProgrammeBlock }

/**
 * Returns the items of a title in a list: the title's media, or a block. A block is omitted if none of its titles
 * is ready, unless {@link keepsItsHour} is true.
 */
function itemsOf(rules: ScheduleRules, resolver: ProgrammeResolver, title: string): readonly Item[] {
  const blockId = blockIdOf(title)
  if (blockId === undefined) return piecesOf(resolver, title)
  const block = rules.blocks.find(({ id }) => id === blockId)
  if (block === undefined) return []
  const isReady = block.titles.some((inside) => resolver.programmes(inside).length > 0)
  return isReady || keepsItsHour(rules, block, resolver) ? [{ id: title, block }] : []
}

/**
 * Returns whether a block without a ready title keeps its time and is filled with fillers. Otherwise another block
 * replaces it. A block keeps its time only under rules with parts of the day, and only while titles of the block are
 * being prepared.
 */
function keepsItsHour(rules: ScheduleRules, block: ProgrammeBlock, resolver: ProgrammeResolver): boolean {
  const least = (block.minutes * MINUTE_MS) / 2
  return (
    rules.kind === 'dayparts' &&
    block.titles.some((title) => resolver.isPending(title)) &&
    fillersOf(rules, resolver).some(({ durationMs }) => durationMs > 0 && durationMs <= least)
  )
}

function fillersOf(rules: ScheduleRules, resolver: ProgrammeResolver): ScheduledMedia[] {
  return rules.filler.flatMap((title) => resolver.fillers(title))
}

function piecesOf(resolver: ProgrammeResolver, title: string): { id: number; piece: ScheduledMedia }[] {
  return resolver.programmes(title).map((piece) => ({ id: piece.assetId, piece }))
}

/**
 * Returns the next item of the current part of the day. If none of its titles is ready, returns an item of another
 * part.
 */
function nextProgramme(
  rules: ScheduleRules,
  resolver: ProgrammeResolver,
  cursor: ScheduleCursor,
  seed: string,
): Item | undefined {
  const parts = partsOf(rules)
  const now = partAt(rules, parts, cursor.endsAt)
  for (const part of [now, ...standIns(parts, now, cursor.lastBlock)]) {
    const state = (cursor.blocks[part.key] ??= { at: -1, last: null })
    const item = nextOf(part, (title) => itemsOf(rules, resolver, title), state, `${seed}/${part.key}`)
    if (item) return item
  }
  return undefined
}

/**
 * Returns the other parts of the day, starting with the part after `now`. A part that only repeats the last block
 * comes at the end.
 */
function standIns(parts: readonly Part[], now: Part, lastBlock: string | undefined): Part[] {
  const at = parts.indexOf(now)
  const repeats = ({ titles }: Part) => Number(titles.every((title) => title === lastBlock))
  return [...parts.slice(at + 1), ...parts.slice(0, at)].sort((one, other) => repeats(one) - repeats(other))
}

function nextOf<Found extends { id: ItemId }>(
  { titles, order }: Pick<Part, 'titles' | 'order'>,
  items: (title: string) => readonly Found[],
  state: PartState,
  seed: string,
): Found | undefined {
  if (order === 'shuffle') return shuffled(titles, items, state, seed)
  return takeNext(
    titles.flatMap((title) => items(title)),
    state,
  )
}

const MINUTE_MS = 60_000

/**
 * Returns the next entry of a block. First choice is the block's next title, if it ends in time or is the block's
 * first. Second is a filler that ends in time. Third is the shortest of the next title and the fillers, if it ends
 * at most a minute late. Undefined if the block is over.
 */
function nextInBlock(
  rules: ScheduleRules,
  block: ProgrammeBlock,
  open: OpenBlock,
  resolver: ProgrammeResolver,
  cursor: ScheduleCursor,
  seed: string,
): Pick<PlannedEntry, 'kind' | 'piece'> | undefined {
  const room = open.endsAt - cursor.endsAt
  if (room <= 0) return undefined
  const key = blockName(block.id)
  const state = structuredClone(cursor.blocks[key] ?? { at: -1, last: null })
  const next = nextOf(block, (title) => piecesOf(resolver, title), state, `${seed}/${key}`)?.piece
  if (!next && !keepsItsHour(rules, block, resolver)) return undefined
  const isFirst = open.plannedUntil === open.startsAt
  const take = (piece: ScheduledMedia) => {
    cursor.blocks[key] = state
    return { kind: 'programme', piece } as const
  }
  if (next && (isFirst || next.durationMs <= room)) return take(next)
  const filler = nextFiller(rules, resolver, cursor, open.endsAt)
  if (filler) return { kind: 'filler', piece: filler }
  const shortest = [...(next ? [next] : []), ...fillersOf(rules, resolver)].reduce((one, other) =>
    other.durationMs < one.durationMs ? other : one,
  )
  if (shortest.durationMs - room > MINUTE_MS) return undefined
  return shortest === next ? take(next) : { kind: 'filler', piece: shortest }
}

/**
 * Returns the part of the day for a programme that begins at `at`. Before the first part of a day, the last part
 * of the previous day continues. A programme may begin up to a minute before its part, because fillers are played
 * whole.
 */
function partAt(rules: ScheduleRules, parts: readonly Part[], at: number): Part {
  const [first] = parts
  if (!first) throw new Error('Rules have at least one part.')
  if (rules.kind !== 'dayparts') return first
  const minute = minuteOfDay(rules.timeZone, at + MINUTE_MS)
  return parts.findLast(({ key }) => minuteOf(key) <= minute) ?? parts.at(-1) ?? first
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/**
 * Returns the item after the last played item. If the last item was removed from the list, returns the item that
 * is now in its place.
 */
function takeNext<Found extends { id: ItemId }>(
  list: readonly Found[],
  state: { at: number; last: ItemId | null },
): Found | undefined {
  if (list.length === 0) return undefined
  const place =
    state.last === null || list[state.at]?.id === state.last
      ? state.at
      : list.findIndex(({ id }) => id === state.last)
  const next = place === -1 && state.last !== null ? state.at : place + 1
  state.at = next >= list.length || next < 0 ? 0 : next
  const item = list[state.at]
  state.last = item?.id ?? null
  return item
}

function shuffled<Found extends { id: ItemId }>(
  titles: readonly string[],
  items: (title: string) => readonly Found[],
  state: PartState,
  seed: string,
): Found | undefined {
  const ready = titles.filter((title) => items(title).length > 0)
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
  return takeNext(items(title), (episodes[title] ??= { at: -1, last: null }))
}

/**
 * Returns titles in a random order (Fisher and Yates), which does not begin with `last`. The same seed gives the
 * same order.
 */
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

/**
 * Returns a generator of pseudo-random numbers from 0 to 1 (FNV-1a into mulberry32). The same seed gives the same
 * numbers.
 */
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

/**
 * Returns the first round time at or after `at`: a multiple of `roundTo` minutes in local time. Without `roundTo`,
 * the first whole minute.
 */
function nextRoundTime(rules: ScheduleRules, at: number): number {
  return onGrid(rules, at, Math.ceil)
}

/**
 * Returns the last round time at or before `at`: a multiple of `roundTo` minutes in local time. Without `roundTo`,
 * the last whole minute.
 */
export function lastRoundTime(rules: ScheduleRules, at: number): number {
  return onGrid(rules, at, Math.floor)
}

/**
 * Returns when a block should end: at the round time nearest to its planned end, or at the nearest minute without
 * `roundTo`. A block ends with its part of the day, so that a late start does not delay the following parts. This
 * rule does not apply if it would cut the block to less than half of its length.
 */
function endOfBlock(rules: ScheduleRules, { minutes }: ProgrammeBlock, startsAt: number): number {
  const planned = startsAt + minutes * MINUTE_MS
  const nearest = onGrid(rules, planned, Math.round)
  const isTooShort = (endsAt: number) => endsAt - startsAt < (minutes * MINUTE_MS) / 2
  const endsAt = isTooShort(nearest) ? onGrid(rules, planned, Math.ceil) : nearest
  const partEndsAt = endOfPart(rules, startsAt)
  return isTooShort(partEndsAt) ? endsAt : Math.min(endsAt, partEndsAt)
}

/** Returns the end of the part of the day to which a programme at `at` belongs. */
function endOfPart(rules: ScheduleRules, at: number): number {
  if (rules.kind !== 'dayparts') return Infinity
  return Math.min(
    ...rules.dayparts.map(({ from }) => nextTimeOfDay(rules.timeZone, minuteOf(from), at + MINUTE_MS)),
  )
}

function onGrid(rules: ScheduleRules, at: number, round: (value: number) => number): number {
  const grid = (rules.roundTo ?? 1) * MINUTE_MS
  const offset = rules.kind === 'dayparts' ? offsetAt(rules.timeZone, at) : 0
  return round((at + offset) / grid) * grid - offset
}

/**
 * Returns the next filler, in the order of the rules, that ends by `round`, the start of the next programme.
 * Returns undefined if none fits. The next programme then begins early, by less than the shortest filler, because
 * a channel has no gaps.
 */
function nextFiller(
  rules: ScheduleRules,
  resolver: ProgrammeResolver,
  cursor: ScheduleCursor,
  round: number,
): ScheduledMedia | undefined {
  const room = round - cursor.endsAt
  if (room <= 0) return undefined
  const all = fillersOf(rules, resolver)
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
