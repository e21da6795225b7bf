/**
 * What a change is about. `catalogue`: titles, categories and what belongs to them. `channels`: channels.
 * `guide`: what they announce. `account`: rights and profiles of an account. `positions`: where a profile stopped. `favourites`: what it keeps. `operated`: storefronts, and what
 * operators change of them. `keys`: what tokens are signed with. `searchDocuments`, `searchWords`: what is searched. `editorial`: what is written.
 * `signIns`: sign-ins that have ended. `offers`: what is sold.
 */
export const TOPICS = [
  'catalogue',
  'channels',
  'guide',
  'account',
  'positions',
  'favourites',
  'operated',
  'keys',
  'searchDocuments',
  'searchWords',
  'editorial',
  'signIns',
  'offers',
] as const
export type Topic = (typeof TOPICS)[number]

/** @param ids accounts, profiles, rows of search or texts that the change is of; null when it may be of any. */
export type Heard = (ids: readonly number[] | null) => void

/**
 * Tells what was changed in the database, by whichever process, as soon as it is committed. What is kept in memory
 * stays exact by it: triggers send the notices (`changes.sql`), so no writer can forget to.
 */
export interface Changes {
  on(topic: Topic, heard: Heard): void
  /** Waits until every change that was committed before has been told. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The channel of PostgreSQL that carries the notices, each as `topic` or `topic:id,id`. */
export const CHANGE_CHANNEL = 'ondine_changes'

/** Those who listen to each topic. */
export class Listeners {
  readonly #heard = new Map<Topic, Heard[]>()

  on(topic: Topic, heard: Heard): void {
    this.#heard.set(topic, [...(this.#heard.get(topic) ?? []), heard])
  }

  /** Takes a notice apart and tells those who listen to its topic. */
  tell(notice: string): void {
    const [topic = '', list] = notice.split(':', 2)
    const ids = list === undefined ? null : list.split(',').map(Number)
    for (const heard of this.#heard.get(topic as Topic) ?? []) heard(ids)
  }

  tellAll(): void {
    for (const heard of [...this.#heard.values()].flat()) heard(null)
  }
}
