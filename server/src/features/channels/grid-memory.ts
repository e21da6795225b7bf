import { packGuide } from '@ondine/contract/guide-grid'
import type { Language } from '@ondine/contract/languages'
import type { PackedGuide } from '@ondine/contract/packed-guide'
import type { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/connection.ts'
import { PreparedAnswer } from '../../http/prepared-answer.ts'
import { audienceOf, type Viewer } from '../entitlements/entitlements.service.ts'
import { type GuideWindow, listProgrammes } from './channels.service.ts'

/** Answers that are remembered at once: blocks of channels, of a few days, for a few audiences. */
const MOST_ANSWERS = 200
/** Larger ones are not: there would not be room for many, in bytes. */
const LARGEST_ANSWER = 500_000

/**
 * The windows that grids ask for, remembered until something of the guide is changed. They begin at midnight, so that all
 * viewers of an audience ask for the same ones.
 */
export class GridMemory {
  readonly #db: Database
  readonly #answers = new Map<string, Promise<PreparedAnswer>>()

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => this.#answers.clear()
    changes.on('guide', forget)
    changes.on('channels', forget)
    // Programmes show titles of the catalogue.
    changes.on('catalogue', forget)
  }

  /** The answer of `epgGrid`. */
  async answer(viewer: Viewer, language: Language, window: GuideWindow): Promise<PreparedAnswer> {
    const key = JSON.stringify([language, audienceOf(viewer), window])
    const known = this.#answers.get(key)
    if (known) return await known
    // Whoever asks meanwhile waits for the same.
    const made = this.#find(viewer, language, window).then((guide) =>
      PreparedAnswer.of(JSON.stringify(guide)),
    )
    this.#answers.set(key, made)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > MOST_ANSWERS && oldest !== undefined) this.#answers.delete(oldest)
    try {
      const answer = await made
      if (answer.body.length > LARGEST_ANSWER && this.#answers.get(key) === made) this.#answers.delete(key)
      return answer
    } catch (error) {
      if (this.#answers.get(key) === made) this.#answers.delete(key)
      throw error
    }
  }

  async #find(viewer: Viewer, language: Language, window: GuideWindow): Promise<PackedGuide> {
    return packGuide(await listProgrammes(this.#db, viewer, language, window))
  }
}
