import { Socket } from 'node:net'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, Pool, type PoolClient } from 'pg'
import { CHANGE_CHANNEL, type Changes, Listeners } from './changes.ts'
import type { Connection, Database } from './connection.ts'

/** Opens the PostgreSQL at `url`, with as many connections at most. */
export async function openPostgres(url: string, poolSize: number): Promise<Connection> {
  const sockets = new PoolSockets()
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'ondine',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CHECK_MS,
    stream: () => sockets.open(),
  })
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The pool does not listen while a transaction has the connection. Its next query fails and says why.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const db = drizzle(pool, OPTIONS)
  // Each keeps the names of the columns that it has seen.
  const onConnections = new WeakMap<PoolClient, NodePgDatabase>()
  // Drizzle would keep a connection for ever whose `begin` fails.
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      const own = onConnections.get(client) ?? drizzle(client, OPTIONS)
      onConnections.set(client, own)
      return await own.transaction(work, config)
    } finally {
      client.release()
    }
  }
  const changes = await listenPostgres(url, sockets)
  return {
    // Both drivers are PgDatabase with their own raw-result types, which no query of ours reads.
    db: db as unknown as Database,
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

const OPTIONS = { casing: 'snake_case' } as const

/** Longest wait for a connection, a free one of the pool included, in milliseconds. */
const CONNECT_MS = 10_000
/** Pause before a lost connection is made anew, in milliseconds. */
const RECONNECT_MS = 500
/**
 * How often connections are tried, and how long the connection of the changes may take to answer, in milliseconds. A half-open
 * connection tells nothing; together they keep bans and sign-outs within 5 s.
 */
const CHECK_MS = 2000
const ANSWER_MS = 2500

/** Shows whether a connection lives. A half-open one does not answer. */
const QUESTION = { text: 'select 1', query_timeout: ANSWER_MS }

/** The sockets of the pool. It has no time limit for queries: statements of imports and migrations may take long. */
class PoolSockets {
  readonly #open = new Set<Socket>()

  /** The socket of a new connection, not connected yet. */
  open(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Watches the sockets that are open now. @returns a function that destroys those which have received nothing since; their queries fail */
  watch(): () => void {
    return destroySilent([...this.#open])
  }

  /** Watches the sockets that have never received anything, as {@link watch} does. Their connections are still being made. */
  watchUnanswered(): () => void {
    return destroySilent([...this.#open].filter(({ bytesRead }) => bytesRead === 0))
  }
}

function destroySilent(sockets: readonly Socket[]): () => void {
  const before = sockets.map((socket) => ({ socket, bytesRead: socket.bytesRead }))
  return () => {
    for (const { socket, bytesRead } of before)
      if (socket.bytesRead === bytesRead) socket.destroy(new Error('The database does not answer.'))
  }
}

/**
 * The changes of a PostgreSQL, on a connection of their own. Through a pooler it has to be one of session mode. When this connection
 * gets no answer, silent connections of the pool are half-open too: they are destroyed, so that what has changed can be read.
 */
async function listenPostgres(url: string, sockets: PoolSockets): Promise<Changes> {
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
      await watched(async () => await next.connect())
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
      const destroyUnanswered = sockets.watchUnanswered()
      // The database may still be away: what is in memory goes on serving until it is back.
      const next = await connect().catch(() => undefined)
      if (closed) {
        if (next) hangUp(next)
        return
      }
      client = next
      if (client) {
        // Connections that began while the database could not be reached would keep the pool waiting.
        destroyUnanswered()
        break
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref())
    }
    // Nobody told what happened meanwhile.
    listeners.tellAll()
  }

  /**
   * Puts a question that has a time limit of `ANSWER_MS`. Where it gets no answer, the path was broken after half of that at the latest:
   * sockets of the pool that have received nothing since then are destroyed.
   */
  async function watched<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    let destroySilent = () => {}
    const half = setTimeout(() => {
      destroySilent = sockets.watch()
    }, ANSWER_MS / 2)
    try {
      return await question()
    } catch (error) {
      // Answers that came while the process was busy are read first.
      setImmediate(() => destroySilent())
      throw error
    } finally {
      clearTimeout(half)
    }
  }

  let last: Promise<unknown> = Promise.resolve()

  /** One question after the other: what was told before the answer has been heard. */
  async function ask(asked: Client): Promise<void> {
    const answer = last.then(async () => await watched(async () => await asked.query(QUESTION)))
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
