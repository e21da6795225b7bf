/**
 * The subject of a change.
 * - `catalogue`: titles, categories and their parts
 * - `channels`: channels
 * - `guide`: programmes of channels
 * - `account`: rights and profiles of an account
 * - `positions`: playback positions of a profile
 * - `favourites`: favourites of a profile
 * - `recordings`: recordings of a profile
 * - `operated`: storefronts, and what operators change in them
 * - `keys`: keys that sign tokens
 * - `searchDocuments`, `searchWords`: the search index
 * - `editorial`: articles
 * - `signIns`: sign-ins that have ended
 * - `offers`: offers
 * - `screens`: screens of an account, and the commands to them
 * - `purchases`: cart, orders, vouchers, subscriptions and store purchases of an account. Changes of its rights are
 *   reported as `account`
 */
export const TOPICS = [
  'catalogue',
  'channels',
  'guide',
  'account',
  'positions',
  'favourites',
  'recordings',
  'operated',
  'keys',
  'searchDocuments',
  'searchWords',
  'editorial',
  'signIns',
  'offers',
  'screens',
  'purchases',
] as const
export type Topic = (typeof TOPICS)[number]

/** @param ids ids of the changed accounts, profiles, search rows or articles; null when any may have changed. */
export type Heard = (ids: readonly number[] | null) => void

/**
 * Reports every committed change of the database, by any process, so that caches in memory stay exact. Triggers
 * send the notices (`changes.sql`): the code that writes need not send any.
 */
export interface Changes {
  on(topic: Topic, heard: Heard): void
  /** Whether notices are being received. While this is false, data in memory may be older than the database. */
  readonly isListening: boolean
  /** Waits until listeners have received every change that was committed before this call. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The PostgreSQL channel for the notices, each written as `topic` or `topic:id,id`. */
export const CHANGE_CHANNEL = 'ondine_changes'

/** Registers listeners by topic, and passes notices to them. */
export class Listeners {
  readonly #heard = new Map<Topic, Heard[]>()

  on(topic: Topic, heard: Heard): void {
    this.#heard.set(topic, [...(this.#heard.get(topic) ?? []), heard])
  }

  /** Parses a notice and calls the listeners of its topic. */
  tell(notice: string): void {
    const [topic = '', list] = notice.split(':', 2)
    const ids = list === undefined ? null : list.split(',').map(Number)
    for (const heard of this.#heard.get(topic as Topic) ?? []) heard(ids)
  }

  tellAll(): void {
    for (const heard of [...this.#heard.values()].flat()) heard(null)
  }
}
