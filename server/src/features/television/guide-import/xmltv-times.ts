import { offsetAt } from '../../../time/local-time.ts'

/** Offsets of named time zones from UTC, in minutes. */
const NAMED: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  BST: 60,
  WEST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
}

const COMPACT =
  /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2}))?)?)?(?:\.\d+)?\s*((?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?|[A-Za-z]{1,5})?$/i
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*((?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?|[A-Za-z]{1,5})?$/i

/**
 * Parses a time in the format of XMLTV (`20260115200000 +0100`) or in another common format (ISO 8601, named
 * zones). A time without a zone is local time of `timeZone`. When clocks go back, a local time occurs twice:
 * returns the first occurrence that is not before `notBefore`. When clocks go forward, some local times do not
 * exist: computes them with the offset before the change.
 *
 * @returns milliseconds since the Unix epoch; undefined if the text is not a time.
 */
export function readXmltvTime(text: string, timeZone: string, notBefore = -Infinity): number | undefined {
  const found = COMPACT.exec(text) ?? ISO.exec(text)
  if (!found) return undefined
  const [, ...written] = found
  const zone = written.pop()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = written.map((each) =>
    Number(each ?? 0),
  )
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(Date.UTC(year, month - 1, day))
  // ISO 8601 allows 24:00:00 for the end of a day.
  const isInDay = minute < 60 && second < 60 && (hour < 24 || (hour === 24 && minute + second === 0))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && isInDay
  if (!exists || year < 1970 || year > 2200) return undefined
  if (zone === undefined) return ofLocal(local, timeZone, notBefore)
  const minutes = offsetOf(zone)
  return minutes === undefined ? undefined : local - minutes * 60_000
}

function offsetOf(zone: string): number | undefined {
  // Accepts `+0530`, `+530`, `+5` and `UTC+05:30`.
  const numbers = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  if (!numbers) return NAMED[zone.toUpperCase()]
  const minutes = Number(numbers[2]) * 60 + Number(numbers[3] ?? 0)
  if (minutes > 15 * 60) return undefined
  return numbers[1] === '-' ? -minutes : minutes
}

const HOURS_3 = 3 * 3600_000

function ofLocal(local: number, timeZone: string, notBefore: number): number {
  // Offsets three hours before and after the local time. They differ only around a change of clocks.
  const before = offsetAt(timeZone, local - HOURS_3 - offsetAt(timeZone, local))
  const after = offsetAt(timeZone, local + HOURS_3 - offsetAt(timeZone, local))
  const first = local - before
  const second = local - after
  if (before === after) return first
  const valid = [first, second].filter((at) => at + offsetAt(timeZone, at) === local)
  return valid.find((at) => at >= notBefore) ?? valid.at(-1) ?? first
}
