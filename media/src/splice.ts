import { segmentTimes } from './segment-times.ts'
import type { Timeline } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { clockRendition } from './track-set-check.ts'

/** A splice according to ANSI/SCTE 35: a break begins (`out`), ends (`in`) or is cancelled (`cancel`). */
export interface SpliceMark {
  kind: 'out' | 'in' | 'cancel'
  /**
   * The command of the splice. `insert`: a `splice_insert`. A number: the type of the segmentation descriptor that
   * begins the break. Null for a cancelled segmentation.
   */
  by: 'insert' | number | null
  /** Number of the event. The end of a break has the same number as its beginning. */
  event: number
  /** Announced duration of the break, in milliseconds; null if the section does not state it. */
  durationMs: number | null
}

/** A splice with its time on the clock of a Timeline, in milliseconds. */
export interface TimedMark extends SpliceMark {
  at: number
}

/** A break that the broadcaster has announced. Times are on the clock of the Timeline, in milliseconds. */
export interface MarkedBreak {
  by: NonNullable<SpliceMark['by']>
  event: number
  startsAt: number
  endsAt: number
}

const COMMAND = { insert: 0x05, timeSignal: 0x06 } as const
const SEGMENTATION_DESCRIPTOR = 0x02
/** Identifier of this standard's descriptors: `CUEI`. */
const CUEI = 0x43554549
/**
 * Segmentation types that begin a break: break, advertisement, placement opportunity and block of advertisements,
 * of the provider and of the distributor (table 23). The type that ends the break is one higher.
 */
const BEGINNINGS: ReadonlySet<number> = new Set([0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46])
/** Ticks in a millisecond. */
const TICKS = 90

/**
 * Reads the splices of breaks in a section (ANSI/SCTE 35, sections 9.7 and 10.3.3). Returns none for a section
 * about something else, and for an encrypted or damaged section.
 */
export function readSplice(section: Uint8Array): SpliceMark[] {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength)
  try {
    const isEncrypted = (view.getUint8(4) & 0x80) !== 0
    if (isEncrypted) return []
    const command = view.getUint8(13)
    if (command === COMMAND.insert) return [readInsert(view)]
    return command === COMMAND.timeSignal ? readSegmentations(view) : []
  } catch (error) {
    // The section is truncated.
    if (error instanceof RangeError) return []
    throw error
  }
}

function readInsert(view: DataView): SpliceMark {
  const event = view.getUint32(14)
  const mark = { by: 'insert', event, durationMs: null } as const
  if ((view.getUint8(18) & 0x80) !== 0) return { ...mark, kind: 'cancel' }
  const flags = view.getUint8(19)
  const [isOut, isWhole, hasDuration, isImmediate] = [0x80, 0x40, 0x20, 0x10].map(
    (bit) => (flags & bit) !== 0,
  )
  if (!isOut) return { ...mark, kind: 'in' }
  let at = 20
  if (!isWhole) {
    const components = view.getUint8(at++)
    for (let index = 0; index < components; index++) at += 1 + (isImmediate ? 0 : timeLength(view, at + 1))
  } else if (!isImmediate) at += timeLength(view, at)
  return { ...mark, kind: 'out', durationMs: hasDuration ? durationAt(view, at, 1) : null }
}

/** Returns the length of a `splice_time`, which may contain no time. */
function timeLength(view: DataView, at: number): number {
  return (view.getUint8(at) & 0x80) === 0 ? 1 : 5
}

/** Reads a duration in the lowest `32 + high` bits of five bytes; null for a duration of 0. */
function durationAt(view: DataView, at: number, high: 1 | 8): number | null {
  const ticks = (view.getUint8(at) & (2 ** high - 1)) * 2 ** 32 + view.getUint32(at + 1)
  return ticks === 0 ? null : Math.round(ticks / TICKS)
}

