import { LRUCache } from 'lru-cache'

const QUARTER_MS = 900_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const offsets = new Map<string, LRUCache<number, number>>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Maximum number of cached quarter hours per time zone. Enough for the 48 hours that are scheduled at once. */
const LARGEST_CACHE = 1000

/**
 * Returns the offset of the local time of `timeZone` from UTC at `at`, in milliseconds. The offset changes with
 * daylight-saving time.
 *
 * @param at milliseconds since the Unix epoch.
 */
export function offsetAt(timeZone: string, at: number): number {
  // Clocks change at whole quarters of an hour, so one result is valid for a whole quarter.
  const quarter = Math.floor(at / QUARTER_MS)
  let known = offsets.get(timeZone)
  if (!known) offsets.set(timeZone, (known = new LRUCache({ max: LARGEST_CACHE })))
  let offset = known.get(quarter)
  if (offset === undefined) known.set(quarter, (offset = readOffset(timeZone, quarter * QUARTER_MS)))
  return offset
}

/** Returns the minutes since local midnight at `at`. */
export function minuteOfDay(timeZone: string, at: number): number {
  const local = new Date(at + offsetAt(timeZone, at))
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}

/** Returns the first moment after `after` when local clocks show this many minutes since midnight. */
export function nextTimeOfDay(timeZone: string, minutes: number, after: number): number {
  const [today, tomorrow] = [0, 1].map((days) => onDayOf(timeZone, after, days, minutes))
  return today !== undefined && today > after ? today : (tomorrow ?? after)
}

/** Returns the last local midnight at or before `at`. */
export function lastMidnight(timeZone: string, at: number): number {
  return onDayOf(timeZone, at, 0, 0)
}

/**
 * Returns the moment when local clocks show `minutes` since midnight, `days` days after the day of `at`. When clocks go
 * forward, some local times do not exist: they are computed with the offset before the change.
 */
function onDayOf(timeZone: string, at: number, days: number, minutes: number): number {
  const offset = offsetAt(timeZone, at)
  const local = (Math.floor((at + offset) / DAY_MS) + days) * DAY_MS + minutes * MINUTE_MS
  // The offset may differ between `at` and the result.
  const other = offsetAt(timeZone, local - offset)
  const moment = local - other
  const exists = moment + offsetAt(timeZone, moment) === local
  return exists ? moment : local - Math.min(offset, other)
}

function readOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - at
  )
}
