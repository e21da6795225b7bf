import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool } from 'pg'
import { CHANGE_CHANNEL, type Changes, Listeners } from './changes.ts'
import type { Connection, Database } from './connection.ts'

/** Opens the PostgreSQL at `url`, with as many connections at most. */
export async function openPostgres(url: string, poolSize: number): Promise<Connection> {
  const pool = new Pool({ connectionString: url, max: poolSize, application_name: 'ondine' })
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
    ping: async () => void (await db.execute(sql`select 1`)),
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

/** Pause before a lost connection is made anew, in milliseconds. */
const RECONNECT_MS = 500
/** How often the connection is tried, in milliseconds: one that has silently gone tells nothing. */
const CHECK_MS = 5000

/** The changes of a PostgreSQL, on a connection of their own. Through a pooler it has to be one of session mode. */
async function listenPostgres(url: string): Promise<Changes> {
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
