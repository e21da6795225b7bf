import { connect, createServer, type Server, type Socket } from 'node:net'
import { accountDetails } from '@ondine/contract/accounts'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Connection, Database } from '../src/database/connection.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { rowsOf } from '../src/database/rows.ts'
import { buildersOf } from './builders.ts'
import { DATABASES, startTestService } from './service.ts'

const POSTGRES = process.env.ONDINE_TEST_DATABASE_URL ?? ''

/** A proxy to PostgreSQL that can become silent: connections stay open, but no data passes through. */
class SilentPath {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Whether new connections are silent too. */
  isSilent = false

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#server = createServer((near) => {
      this.#keep(near)
      if (this.isSilent) return
      const far = this.#keep(connect(Number(port || 5432), hostname))
      near.pipe(far)
      far.pipe(near)
    })
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }

  /** Starts the proxy. @returns the address of PostgreSQL through this proxy */
  async open(url: string): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    const by = new URL(url)
    by.hostname = '127.0.0.1'
    by.port = String(typeof address === 'object' && address !== null ? address.port : 0)
    return by.href
  }

  /** Makes existing connections half-open: all of them, or the oldest `count`. */
  silence(count = Number.POSITIVE_INFINITY): void {
    // Each proxied connection has two sockets.
    for (const socket of [...this.#sockets].slice(0, 2 * count)) {
      socket.unpipe()
      // Reads and drops all further data.
      socket.resume()
    }
  }

  /** Drops the database's answers on existing connections. Data to the database still arrives. */
  dropAnswers(): void {
    for (const [index, socket] of [...this.#sockets].entries()) {
      if (index % 2 === 0) continue
      socket.unpipe()
      socket.resume()
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

describe.each(DATABASES.filter((kind) => kind === 'postgresql'))('a half-open connection to %s', () => {
  let direct: Client
  beforeAll(async () => {
    direct = new Client({ connectionString: POSTGRES })
    await direct.connect()
  })
  afterAll(async () => await direct.end())

  it('is replaced, and everything counts as changed, so that no change is missed', async () => {
    const path = new SilentPath(POSTGRES)
    const { changes, close } = await openPostgres(await path.open(POSTGRES), 2)
    let heard = 0
    changes.on('account', () => heard++)
    try {
      await direct.query(`select pg_notify('ondine_changes', 'account:1')`)
      await expect.poll(() => heard).toBe(1)
      path.silence()
      await direct.query(`select pg_notify('ondine_changes', 'account:1')`)
      await expect.poll(() => heard).toBe(2)
      // The new connection must receive further notices.
      await direct.query(`select pg_notify('ondine_changes', 'account:1')`)
      await expect.poll(() => heard).toBe(3)
    } finally {
      await close()
      path.close()
    }
  })

  it('is closed while nothing passes through, and replaced as soon as something does', async () => {
    const path = new SilentPath(POSTGRES)
    const { changes, ping, close } = await openPostgres(await path.open(POSTGRES), 2)
    let heard = 0
    changes.on('account', () => heard++)
    try {
      await ping()
      path.silence()
      path.isSilent = true
      await expect(ping()).rejects.toThrow(/timeout|does not answer/)
      // All connections of the pool are broken, and the pool cannot open a new one.
      await expect(ping()).rejects.toThrow(/timeout|does not answer/)
      path.isSilent = false
      await expect
        .poll(
          async () =>
            await ping().then(
              () => true,
              () => false,
            ),
        )
        .toBe(true)
      await expect.poll(() => heard).toBeGreaterThan(0)
    } finally {
      await close()
      path.close()
    }
  })

  it('stands for its process until another one does, so that no other process takes over meanwhile', async () => {
    const path = new SilentPath(POSTGRES)
    const { changes, processId, close } = await openPostgres(await path.open(POSTGRES), 2)
    const locks = async () =>
      (
        await direct.query(
          `select 1 from pg_locks where locktype = 'advisory' and objid::text = $1 and granted`,
          [processId],
        )
      ).rowCount
    try {
      expect(await locks()).toBe(1)
      path.dropAnswers()
      path.isSilent = true
      await expect.poll(() => changes.isListening, { timeout: 10_000 }).toBe(false)
      for (let look = 0; look < 50; look++) expect(await locks()).toBe(1)
      path.isSilent = false
      await expect.poll(() => changes.isListening, { timeout: 10_000 }).toBe(true)
      await expect.poll(locks).toBe(1)
    } finally {
      await close()
      path.close()
    }
  })

  it('is reported by the log and by /readyz if only the connection for changes cannot return', async () => {
    let name = ''
    const service = await startTestService(
      'postgresql',
      {},
      {
        route: async (url) => {
          name = new URL(url).pathname.slice(1)
          return url
        },
      },
    )
    const { log } = service.context
    const [warned, informed] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'info')]
    const ready = async () => {
      const answer = await service.app.inject('/readyz')
      return [answer.statusCode, answer.json().reason]
    }
    try {
      expect(await ready()).toEqual([200, undefined])
      await direct.query(`alter database ${name} allow_connections false`)
      await direct.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'ondine %'`,
        [name],
      )
      await expect.poll(ready).toEqual([503, 'Changes of the database do not arrive.'])
      await expect
        .poll(() => warned.mock.calls.map(([, words]) => words))
        .toEqual(['changes of the database do not arrive'])
      await direct.query(`alter database ${name} allow_connections true`)
      await expect.poll(ready).toEqual([200, undefined])
      expect(informed).toHaveBeenCalledWith('changes of the database arrive again')
    } finally {
      await service.remove()
    }
  })

  it('delays nobody who opens the database', async () => {
    const path = new SilentPath(POSTGRES)
    const url = await path.open(POSTGRES)
    path.isSilent = true
    await expect(openPostgres(url, 2)).rejects.toThrow(/timeout/)
    path.close()
  })

  it('hides no ban: the next call of the account is refused, and other accounts are served', async () => {
    const path = new SilentPath(POSTGRES)
    let address = ''
    const service = await startTestService(
      'postgresql',
      // With cached answers, calls do not wait for outstanding notices.
      { CATALOGUE_CACHE_SECONDS: 10 },
      {
        route: async (url) => {
          address = url
          return await path.open(url)
        },
      },
    )
    const operator = new Client({ connectionString: address })
    await operator.connect()
    try {
      const make = buildersOf(service.context)
      const [banned, other] = [await make.actor(), await make.actor()]
      const statusOf = async ({ tokens }: typeof banned) =>
        (await service.call(accountDetails, {}, tokens)).status
      expect([await statusOf(banned), await statusOf(other)]).toEqual([200, 200])
      // Makes all connections of the pool half-open.
      path.silence()
      await operator.query(`update accounts set status = 'BANNED' where id = $1`, [banned.account.id])
      await expect.poll(async () => await statusOf(banned)).toBe(401)
      await expect.poll(async () => await statusOf(other)).toBe(200)
    } finally {
      await operator.end()
      await service.remove()
      path.close()
    }
  })
})

/**
 * Time limit in milliseconds for every process to learn that a sign-in has ended, or that an account was banned or
 * deleted (spec 47).
 */
const WITHIN_MS = 5000
const POOL_SIZE = 2
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const

/** The tests control the timers of the process. So no time passes for the service, however slow the machine is. */
describe.each(DATABASES.filter((kind) => kind === 'postgresql'))('a pool of connections to %s', () => {
  let path: SilentPath
  let connection: Connection
  let heard = 0
  let direct: Client

  /** Opens a pool, with its maximum number of connections. */
  async function open(): Promise<Database> {
    vi.useFakeTimers({ toFake: [...TIMERS] })
    path = new SilentPath(POSTGRES)
    connection = await openPostgres(await path.open(POSTGRES), POOL_SIZE)
    heard = 0
    connection.changes.on('account', () => heard++)
    await everywhere(connection.db)
    return connection.db
  }
  /** Runs a query on all connections of the pool at once. */
  const everywhere = async (db: Database) =>
    await Promise.all(Array.from({ length: POOL_SIZE }, async () => await db.execute(sql`select 1`)))

  beforeAll(async () => {
    direct = new Client({ connectionString: POSTGRES })
    await direct.connect()
  })
  afterAll(async () => await direct.end())
  afterEach(async () => {
    vi.useRealTimers()
    // Destroys all connections, whatever their state.
    path.close()
    await connection.close()
  })

  it('A7.1-11 is replaced within 5 s after its connections became half-open, and then announces changes', async () => {
    const db = await open()
    path.silence()
    const inHand = db.execute(sql`select 1`)
    const failure = expect(inHand).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(WITHIN_MS)
    await failure
    await expect.poll(() => heard).toBe(1)
    await everywhere(db)
  })

  it('A7.1-11 is replaced within 5 s if only the connection for changes became half-open', async () => {
    const db = await open()
    // The oldest connection is the one that receives notices of changes.
    path.silence(1)
    await vi.advanceTimersByTimeAsync(WITHIN_MS / 2.5)
    await everywhere(db)
    path.silence()
    const failure = expect(everywhere(db)).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(WITHIN_MS - WITHIN_MS / 2.5)
    await failure
    await expect.poll(() => heard).toBe(1)
    await everywhere(db)
  })

  it('is replaced within 5 s after the network came back, even if connections were started meanwhile', async () => {
    const db = await open()
    path.silence()
    path.isSilent = true
    await vi.advanceTimersByTimeAsync(WITHIN_MS)
    const begun = Promise.allSettled([everywhere(db), connection.ping()])
    path.isSilent = false
    await vi.advanceTimersByTimeAsync(WITHIN_MS)
    await expect.poll(() => heard).toBe(1)
    await begun
    await everywhere(db)
  })

  it('loses no connection to transactions that could not begin or continue', async () => {
    const db = await open()
    path.silence()
    const begins = Array.from({ length: POOL_SIZE }, async () => {
      await db.transaction(async (tx) => await tx.execute(sql`select 1`))
    })
    const failures = Promise.allSettled(begins)
    await vi.advanceTimersByTimeAsync(WITHIN_MS)
    expect((await failures).map(({ status }) => status)).toEqual(begins.map(() => 'rejected'))
    await everywhere(db)
    const broken = db.transaction(async (tx) => {
      const [row] = await rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)
      await direct.query('select pg_terminate_backend($1, 10000)', [row?.pid])
      await tx.execute(sql`select 1`)
    })
    await expect(broken).rejects.toThrow()
    await everywhere(db)
  })

  it('allows a slow statement while the database answers', async () => {
    const db = await open()
    await direct.query('select pg_advisory_lock(47)')
    const long = db.execute(sql`select pg_advisory_lock(47)`)
    for (let round = 0; round < 10; round++) {
      await vi.advanceTimersByTimeAsync(WITHIN_MS / 2.5)
      // Waits for the answer to this round's check.
      await connection.changes.settled()
    }
    await direct.query('select pg_advisory_unlock(47)')
    await expect(long).resolves.toBeDefined()
    expect(heard).toBe(0)
  })
})
