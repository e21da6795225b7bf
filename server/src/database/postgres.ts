import { Socket } from 'node:net'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import { Client, Pool, type PoolClient } from 'pg'
import { CHANGE_CHANNEL, type Changes, Listeners } from './changes.ts'
import type { Connection, Database } from './connection.ts'
import { type ConnectedProcess, newProcessId, PROCESS_LOCK } from './processes.ts'

/**
 * Opens the PostgreSQL database at `url`, with at most `poolSize` connections.
 *
 * @param options.roles roles of this process, for other processes to see
 * @param options.log receives the loss and the return of the connection for notices
 */
export async function openPostgres(
  url: string,
  poolSize: number,
  { roles = '', log }: { roles?: string | undefined; log?: ChangesLog | undefined } = {},
): Promise<Connection> {
  const processId = newProcessId()
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
  // A connection that breaks while idle is replaced at the next query. Without a listener, the error would end the
  // process.
  pool.on('error', () => undefined)
  // While a transaction has the connection, the pool does not listen for its errors. The transaction's next query
  // then fails with the reason.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const db = drizzle(pool, OPTIONS)
  // One Drizzle instance per connection. Reused, because an instance caches column names.
  const onConnections = new WeakMap<PoolClient, NodePgDatabase>()
  // Drizzle never releases a connection whose `begin` fails, so this function takes and releases the connection.
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
  const changes = await listenPostgres(url, sockets, { processId, roles, log })
  return {
    // Both drivers extend PgDatabase with their own raw result types, which our queries do not read.
    db: db as unknown as Database,
    changes,
    kind: 'postgresql',
    forJobs: {
      executeSql: async (text, values) => await pool.query(text, values),
    },
    processId,
    processes: async () => (await pool.query<ConnectedProcess>(PROCESSES, [processId])).rows,
    ping: async () => void (await pool.query(QUESTION)),
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

/** The part of a log that {@link openPostgres} writes to. */
type ChangesLog = Pick<FastifyBaseLogger, 'info' | 'warn'>

const OPTIONS = { casing: 'snake_case' } as const

/** Maximum time to open a connection, or to wait for a free connection of the pool, in milliseconds. */
const CONNECT_MS = 10_000
/** Pause before reconnecting, in milliseconds. */
const RECONNECT_MS = 500
/**
 * `CHECK_MS` is the interval between checks of the connection that receives the notices, in milliseconds.
 * `ANSWER_MS` is how long that connection may take to answer. A half-open connection receives no notices, and both
 * limits together make bans and sign-outs take effect within 5 s.
 */
const CHECK_MS = 2000
const ANSWER_MS = 2500

/**
 * Prefix of the `application_name` of the connection that represents a process. The roles of the process follow.
 */
const NAME = 'ondine '

const PROCESSES = `
  select substr(application_name, ${NAME.length + 1}) as roles, backend_start as since,
    bool_or(objid::text = $1) as "isThis"
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and classid = ${PROCESS_LOCK} and datname = current_database()
  group by pid, application_name, backend_start
  order by backend_start`

/** A query that checks a connection. A half-open connection does not answer. */
const QUESTION = { text: 'select 1', query_timeout: ANSWER_MS }

/**
 * The sockets of the pool. Queries of the pool have no time limit, because imports and migrations may take long.
 * When a connection is broken, destroying its socket makes its queries fail.
 */
class PoolSockets {
  readonly #open = new Set<Socket>()

  /** Returns the socket for a new connection, not yet connected. */
  open(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /**
   * Watches the sockets that are open now.
   *
   * @returns a function that destroys the sockets that have received nothing since this call, so that their
   * queries fail
   */
  watch(): () => void {
    return destroySilent([...this.#open])
  }

  /**
   * Like {@link watch}, for the sockets that have received nothing so far: their connections are still being
   * established.
   */
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
 * Listens for changes in PostgreSQL, on a separate connection. Through a pooler, that connection must use session
 * mode.
 *
 * When the separate connection gets no answer, the pool's connections may be broken too. Then the pool's sockets
 * that receive nothing are destroyed, so that waiting queries fail.
 *
 * While the separate connection lasts, it holds the advisory lock that represents this process.
 */
async function listenPostgres(
  url: string,
  sockets: PoolSockets,
  { processId, roles, log }: { processId: string; roles: string; log: ChangesLog | undefined },
): Promise<Changes> {
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
      application_name: `${NAME}${roles}`,
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
      // A shared lock, because the previous connection may still hold the same lock.
      await next.query('select pg_advisory_lock_shared($1, $2)', [PROCESS_LOCK, processId])
      return next
    } catch (error) {
      hangUp(next)
      throw error
    }
  }

  async function reconnect(lost: Client): Promise<void> {
    if (closed || lost !== client) return
    client = undefined
    // The lost connection stays open until the new connection holds the lock of this process. If the lost
    // connection's answer was only late, the lock is therefore never free, and no other process takes over this
    // process's work.
    for (let attempt = 1; ; attempt++) {
      const destroyUnanswered = sockets.watchUnanswered()
      // If the database is still down, data in memory is served until the database is back.
      const next = await connect().catch((error: unknown) => {
        if (attempt === 1) log?.warn({ err: error }, 'changes of the database do not arrive')
        return undefined
      })
      if (closed) {
        hangUp(lost)
        if (next) hangUp(next)
        return
      }
      client = next
      if (client) {
        hangUp(lost)
        if (attempt > 1) log?.info('changes of the database arrive again')
        // Connections whose setup began while the database was unreachable would block the pool.
        destroyUnanswered()
        break
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref())
    }
    // Changes that happened while the connection was down were not reported.
    listeners.tellAll()
  }

  /**
   * Runs a query that has a time limit of `ANSWER_MS`. If the query times out, destroys the pool's sockets that
   * received nothing in the second half of that time: the network has been broken at least since then.
   */
  async function watched<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    let destroySilent = () => {}
    const half = setTimeout(() => {
      destroySilent = sockets.watch()
    }, ANSWER_MS / 2)
    try {
      return await question()
    } catch (error) {
      // Waits a turn of the event loop, to read answers that arrived while the process was busy.
      setImmediate(() => destroySilent())
      throw error
    } finally {
      clearTimeout(half)
    }
  }

  let last: Promise<unknown> = Promise.resolve()

  /**
   * Runs {@link QUESTION} on the connection that receives the notices, one query at a time. PostgreSQL sends all
   * pending notices before the answer, so they have been received when this function returns.
   */
  async function ask(asked: Client): Promise<void> {
    const answer = last.then(async () => await watched(async () => await asked.query(QUESTION)))
    last = answer.catch(() => undefined)
    await answer
  }

  async function tryOut(): Promise<void> {
    const tried = client
    if (tried) await ask(tried).catch(async () => await reconnect(tried))
  }

  /** Closes a connection without waiting for the server. */
  function hangUp(ended: Client): void {
    ended.end().catch(() => undefined)
  }

  return {
    on: (topic, heard) => listeners.on(topic, heard),
    get isListening() {
      return client !== undefined
    },
    // PostgreSQL sends pending notices before the answer to the next query.
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
