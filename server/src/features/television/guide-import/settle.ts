import type { Timed } from './announced.ts'
import { LONGEST_PROGRAMME_MS } from './guide.table.ts'

/** A programme with its final end. */
export type Settled<Programme extends Timed> = Programme & { endsAt: number }

/** Assumed duration of a channel's last programme if its end is missing, in milliseconds. */
const ASSUMED_MS = 3600_000
/** Maximum assumed duration of any other programme without an end, in milliseconds. */
const LONGEST_OPEN_MS = 6 * 3600_000
/**
 * Maximum share of a programme that the programmes inside it may take, such as the weather during a film. If they take
 * more, the end of the outer programme is probably wrong, or it is a block whose parts are listed.
 */
const MOST_INSIDE = 1 / 4
/** Minimum length of a gap that is reported, in milliseconds. Shorter gaps between programmes are normal. */
const NOTED_GAP_MS = 10 * 60_000

export interface SettleCounts {
  doubles: number
  overlaps: number
  gaps: number
  openEnds: number
}

/**
 * Arranges the programmes of a channel without overlaps. Drops duplicates, and drops programmes without length
 * during another programme. Splits a programme around short programmes inside it. Cuts a programme that overlaps the
 * next one. If an end is missing or before the start, the programme ends at the start of the next one. Gaps are left
 * unfilled. Pure function.
 */
export function settle<Programme extends Timed>(
  announced: readonly Programme[],
  remark: (line: number, reason: string) => void,
): { programmes: Settled<Programme>[]; counts: SettleCounts } {
  const counts: SettleCounts = { doubles: 0, overlaps: 0, gaps: 0, openEnds: 0 }
  const ordered = announced.toSorted((one, other) => one.startsAt - other.startsAt || one.line - other.line)
  const single: Programme[] = []
  for (const each of ordered) {
    const last = single.at(-1)
    if (last !== undefined && each.endsAt === each.startsAt && (last.endsAt ?? 0) > each.startsAt) {
      counts.doubles++
      remark(each.line, `It has no duration, and falls into the programme of line ${last.line}.`)
    } else if (last?.startsAt === each.startsAt) {
      counts.doubles++
      const [kept, double] = isMark(last) ? [each, last] : [last, each]
      single[single.length - 1] = kept
      remark(double.line, `Line ${kept.line} already has a programme at the same time.`)
    } else single.push(each)
  }
  const split = splitAround(single, (each, inner) => {
    counts.overlaps++
    remark(each.line, `It contains the programme of line ${inner.line}, and continues after that programme.`)
  })
  const programmes = split.map((each, index): Settled<Programme> => {
    const next = split[index + 1]?.startsAt
    let { endsAt } = each
    if (isMark(each)) {
      remark(each.line, 'It ends before it begins; its end is where the next one begins.')
      endsAt = null
    }
    if (endsAt === null) {
      counts.openEnds++
      const until =
        next === undefined ? each.startsAt + ASSUMED_MS : Math.min(next, each.startsAt + LONGEST_OPEN_MS)
      if (next === undefined) remark(each.line, 'It has no end; an hour is assumed.')
      return { ...each, endsAt: until }
    }
    if (endsAt - each.startsAt > LONGEST_PROGRAMME_MS) {
      remark(each.line, 'It is longer than a day; it is cut there.')
      endsAt = each.startsAt + LONGEST_PROGRAMME_MS
    }
    if (next !== undefined && endsAt > next) {
      counts.overlaps++
      remark(each.line, 'It runs into the next one and is cut there.')
      endsAt = next
    } else if (next !== undefined && next - endsAt >= NOTED_GAP_MS) {
      counts.gaps++
      remark(each.line, `Nothing is announced for ${Math.round((next - endsAt) / 60_000)} minutes after it.`)
    }
    return { ...each, endsAt }
  })
  return { programmes, counts }
}

/**
 * Splits each programme that has short programmes inside it, so that it goes on after them. `ordered` must be in order
 * of time. Calls `onSplit` for each split programme, with the first programme inside it.
 */
function splitAround<Programme extends Timed>(
  ordered: readonly Programme[],
  onSplit: (programme: Programme, inner: Programme) => void,
): Programme[] {
  const parts: Programme[] = []
  for (const [index, outer] of ordered.entries()) {
    const { inside, end } = insideOf(ordered, index)
    const [first] = inside
    if (first === undefined) {
      parts.push(outer)
      continue
    }
    onSplit(outer, first)
    let from = outer.startsAt
    for (const { startsAt, endsAt } of inside) {
      if (startsAt > from) parts.push({ ...outer, startsAt: from, endsAt: startsAt })
      from = Math.max(from, endsAt)
    }
    if (end > from) parts.push({ ...outer, startsAt: from, endsAt: end })
  }
  return parts.toSorted((one, other) => one.startsAt - other.startsAt)
}

/**
 * Returns the programmes inside a programme, and the end of the programme: its own, or the start of a programme that
 * runs beyond it. Returns no programmes if they take more than {@link MOST_INSIDE} of its length.
 */
function insideOf<Programme extends Timed>(
  ordered: readonly Programme[],
  index: number,
): { inside: Settled<Programme>[]; end: number } {
  const outer = ordered[index]
  const inside: Settled<Programme>[] = []
  if (outer === undefined || outer.endsAt === null || outer.endsAt - outer.startsAt > LONGEST_PROGRAMME_MS)
    return { inside, end: 0 }
  let end = outer.endsAt
  let busy = 0
  for (let at = index + 1; (ordered[at]?.startsAt ?? Infinity) < end; at++) {
    const each = ordered[at]
    if (each === undefined || each.endsAt === null || isMark(each) || each.endsAt >= end) {
      end = each?.startsAt ?? end
      break
    }
    inside.push({ ...each, endsAt: each.endsAt })
    busy += each.endsAt - each.startsAt
    if (busy > (outer.endsAt - outer.startsAt) * MOST_INSIDE) return { inside: [], end }
  }
  return { inside, end }
}

/**
 * Returns whether a programme has no length, because its end is not after its start. Some programs write single
 * moments in this way.
 */
function isMark({ startsAt, endsAt }: Timed): boolean {
  return endsAt !== null && endsAt <= startsAt
}