function readSegmentations(view: DataView): SpliceMark[] {
  let at = 14 + timeLength(view, 14)
  const end = at + 2 + view.getUint16(at)
  at += 2
  const marks: SpliceMark[] = []
  while (at < end) {
    const length = view.getUint8(at + 1)
    if (view.getUint8(at) === SEGMENTATION_DESCRIPTOR && view.getUint32(at + 2) === CUEI)
      marks.push(...readSegmentation(view, at + 6))
    at += 2 + length
  }
  return marks
}

function readSegmentation(view: DataView, start: number): SpliceMark[] {
  const event = view.getUint32(start)
  if ((view.getUint8(start + 4) & 0x80) !== 0) return [{ kind: 'cancel', by: null, event, durationMs: null }]
  const flags = view.getUint8(start + 5)
  let at = start + 6
  if ((flags & 0x80) === 0) at += 1 + 6 * view.getUint8(at)
  const hasDuration = (flags & 0x40) !== 0
  const durationMs = hasDuration ? durationAt(view, at, 8) : null
  if (hasDuration) at += 5
  const type = view.getUint8(at + 2 + view.getUint8(at + 1))
  if (BEGINNINGS.has(type)) return [{ kind: 'out', by: type, event, durationMs }]
  return BEGINNINGS.has(type - 1) ? [{ kind: 'in', by: type - 1, event, durationMs: null }] : []
}

const marks = new WeakMap<TrackSet, readonly TimedMark[]>()

/** Returns the splices of a TrackSet, in milliseconds since its first segment. They are read once. */
function marksIn(trackSet: TrackSet): readonly TimedMark[] {
  let known = marks.get(trackSet)
  if (!known) {
    const times = segmentTimes(clockRendition(trackSet))
    const start = times.startTicks(0) / times.timescale
    known = (trackSet.splices ?? []).flatMap(({ seconds, section }) =>
      readSplice(Uint8Array.from(atob(section), (letter) => letter.charCodeAt(0))).map((mark) => ({
        ...mark,
        at: Math.round((seconds - start) * 1000),
      })),
    )
    marks.set(trackSet, known)
  }
  return known
}

/** Returns the splices of a live input's Spans, in order of time. */
export function marksOf({ spans }: Timeline): TimedMark[] {
  return spans
    .flatMap(({ trackSet, startsAt }) =>
      marksIn(trackSet).map((mark) => ({ ...mark, at: startsAt + mark.at })),
    )
    .toSorted((one, other) => one.at - other.at)
}

/**
 * Returns the breaks that splices announce. A break without a duration is ignored, because nobody knows which
 * fillers fit. A break within another break, such as the advertisements of a placement opportunity, is a part of
 * the outer break.
 */
export function breaksBetween(marked: readonly TimedMark[]): MarkedBreak[] {
  const breaks: MarkedBreak[] = []
  for (const { kind, by, event, at, durationMs } of marked) {
    if (kind !== 'out' || by === null || durationMs === null) continue
    if (at < (breaks.at(-1)?.endsAt ?? -Infinity)) continue
    const endsAt = endOfBreak({ by, event, startsAt: at, endsAt: at + durationMs }, marked)
    if (endsAt > at) breaks.push({ by, event, startsAt: at, endsAt })
  }
  return breaks
}

/** Maximum time from a cancellation to the beginning of the cancelled break, in milliseconds. */
const CALLED_OFF_MS = 600_000

/**
 * Returns when a break ends: as announced, or earlier if a splice ends or cancels it. A break that was cancelled
 * before its beginning ends at its beginning. If a `splice_insert` began the break, any `splice_insert` that ends a
 * break ends it, because senders number the end arbitrarily.
 */
export function endOfBreak(
  { by, event, startsAt, endsAt }: MarkedBreak,
  marked: readonly TimedMark[],
): number {
  const end = marked.find((mark) => {
    if (mark.kind === 'in')
      return mark.at > startsAt && mark.by === by && (by === 'insert' || mark.event === event)
    const isOfKind = (mark.by === 'insert') === (by === 'insert')
    return mark.kind === 'cancel' && isOfKind && mark.event === event && mark.at > startsAt - CALLED_OFF_MS
  })
  return end ? Math.min(endsAt, Math.max(startsAt, end.at)) : endsAt
}
