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
 * Maximum number of cached answers. It suffices for the blocks of channels that grids request, over a few days, for
 * a few audiences.
 */
const MOST_ANSWERS = 200
/** Maximum size of all cached answers in bytes, before compression. */
const MOST_BYTES = 80_000_000
/** Larger answers are not cached, because they would evict the other answers. */
const LARGEST_ANSWER = 30_000_000
/**
 * Maximum number of programmes in one answer: two days of 500 channels, or two weeks of 70. Two weeks of 500
 * channels took 8 seconds.
 */
const MOST_PROGRAMMES = 50_000
/**
 * Maximum number of answers that are built at the same time. Each is built in slices, and another call waits for at
 * most one slice of each.
 */
const MADE_AT_ONCE = 2

/** Extent of an answer: `grid` has only the fields that a grid shows, packed. `full` has all fields. */
export type GuideExtent = 'grid' | 'full'

/**
 * Cached answer. `from` is the start of its window, in milliseconds since the Unix epoch. `bytes` is its size, or 1
 * while the answer is being built.
 */
interface Remembered {
  from: number
  answer: Promise<PreparedAnswer>
  bytes: number
}

/**
 * Cache of guide windows, valid until the guide changes. Screens request windows that begin at midnight, so
 * that all viewers of an audience request the same windows.
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
    // A change of the catalogue can change the titles to which programmes refer.
    changes.on('catalogue', forget)
  }

  /**
   * Returns the answer of `epg` or of `epgGrid`. @throws ServiceError `invalidInput` for a window of more than {@link
   * MOST_PROGRAMMES}
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
    // Concurrent callers await the same answer. A window without a given start begins now, so its answer is valid for
    // one second only.
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
      // The answer may have been evicted meanwhile.
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

/** Returns the window that a call requests: from `start`, `offset` days later, over `hours` (V7-10). */
function windowOf(
  { start, offset, hours, channelIds, filters }: InputOf<typeof epg>,
  now: number,
): GuideWindow {
  const from = (start ?? Math.floor(now / SECOND_MS)) * SECOND_MS + offset * DAY_MS
  return { from, to: from + hours * HOUR_MS, channelIds, filters }
}
