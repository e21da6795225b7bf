import type { Timed } from './announced.ts'
import { LONGEST_PROGRAMME_MS } from './guide.table.ts'

/** A programme with its final end. */
export type Settled<Programme extends Timed> = Programme & { endsAt: number }

/** Assumed duration of a channel's last programme if its end is missing, in milliseconds. */
const ASSUMED_MS = 3600_000
/** Maximum assumed duration of any other programme without an end, in milliseconds. */
const LONGEST_OPEN_MS = 6 * 3600_000
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
 * during another programme. Cuts a programme that overlaps the next one. If an end is missing or before the start,
 * the programme ends at the start of the next one. Gaps are left unfilled. Pure function.
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
  const programmes = single.map((each, index): Settled<Programme> => {
    const next = single[index + 1]?.startsAt
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
 * Returns whether a programme has no length, because its end is not after its start. Some programs write single
 * moments in this way.
 */
function isMark({ startsAt, endsAt }: Timed): boolean {
  return endsAt !== null && endsAt <= startsAt
}
