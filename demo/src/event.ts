import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EventTimes, filmNfo } from './nfo.ts'
import { titleFolder } from './title.ts'
import { interferences } from './titles/interferences.ts'
import { writeWhole } from './whole-file.ts'

/** Weekday of the event (6 is Saturday). `HOUR` is its start in UTC, and `LASTS_HOURS` its length. */
const SATURDAY = 6
const HOUR = 19
const LASTS_HOURS = 2
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Returns the times of the current event, or else of the next event. There is an event each Saturday evening. */
export function eventAt(now: number): EventTimes {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const days = (SATURDAY - new Date(today).getUTCDay() + 7) % 7
  const startsAt = today + days * DAY_MS + HOUR * HOUR_MS
  const endsAt = startsAt + LASTS_HOURS * HOUR_MS
  return endsAt > now
    ? { startsAt, endsAt }
    : { startsAt: startsAt + 7 * DAY_MS, endsAt: endsAt + 7 * DAY_MS }
}

/**
 * Writes the times of the demonstration's event into the metadata of a concert film. The film itself is made like
 * any other film.
 */
export async function writeEvent(folder: string, times: EventTimes): Promise<void> {
  const path = join(folder, titleFolder(interferences), 'movie.nfo')
  const said = filmNfo(interferences, times)
  // Undefined means that the library does not contain the film yet.
  if ([undefined, said].includes(await readIfThere(path))) return
  await writeWhole(path, said)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
