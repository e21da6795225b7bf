import type { Break, OtherStarts } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'

/** A showing in the guide, with the fields that identify its programme. Milliseconds since the Unix epoch. */
export interface Showing {
  id: number
  /** Id of the programme from the source of the guide; null if the id was made from channel and time. */
  ownId: string | null
  /** Titles, subtitles, season and episode as one text. */
  contentKey: string
  /** The titles alone. */
  titleKey: string
  startsAt: number
  endsAt: number
}

/** A recorded programme as the last guide announced it. */
export interface Followed extends Omit<Showing, 'id'> {
  otherStarts: OtherStarts
}

/** The present place of a programme in the guide. */
export interface FoundShowing {
  /** The showing; for a split showing, its first part. */
  showing: Pick<Showing, 'id' | 'startsAt'>
  endsAt: number
  /** The breaks between the parts of a split showing. */
  breaks: Break[]
  otherStarts: OtherStarts
}

/** A programme is searched in the guide this far before and after its last place. */
export const FOLLOW_MS = 12 * 3600_000
/** Longest interruption between two parts of a split programme. */
const LONGEST_BREAK_MS = 60 * 60_000
/**
 * Maximum time by which the parts of a split programme may together exceed the programme's earlier duration. For a
 * short programme, at most {@link PARTS_TOLERANCE_SHARE} of its duration.
 */
const PARTS_TOLERANCE_MS = 10 * 60_000
const PARTS_TOLERANCE_SHARE = 1 / 4

/** Returns the place of a showing as the guide announces it now, before any change that splits it. */
export function asAnnounced(showing: Showing, guide: readonly Showing[]): FoundShowing {
  const { startsAt, endsAt } = showing
  const others = guide.filter(
    (other) => other.startsAt !== startsAt && Math.abs(other.startsAt - startsAt) < FOLLOW_MS,
  )
  const startsOf = (same: (other: Showing) => boolean) => others.filter(same).map((other) => other.startsAt)
  const otherStarts = { byId: startsOf(hasIdOf(showing)), byContent: startsOf(hasContentOf(showing)) }
  return { showing, endsAt, breaks: [], otherStarts }
}

/**
 * Returns the place of a recorded programme in the present guide; undefined if the guide has dropped the
 * programme.
 *
 * A guide has no reliable ids: sources reuse ids, change titles, or have no ids. The search uses the id of the
 * source first, then the titles with subtitle and episode, then the titles at the same time. If several showings
 * match, their order in time decides ({@link aligned}).
 *
 * @param showings the guide of the channel, in order of time. Showings that begin {@link FOLLOW_MS} or more before
 * or after the programme are ignored.
 */
export function follow(programme: Followed, showings: readonly Showing[]): FoundShowing | undefined {
  const { startsAt, titleKey, otherStarts } = programme
  const guide = showings.filter((showing) => Math.abs(showing.startsAt - startsAt) < FOLLOW_MS)
  const byId = grouped(guide.filter(hasIdOf(programme)), guide, programme, otherStarts.byId)
  const byContent = grouped(guide.filter(hasContentOf(programme)), guide, programme, otherStarts.byContent)
  const atSameTime = guide.filter((showing) => showing.titleKey === titleKey && showing.startsAt === startsAt)
  const group =
    find(byId, startsAt, otherStarts.byId) ??
    find(byContent, startsAt, otherStarts.byContent) ??
    grouped(atSameTime, guide, programme, [])[0]
  if (!group) return undefined
  const [showing] = group
  const others = (groups: readonly Group[]) =>
    groups.map(([first]) => first.startsAt).filter((start) => start !== showing.startsAt)
  return {
    showing,
    endsAt: group.at(-1)?.endsAt ?? showing.endsAt,
    breaks: breaksIn(group),
    otherStarts: { byId: others(byId), byContent: others(byContent) },
  }
}

/** Returns the breaks between the parts of a showing. */
function breaksIn(group: Group): Break[] {
  return group.slice(1).flatMap(({ startsAt }, index): Break[] => {
    const before = group[index]?.endsAt ?? startsAt
    return before < startsAt ? [[before, startsAt]] : []
  })
}

