import { countIn, queryReader, textLike } from '../links/read-query.ts'
import { dayOf, type GuideDays, momentOf } from './days.ts'
import { dayAt, localParts } from './local-day.ts'

/** What the query of the guide's address says. */
export interface GuideAddress {
  /** `2026-11-21`. */
  day?: string | undefined
  /** `20:30`: what the view begins with. */
  time?: string | undefined
  /** What the channels are narrowed to, see `channelFilters`. */
  filter?: string | undefined
  /** The channel that the view begins with, when it is not the first one. */
  channel?: number | undefined
}

/** The names of all that the query of the guide's address may say. */
export const GUIDE_QUERY = [
  'day',
  'time',
  'filter',
  'channel',
] as const satisfies readonly (keyof GuideAddress)[]

/** A place in the guide: a moment, in seconds since the Unix epoch, and what is shown of the channels. */
export interface GuidePlace {
  from: number
  filter: string | undefined
  channel: number | undefined
}

const HALF_HOUR_SECONDS = 1800
/** So much of what is over is shown before now, at least, in seconds. */
const BEFORE_NOW_SECONDS = 900
/** As slugs are written. */
const FILTER = /^[\p{L}\p{N}-]{1,80}$/u
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
/** Times in an address are whole steps of so many seconds. */
const ADDRESS_STEP_SECONDS = 300

/** Reads the query; what is no day, no time, no filter and no channel counts as not said. */
export const readGuideAddress = queryReader({
  day: (day) => (typeof day === 'string' && isDate(day) ? day : undefined),
  time: (time) => textLike(time, TIME),
  filter: (filter) => textLike(filter, FILTER),
  channel: countIn,
})

/** What the view begins with when nothing else is asked for: a half hour, a little before now. Seconds since the Unix epoch. */
export function viewAround(now: number): number {
  return Math.floor((now - BEFORE_NOW_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
}

/**
 * What an address means: where the view begins. A day without a time keeps the time of day of now; a day that the guide
 * does not show is the nearest one that it shows.
 */
export function viewOf({ day, time }: GuideAddress, { days, timeZone }: GuideDays, now: number): number {
  const around = viewAround(now)
  if (day === undefined && time === undefined) return around
  const wanted = time ?? localParts(around, timeZone).time
  const shown = day === undefined ? dayAt(now, timeZone) : nearest(days, day)
  return shown === undefined ? around : momentOf(shown, wanted, timeZone)
}

/** The query of a place in the guide. */
export function queryOf({ from, filter, channel }: GuidePlace, guide: GuideDays): URLSearchParams {
  return new URLSearchParams({
    ...addressOf(from, guide),
    ...(filter !== undefined && { filter }),
    ...(channel !== undefined && { channel: String(channel) }),
  })
}

/** The day and the time of day that a view begins with. */
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
  // 31 February would be a day in March.
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === text
}
