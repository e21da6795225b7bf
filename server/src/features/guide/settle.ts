import type { Timed } from './announced.ts'
import { LONGEST_PROGRAMME_MS } from './guide.table.ts'

/** A programme with its place in the guide. */
export type Settled<Programme extends Timed> = Programme & { endsAt: number }

/** How long the last programme of a channel counts when nothing says it. */
const ASSUMED_MS = 3600_000
/** A programme without an end lasts until the next one, but not longer than this. */
const LONGEST_OPEN_MS = 6 * 3600_000
/** Shorter holes are how channels change over. */
const NOTED_GAP_MS = 10 * 60_000

export interface SettleCounts {
  doubles: number
  overlaps: number
  gaps: number
  openEnds: number
}

/**
 * Puts the programmes of a channel end to end: one at a time. A double goes, and so does what takes no time while another is on; what
 * runs into the next one is cut there; an end that is missing, or before its beginning, is where the next one begins. A hole stays a
 * hole, for nobody knows what is on. A pure function.
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
      remark(each.line, `It takes no time, and the programme of line ${last.line} is on then.`)
    } else if (last?.startsAt === each.startsAt) {
      counts.doubles++
      const [kept, double] = isMark(last) ? [each, last] : [last, each]
      single[single.length - 1] = kept
      remark(double.line, `Line ${kept.line} has a programme at the same time already.`)
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
      if (next === undefined) remark(each.line, 'Nothing says when it ends; an hour is assumed.')
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

/** Whether it says an end at which it would be over before it has begun: some programs mark moments so. */
function isMark({ startsAt, endsAt }: Timed): boolean {
  return endsAt !== null && endsAt <= startsAt
}
