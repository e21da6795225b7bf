import { dayOf, type GuideDays, momentOf } from '../../ground/days/days.ts'
import { dayAt, localParts } from '../../ground/days/local-day.ts'
import { countIn, queryReader, textLike } from '../../ground/links/read-query.ts'

/** The query of the guide's address. */
export interface GuideAddress {
  /** The day, such as `2026-11-21`. */
  day?: string | undefined
  /** Start of the view, such as `20:30`. */
  time?: string | undefined
  /** The filter of the channels, see `channelFilters`. */
  filter?: string | undefined
  /** The first channel in the view, if it is not the first of all channels. */
  channel?: number | undefined
}

/** The names of the query's parameters. */
export const GUIDE_QUERY = [
  'day',
  'time',
  'filter',
  'channel',
] as const satisfies readonly (keyof GuideAddress)[]

/** A place in the guide: a moment in seconds since the Unix epoch, the filter and the first channel. */
export interface GuidePlace {
  from: number
  filter: string | undefined
  channel: number | undefined
}

const HALF_HOUR_SECONDS = 1800
/** Minimum time before now that the view shows, in seconds. */
const BEFORE_NOW_SECONDS = 900
/** The form of a filter's slug. */
const FILTER = /^[\p{L}\p{N}-]{1,80}$/u
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
/** Times in an address are multiples of this, in seconds. */
const ADDRESS_STEP_SECONDS = 300

/** Reads the query and ignores invalid values. */
export const readGuideAddress = queryReader({
  day: (day) => (typeof day === 'string' && isDate(day) ? day : undefined),
  time: (time) => textLike(time, TIME),
  filter: (filter) => textLike(filter, FILTER),
  channel: countIn,
})

/**
 * Returns the default start of the view: the last full or half hour that is at least 15 minutes before now.
 * Times are seconds since the Unix epoch.
 */
export function viewAround(now: number): number {
  return Math.floor((now - BEFORE_NOW_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
}

/**
 * Returns the start of the view for an address. A day without a time keeps the current time of day. A day outside the guide becomes the
 * nearest day inside it.
 */
export function viewOf({ day, time }: GuideAddress, { days, timeZone }: GuideDays, now: number): number {
  const around = viewAround(now)
  if (day === undefined && time === undefined) return around
  const wanted = time ?? localParts(around, timeZone).time
  const shown = day === undefined ? dayAt(now, timeZone) : nearest(days, day)
  return shown === undefined ? around : momentOf(shown, wanted, timeZone)
}

/** Returns the query of a place in the guide. */
export function queryOf({ from, filter, channel }: GuidePlace, guide: GuideDays): URLSearchParams {
  return new URLSearchParams({
    ...addressOf(from, guide),
    ...(filter !== undefined && { filter }),
    ...(channel !== undefined && { channel: String(channel) }),
  })
}

/** Returns the day and the time of day at which a view begins. */
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
