import type { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'

/**
 * What a change is about. `catalogue`: titles, categories and what belongs to them. `channels`: channels.
 * `guide`: what they announce. `account`: rights and profiles of an account. `positions`: where a profile stopped. `favourites`: what it keeps. `operated`: storefronts, and what
 * operators change of them. `keys`: what tokens are signed with. `searchDocuments`, `searchWords`: what is searched.
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
] as const
export type Topic = (typeof TOPICS)[number]

/** @param ids accounts, profiles or rows of search that the change is of; null when it may be of any. */
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

class Listeners {
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

/** The changes of the embedded database, which belongs to this process: they are told before a write is answered. */
export async function listenEmbedded(pglite: PGlite): Promise<Changes> {
  const listeners = new Listeners()
  const stop = await pglite.listen(CHANGE_CHANNEL, (notice) => listeners.tell(notice))
  return {
    on: (topic, heard) => listeners.on(topic, heard),
    settled: async () => {},
    close: async () => await stop(),
  }
}

/** Pause before a lost connection is made anew, in milliseconds. */
const RECONNECT_MS = 500
/** How often the connection is tried, in milliseconds: one that has silently gone tells nothing. */
const CHECK_MS = 5000

/** The changes of a PostgreSQL, on a connection of their own. Through a pooler it has to be one of session mode. */
export async function listenPostgres(url: string): Promise<Changes> {
  const listeners = new Listeners()
  let closed = false
  /** Undefined while the connection is lost. */
  let client: Client | undefined = await connect()
  const check = setInterval(() => void tryOut(), CHECK_MS)
  check.unref()

  async function connect(): Promise<Client> {
    const next = new Client({ connectionString: url, application_name: 'ondine changes' })
    next.on('notification', ({ payload }) => listeners.tell(payload ?? ''))
    next.on('error', () => void reconnect(next))
    next.on('end', () => void reconnect(next))
    await next.connect()
    await next.query(`listen ${CHANGE_CHANNEL}`)
    return next
  }

  async function reconnect(lost: Client): Promise<void> {
    if (closed || lost !== client) return
    client = undefined
    while (client === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref())
      if (closed) return
      // The database may still be away: what is in memory goes on serving until it is back.
      client = await connect().catch(() => undefined)
    }
    // Nobody told what happened meanwhile.
    listeners.tellAll()
  }

  let last: Promise<unknown> = Promise.resolve()

  /** One question after the other: what was told before the answer has been heard. */
  async function ask(asked: Client): Promise<void> {
    const answer = last.then(async () => await asked.query('select 1'))
    last = answer.catch(() => undefined)
    await answer
  }

  async function tryOut(): Promise<void> {
    const tried = client
    if (tried) await ask(tried).catch(async () => await reconnect(tried))
  }

  return {
    on: (topic, heard) => listeners.on(topic, heard),
    // Notices come before the answer to whatever the connection is asked next.
    settled: async () => {
      if (client) await ask(client)
    },
    close: async () => {
      closed = true
      clearInterval(check)
      await client?.end()
    },
  }
}
