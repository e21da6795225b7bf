import { dayOf, type GuideDays, momentOf } from '../../ground/days/days.ts'
import { dayAt, localParts } from '../../ground/days/local-day.ts'
import { countIn, queryReader, textLike } from '../../ground/links/read-query.ts'

/** The query parameters of the guide's address. */
export interface GuideAddress {
  /** The day, such as `2026-11-21`. */
  day?: string | undefined
  /** The time of day at the left edge of the view, such as `20:30`. */
  time?: string | undefined
  /** The filter of the channels, see `channelFilters`. */
  filter?: string | undefined
  /** Id of the channel in the first row of the view; undefined for the first channel of all. */
  channel?: number | undefined
}

/** The names of the query parameters of the guide's address. */
export const GUIDE_QUERY = [
  'day',
  'time',
  'filter',
  'channel',
] as const satisfies readonly (keyof GuideAddress)[]

/**
 * A place in the guide: the moment at the left edge of the view in seconds since the Unix epoch, the filter of the
 * channels, and the first visible channel.
 */
export interface GuidePlace {
  from: number
  filter: string | undefined
  channel: number | undefined
}

const HALF_HOUR_SECONDS = 1800
/** A view of the current time begins at least this many seconds before the current time. */
const BEFORE_NOW_SECONDS = 900
/** The format of a filter's slug. */
const FILTER = /^[\p{L}\p{N}-]{1,80}$/u
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
/** Times in an address are rounded to this many seconds. */
const ADDRESS_STEP_SECONDS = 300

/** Reads the query parameters of the guide's address. Invalid values are ignored. */
export const readGuideAddress = queryReader({
  day: (day) => (typeof day === 'string' && isDate(day) ? day : undefined),
  time: (time) => textLike(time, TIME),
  filter: (filter) => textLike(filter, FILTER),
  channel: countIn,
})

/**
 * Returns the start of a view of the current time: the last full or half hour that is at least 15 minutes ago.
 * Times are seconds since the Unix epoch.
 */
export function viewAround(now: number): number {
  return Math.floor((now - BEFORE_NOW_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
}

/**
 * Returns the moment at which the view for an address begins, in seconds since the Unix epoch. If the address
 * contains only a day, the view begins at the current time of that day. A day outside of the guide is replaced by
 * the nearest day of the guide.
 */
export function viewOf(
  { day, time }: GuideAddress,
  { days, today, timeZone }: GuideDays,
  now: number,
): number {
  const around = viewAround(now)
  if (day === undefined && time === undefined) return around
  // Shortly after midnight, the view of the current time begins on the day before, at a time of its evening.
  const wanted = time ?? localParts(Math.max(around, today.start), timeZone).time
  const shown = day === undefined ? dayAt(now, timeZone) : nearest(days, day)
  return shown === undefined ? around : momentOf(shown, wanted, timeZone)
}

/** Returns the query parameters of the address for a place in the guide. */
export function queryOf({ from, filter, channel }: GuidePlace, guide: GuideDays): URLSearchParams {
  return new URLSearchParams({
    ...addressOf(from, guide),
    ...(filter !== undefined && { filter }),
    ...(channel !== undefined && { channel: String(channel) }),
  })
}

/** Returns the day and the time of day of a view that begins at `from`, in the form for an address. */
export function addressOf(from: number, { days, timeZone }: GuideDays): { day: string; time: string } {
  const rounded = Math.round(from / ADDRESS_STEP_SECONDS) * ADDRESS_STEP_SECONDS
  const day = dayOf(days, rounded)
  const { date, time } = localParts(rounded, timeZone)
  return { day: day?.date ?? date, time }
}

function nearest(days: GuideDays['days'], date: string) {
  const [first] = days
  return days.find((day) => day.date === date) ?? (first && date < first.date ? first : days.at(-1))
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  // Rejects dates such as 31 February, which `Date` would move to March.
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === text
}
