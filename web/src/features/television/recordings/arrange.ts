import { type Language, languageTag } from '@ondine/contract/languages'
import type { Recording } from '@ondine/contract/recordings'

/**
 * The orders of the recordings. `date` begins with the latest recording, or in a list of future recordings, with
 * the next one.
 */
export const ORDERS = ['date', 'title', 'length'] as const
export type RecordingOrder = (typeof ORDERS)[number]

/** The fields by which recordings are arranged. */
export type Arranged = Pick<
  Recording,
  'id' | 'title' | 'subtitle' | 'season' | 'episode' | 'startutc' | 'duration'
>

/** Recordings of one series, or a single recording. */
export interface RecordingGroup<R extends Arranged = Recording> {
  /** The title that all recordings of the group have. */
  title: string
  /** Contains at least one recording. */
  recordings: R[]
  /** Total length of the recordings, in seconds. */
  duration: number
}

/**
 * Groups recordings by series, and sorts the groups and the recordings in them. Recordings with the same title
 * belong to one series. The order `date` begins with the latest recording, or with the earliest recording if
 * `isAscending`. The order `length` begins with the longest group.
 */
export function arrange<R extends Arranged>(
  recordings: readonly R[],
  order: RecordingOrder,
  { isAscending, language }: { isAscending: boolean; language: Language },
): RecordingGroup<R>[] {
  const sign = isAscending ? 1 : -1
  const byDate = (one: R, other: R) => sign * (one.startutc - other.startutc || one.id - other.id)
  const texts = new Intl.Collator(languageTag(language), { numeric: true })
  const within: Record<RecordingOrder, (one: R, other: R) => number> = {
    date: byDate,
    title: (one, other) =>
      (one.season ?? 0) - (other.season ?? 0) ||
      (one.episode ?? 0) - (other.episode ?? 0) ||
      texts.compare(one.subtitle, other.subtitle) ||
      byDate(one, other),
    length: (one, other) => other.duration - one.duration || byDate(one, other),
  }
  const groups = [...Map.groupBy(recordings, ({ title }) => title)].map(([title, own]) => ({
    title,
    recordings: own.toSorted(within[order]),
    duration: own.reduce((sum, { duration }) => sum + duration, 0),
  }))
  const first = ({ recordings: [one] }: RecordingGroup<R>) => one as R
  const between: Record<RecordingOrder, (one: RecordingGroup<R>, other: RecordingGroup<R>) => number> = {
    date: (one, other) => byDate(first(one), first(other)),
    title: (one, other) => texts.compare(one.title, other.title),
    length: (one, other) => other.duration - one.duration || byDate(first(one), first(other)),
  }
  return groups.toSorted(between[order])
}