type Identity = Pick<Showing, 'ownId' | 'contentKey'>

const hasIdOf =
  ({ ownId }: Identity) =>
  (showing: Identity) =>
    ownId !== null && showing.ownId === ownId

const hasContentOf =
  ({ contentKey }: Identity) =>
  (showing: Identity) =>
    showing.contentKey === contentKey

/** Parts of one showing, in order of time. */
type Group = [Showing, ...Showing[]]

function find(groups: readonly Group[], startsAt: number, otherStarts: readonly number[]): Group | undefined {
  const before = [...otherStarts, startsAt].sort((one, other) => one - other)
  const starts = groups.map(([first]) => first.startsAt)
  const at = aligned(before, starts)[before.indexOf(startsAt)]
  return at === undefined ? undefined : groups[at]
}

/**
 * Groups the parts of a showing that the guide splits, such as a film before and after the news. Two episodes of a
 * series must stay two showings. So a part joins a group in two cases only: the group is then no longer than the
 * recorded programme was; or there is a gap before the part, and the part begins within the programme's duration,
 * counted from the first part. Two showings that the previous guide had at the same times are never parts of one.
 */
function grouped(
  showings: readonly Showing[],
  guide: readonly Showing[],
  { startsAt, endsAt }: Followed,
  otherStarts: readonly number[],
): Group[] {
  const duration = endsAt - startsAt
  const most = duration + Math.min(PARTS_TOLERANCE_MS, duration * PARTS_TOLERANCE_SHARE)
  const before = new Set([startsAt, ...otherStarts])
  const groups: Group[] = []
  for (const showing of showings) {
    const group = groups.at(-1)
    const previous = group?.at(-1)
    const length = [...(group ?? []), showing].reduce((sum, part) => sum + part.endsAt - part.startsAt, 0)
    const gap = showing.startsAt - (previous?.endsAt ?? 0)
    const isWithin = gap > 0 && group !== undefined && showing.startsAt - group[0].startsAt < duration
    const isKnownApart =
      before.has(showing.startsAt) && group?.some((part) => before.has(part.startsAt)) === true
    const isPart =
      previous !== undefined &&
      !isKnownApart &&
      gap <= LONGEST_BREAK_MS &&
      (length <= most || isWithin) &&
      isFilled(previous.endsAt, showing.startsAt, guide)
    if (group && isPart) group.push(showing)
    else groups.push([showing])
  }
  return groups
}

/**
 * Returns whether the guide has other programmes between two parts, or the parts follow each other without a gap.
 */
function isFilled(from: number, to: number, guide: readonly Showing[]): boolean {
  return from === to || guide.some(({ startsAt, endsAt }) => startsAt >= from && endsAt <= to)
}

/**
 * Pairs the earlier showings of the guide with its present showings. Keeps their order, makes as many pairs as
 * possible, and minimises the sum of moves.
 *
 * @returns for each start in `before` the index in `now`; undefined if the showing was removed
 */
export function aligned(before: readonly number[], now: readonly number[]): (number | undefined)[] {
  const [few, many] = before.length <= now.length ? [before, now] : [now, before]
  // `costs[i][j]`: the least sum of moves of the first i of `few`, all paired with some of the first j of `many`.
  const costs = [Array.from({ length: many.length + 1 }, () => 0)]
  for (const [i, start] of few.entries()) {
    const above = costs[i] ?? []
    const row = [Number.POSITIVE_INFINITY]
    for (const [j, other] of many.entries()) {
      row.push(Math.min(row[j] ?? Infinity, (above[j] ?? Infinity) + Math.abs(start - other)))
    }
    costs.push(row)
  }
  const pairs: [few: number, many: number][] = []
  for (let i = few.length, j = many.length; i > 0; ) {
    if (costs[i]?.[j] === costs[i]?.[j - 1]) j--
    else pairs.push([--i, --j])
  }
  const isSwapped = few === now
  const found = new Map(pairs.map(([one, other]) => (isSwapped ? [other, one] : [one, other])))
  return before.map((_, index) => found.get(index))
}
