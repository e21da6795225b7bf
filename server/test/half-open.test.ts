import { connect, createServer, type Server, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../src/database/postgres.ts'
import { DATABASES } from './service.ts'

const POSTGRES = process.env.ONDINE_TEST_DATABASE_URL ?? ''

/** A path to PostgreSQL that can go silent: connections stay open, and nothing comes through. */
class SilentPath {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections that are made from now on are silent too. */
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

  /** The address of PostgreSQL by this path. */
  async open(url: string): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    const by = new URL(url)
    by.hostname = '127.0.0.1'
    by.port = String(typeof address === 'object' && address !== null ? address.port : 0)
    return by.href
  }

  /** Makes the connections that there are half-open. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.unpipe()
      // What still comes is read and dropped.
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

  it('does not hide what was changed: it is made anew, and everything counts as changed', async () => {
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
      // The new connection hears what comes next.
      await direct.query(`select pg_notify('ondine_changes', 'account:1')`)
      await expect.poll(() => heard).toBe(3)
    } finally {
      await close()
      path.close()
    }
  })

  it('is given up while nothing comes through at all, and made anew as soon as it does', async () => {
    const path = new SilentPath(POSTGRES)
    const { changes, ping, close } = await openPostgres(await path.open(POSTGRES), 2)
    let heard = 0
    changes.on('account', () => heard++)
    try {
      await ping()
      path.silence()
      path.isSilent = true
      await expect(ping()).rejects.toThrow(/timeout/)
      // The pool has no connection left and gets no new one.
      await expect(ping()).rejects.toThrow(/timeout/)
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

  it('keeps nobody waiting who opens the database', async () => {
    const path = new SilentPath(POSTGRES)
    const url = await path.open(POSTGRES)
    path.isSilent = true
    await expect(openPostgres(url, 2)).rejects.toThrow(/timeout/)
    path.close()
  })
})
