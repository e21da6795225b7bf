import { packGuide } from '@ondine/contract/guide-grid'
import type { Language } from '@ondine/contract/languages'
import type { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/connection.ts'
import { PreparedAnswer } from '../../http/prepared-answer.ts'
import { audienceOf, type Viewer } from '../entitlements/entitlements.service.ts'
import { type GuideWindow, listProgrammes } from './channels.service.ts'

/** Answers that are remembered at once: blocks of channels, of a few days, for a few audiences. */
const MOST_ANSWERS = 200
/** What all of them may take together, before they are packed. */
const MOST_BYTES = 80_000_000
/** Larger ones are not remembered: there would not be room for others. */
const LARGEST_ANSWER = 30_000_000
/**
 * Programmes that one answer is made of: two days of 500 channels, or two weeks of 70. Everybody else waits while it is made; two weeks
 * of 500 channels took 8 seconds.
 */
const MOST_PROGRAMMES = 50_000

/** What of the programmes an answer has: what a grid shows, packed, or everything. */
export type GuideExtent = 'grid' | 'full'

/** An answer, and its bytes once they are known. */
interface Remembered {
  answer: Promise<PreparedAnswer>
  bytes: number
}

/**
 * The windows that are asked of the guide, remembered until something of it is changed. Screens ask for windows that begin at midnight,
 * so that all viewers of an audience ask for the same ones.
 */
export class GuideMemory {
  readonly #db: Database
  readonly #answers = new Map<string, Remembered>()
  #bytes = 0

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => {
      this.#answers.clear()
      this.#bytes = 0
    }
    changes.on('guide', forget)
    changes.on('channels', forget)
    // Programmes show titles of the catalogue.
    changes.on('catalogue', forget)
  }

  /** The answer of `epg` or of `epgGrid`. @throws ServiceError `invalidInput` for a window of more than {@link MOST_PROGRAMMES} */
  async answer(
    extent: GuideExtent,
    viewer: Viewer,
    language: Language,
    window: GuideWindow,
  ): Promise<PreparedAnswer> {
    const key = JSON.stringify([extent, language, audienceOf(viewer), window])
    const known = this.#answers.get(key)
    // Whoever asks meanwhile waits for the same.
    if (known) return await known.answer
    const made: Remembered = { answer: this.#make(extent, viewer, language, window), bytes: 0 }
    this.#answers.set(key, made)
    try {
      const answer = await made.answer
      // It may have been forgotten meanwhile.
      if (this.#answers.get(key) === made) this.#weigh(key, made, answer.body.length)
      return answer
    } catch (error) {
      if (this.#answers.get(key) === made) this.#answers.delete(key)
      throw error
    }
  }

  #weigh(key: string, made: Remembered, bytes: number): void {
    if (bytes > LARGEST_ANSWER) {
      this.#answers.delete(key)
      return
    }
    made.bytes = bytes
    this.#bytes += bytes
    for (const [oldest, { bytes: weight }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES && this.#answers.size <= MOST_ANSWERS) break
      this.#answers.delete(oldest)
      this.#bytes -= weight
    }
  }

  async #make(
    extent: GuideExtent,
    viewer: Viewer,
    language: Language,
    window: GuideWindow,
  ): Promise<PreparedAnswer> {
    const guide = await listProgrammes(this.#db, viewer, language, {
      ...window,
      most: MOST_PROGRAMMES,
    })
    return PreparedAnswer.of(
      JSON.stringify(
        extent === 'grid'
          ? packGuide(guide)
          : Object.fromEntries([...guide].map(([id, programmes]) => [`chan_${id}`, programmes])),
      ),
    )
  }
}
