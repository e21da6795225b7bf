import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool } from 'pg'
import { CHANGE_CHANNEL, type Changes, Listeners } from './changes.ts'
import type { Connection, Database } from './connection.ts'

/** Opens the PostgreSQL at `url`, with as many connections at most. */
export async function openPostgres(url: string, poolSize: number): Promise<Connection> {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'ondine',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  // Both drivers are PgDatabase with their own raw-result types, which no query of ours reads.
  const db = drizzle(pool, { casing: 'snake_case' }) as unknown as Database
  const changes = await listenPostgres(url)
  return {
    db,
    changes,
    kind: 'postgresql',
    forJobs: {
      executeSql: async (text, values) => await pool.query(text, values),
    },
    ping: async () => void (await pool.query(QUESTION)),
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

/** Longest wait for a connection, a free one of the pool included, in milliseconds. */
const CONNECT_MS = 10_000
/** An idle connection is probed after this, in milliseconds. */
const KEEP_ALIVE_MS = 10_000
/** Pause before a lost connection is made anew, in milliseconds. */
const RECONNECT_MS = 500
/**
 * How often the connection of the changes is tried, and how long it may take to answer, in milliseconds. A half-open connection tells
 * nothing; together they keep bans and sign-outs within 5 s.
 */
const CHECK_MS = 2000
const ANSWER_MS = 2500

/** Shows whether a connection lives. A half-open one does not answer. */
const QUESTION = { text: 'select 1', query_timeout: ANSWER_MS }

/** The changes of a PostgreSQL, on a connection of their own. Through a pooler it has to be one of session mode. */
async function listenPostgres(url: string): Promise<Changes> {
  const listeners = new Listeners()
  let closed = false
  /** Undefined while the connection is lost. */
  let client: Client | undefined
  client = await connect()
  const check = setInterval(() => void tryOut(), CHECK_MS)
  check.unref()

  async function connect(): Promise<Client> {
    const next = new Client({
      connectionString: url,
      application_name: 'ondine changes',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    next.on('notification', ({ payload }) => listeners.tell(payload ?? ''))
    next.on('error', () => void reconnect(next))
    next.on('end', () => void reconnect(next))
    try {
      await next.connect()
      await next.query(`listen ${CHANGE_CHANNEL}`)
      return next
    } catch (error) {
      hangUp(next)
      throw error
    }
  }

  async function reconnect(lost: Client): Promise<void> {
    if (closed || lost !== client) return
    client = undefined
    hangUp(lost)
    for (;;) {
      // The database may still be away: what is in memory goes on serving until it is back.
      const next = await connect().catch(() => undefined)
      if (closed) {
        if (next) hangUp(next)
        return
      }
      client = next
      if (client) break
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref())
    }
    // Nobody told what happened meanwhile.
    listeners.tellAll()
  }

  let last: Promise<unknown> = Promise.resolve()

  /** One question after the other: what was told before the answer has been heard. */
  async function ask(asked: Client): Promise<void> {
    const answer = last.then(async () => await asked.query(QUESTION))
    last = answer.catch(() => undefined)
    await answer
  }

  async function tryOut(): Promise<void> {
    const tried = client
    if (tried) await ask(tried).catch(async () => await reconnect(tried))
  }

  /** Ends a connection without waiting for its other side. */
  function hangUp(ended: Client): void {
    ended.end().catch(() => undefined)
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
