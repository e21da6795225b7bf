import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { forbiddenBetween } from '../../television/channels/forbidden-uses.service.ts'

const HOUR_MS = 3_600_000
/** How far back the guide is read, in milliseconds. The time-shift of a channel is at most a day. */
const BACK_MS = 25 * HOUR_MS
const AHEAD_MS = 6 * HOUR_MS
const MOST_CHANNELS = 5000

/** A programme in which the guide forbids going back. Times are milliseconds since the Unix epoch. */
interface Programme {
  startsAt: number
  endsAt: number
}

/** The forbidden programmes of a guide, as read at `readAt`. */
interface Known {
  readAt: number
  programmes: Promise<readonly Programme[]>
}

/**
 * Finds the time until which the guide forbids going back in a channel. Cached until the guide changes, so that
 * manifests need no database.
 */
export class ForbiddenPast {
  readonly #db: Database
  readonly #known = new LRUCache<number, Known>({ max: MOST_CHANNELS })

  constructor(db: Database, changes: Changes) {
    this.#db = db
    changes.on('guide', () => this.#known.clear())
  }

  /**
   * Returns the time before which only the live edge of a channel may be shown. While the guide forbids going back
   * in the present programme, this is `now`. After such a programme, it is the end of the last one. 0 if there was
   * no such programme.
   */
  async until(channelId: number, now: number): Promise<number> {
    const begun = (await this.#programmes(channelId, now)).filter(({ startsAt }) => startsAt <= now)
    return Math.max(0, ...begun.map(({ endsAt }) => Math.min(endsAt, now)))
  }

  async #programmes(channelId: number, now: number): Promise<readonly Programme[]> {
    const known = this.#known.get(channelId)
    if (known && now >= known.readAt && now < known.readAt + AHEAD_MS) return await known.programmes
    const programmes = this.#read(channelId, now)
    const read = { readAt: now, programmes }
    this.#known.set(channelId, read)
    try {
      return await programmes
    } catch (error) {
      if (this.#known.get(channelId) === read) this.#known.delete(channelId)
      throw error
    }
  }

  async #read(channelId: number, now: number): Promise<readonly Programme[]> {
    const forbidden = await forbiddenBetween(this.#db, channelId, now - BACK_MS, now + AHEAD_MS)
    return forbidden.filter(({ isPastForbidden }) => isPastForbidden)
  }
}
