import type { epg } from '@ondine/contract/channels'
import { type GridProgramme, packGuide } from '@ondine/contract/guide-grid'
import type { Language } from '@ondine/contract/languages'
import type { InputOf } from '@ondine/contract/operation'
import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { PreparedAnswer } from '../../../http/prepared-answer.ts'
import { Semaphore } from '../../../http/semaphore.ts'
import { audienceOf, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { FOR_A_GRID, type GuideWindow, IN_FULL, listInSlices } from './guide-windows.service.ts'

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
/**
 * Maximum number of cached guide windows. A grid requests one group of channels at a time. The cache has room for
 * all groups over a few days, for a few audiences.
 */
const MOST_ANSWERS = 200
/** Maximum size of all cached windows in bytes, before compression. */
const MOST_BYTES = 80_000_000
/** Maximum size of a cached window in bytes. A larger window would evict the others, so it is not cached. */
const LARGEST_ANSWER = 30_000_000
/**
 * Maximum number of programmes in a window: two days of 500 channels, or two weeks of 70 channels. Without this
 * limit, a window of two weeks of 500 channels took 8 seconds to build.
 */
const MOST_PROGRAMMES = 50_000
/**
 * Maximum number of windows that are built concurrently. Windows are built in slices, and another call waits for
 * at most one slice of each window.
 */
const MADE_AT_ONCE = 2

/**
 * Fields of a window's programmes. `grid`: only the fields that a grid shows, in a packed form. `full`: all
 * fields.
 */
export type GuideExtent = 'grid' | 'full'

/**
 * Cached response for a window. `from` is the start of the window, in milliseconds since the Unix epoch. `bytes`
 * is the size of the response, or 1 while it is being built.
 */
interface Remembered {
  from: number
  answer: Promise<PreparedAnswer>
  bytes: number
}

/**
 * Cache of guide windows, which are valid until the guide changes. Screens request windows from midnight, so that
 * all viewers of an audience request the same windows.
 */
export class GuideMemory {
  readonly #db: Database
  readonly #semaphore = new Semaphore(MADE_AT_ONCE)
  readonly #answers = new LRUCache<string, Remembered>({
    max: MOST_ANSWERS,
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_ANSWER,
    sizeCalculation: ({ bytes }) => bytes,
  })

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => this.#answers.clear()
    changes.on('guide', forget)
    changes.on('channels', forget)
    // A change of the catalogue can change the titles of programmes.
    changes.on('catalogue', forget)
  }

  /**
   * Returns the response of `epg` or of `epgGrid`.
   *
   * @throws ServiceError `invalidInput` for a window of more than {@link MOST_PROGRAMMES} programmes
   */
  async answer(
    extent: GuideExtent,
    viewer: Viewer,
    language: Language,
    asked: InputOf<typeof epg>,
    now: number,
  ): Promise<PreparedAnswer> {
    const key = JSON.stringify([extent, language, audienceOf(viewer), asked])
    const window = windowOf(asked, now)
    const known = this.#answers.get(key)
    // Concurrent callers share one response. A request without `start` begins now, so its window is reused only
    // within the same second.
    if (known?.from === window.from) return await known.answer
    const made: Remembered = {
      from: window.from,
      answer: this.#semaphore.run(async () =>
        PreparedAnswer.of(
          extent === 'grid'
            ? await this.#grid(viewer, language, window)
            : await this.#everything(viewer, language, window),
        ),
      ),
      bytes: 1,
    }
    this.#answers.set(key, made)
    try {
      const answer = await made.answer
      // The entry may have been evicted in the meantime.
      if (this.#answers.peek(key) === made) this.#answers.set(key, { ...made, bytes: answer.body.length })
      return answer
    } catch (error) {
      if (this.#answers.peek(key) === made) this.#answers.delete(key)
      throw error
    }
  }

  async #grid(viewer: Viewer, language: Language, window: GuideWindow): Promise<string> {
    const channels: [number, GridProgramme[]][] = []
    for await (const slice of listInSlices(this.#db, FOR_A_GRID, viewer, language, window, MOST_PROGRAMMES))
      channels.push(...slice)
    return JSON.stringify(packGuide(channels))
  }

  async #everything(viewer: Viewer, language: Language, window: GuideWindow): Promise<string> {
    const channels: string[] = []
    for await (const slice of listInSlices(this.#db, IN_FULL, viewer, language, window, MOST_PROGRAMMES))
      for (const [id, programmes] of slice) channels.push(`"chan_${id}":${JSON.stringify(programmes)}`)
    return `{${channels.join(',')}}`
  }
}

/**
 * Returns the requested window: it begins `offset` days after `start` and lasts `hours` (V7-10), or it lasts from
 * `startHour` to `endHour` of the day that begins at `midnight` (V7-36).
 */
function windowOf(
  { start, offset, hours, midnight, startHour = 0, endHour, channelIds, filters }: InputOf<typeof epg>,
  now: number,
): GuideWindow {
  const origin = midnight ?? start ?? Math.floor(now / SECOND_MS)
  const from = origin * SECOND_MS + startHour * HOUR_MS + offset * DAY_MS
  const length = endHour === undefined ? hours : endHour - startHour
  return { from, to: from + length * HOUR_MS, channelIds, filters }
}
