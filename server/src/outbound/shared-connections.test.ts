import type { LookupAllOptions } from 'node:dns'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchOutside, OutboundError } from './fetch-outside.ts'

const names = vi.hoisted(() => ({ address: '127.0.0.1', lookups: 0 }))

/** A fake name server, whose answer a test may change. Each new connection resolves the name again. */
vi.mock('node:dns', () => ({
  lookup: (_host: string, _options: LookupAllOptions, callback: (...found: unknown[]) => void) => {
    names.lookups++
    callback(null, [{ address: names.address, family: 4 }])
  },
}))

const BOUNDS = { maxBytes: 1_000_000, maxMilliseconds: 5000 }
const ALLOW = ['127.0.0.1']

describe('connections to other hosts', () => {
  let server: Server
  let base: string
  let connections = 0

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/once') response.setHeader('connection', 'close')
      if (request.url === '/missing') response.writeHead(404)
      if (request.url === '/long') response.end('x'.repeat(800_000))
      else response.end('segment')
    })
    server.on('connection', () => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://tv.test:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    names.address = '127.0.0.1'
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function read(path: string, allow: readonly string[] = ALLOW): Promise<number> {
    const { body } = await fetchOutside(base + path, { ...BOUNDS, allow })
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return bytes
  }

  async function faultOf(work: Promise<unknown>): Promise<string> {
    return await work.then(
      () => 'none',
      (error: unknown) => (error instanceof OutboundError ? error.fault : String(error)),
    )
  }

  it('are kept from segment to segment, also after an error status', async () => {
    expect(await read('/segment')).toBe(7)
    const [before, asked] = [connections, names.lookups]
    for (let segment = 0; segment < 30; segment++) expect(await read('/segment')).toBe(7)
    expect(await faultOf(read('/missing'))).toBe('status')
    expect(await read('/segment')).toBe(7)
    // A request may arrive before the last connection is back in the pool, and then opens a new connection.
    expect(connections - before).toBeLessThan(3)
    expect(names.lookups - asked).toBe(connections - before)
  })

  it('are replaced after the server has closed them', async () => {
    for (let turn = 0; turn < 5; turn++) {
      expect(await read('/segment')).toBe(7)
      server.closeAllConnections()
    }
  })

  it('each resolve and check the name again', async () => {
    expect(await read('/once')).toBe(7)
    names.address = '10.0.0.1'
    expect(await faultOf(read('/once'))).toBe('private-address')
  })

  it('serve only fetches with the allow list that they were opened with', async () => {
    expect(await read('/segment')).toBe(7)
    expect(await faultOf(read('/segment', []))).toBe('private-address')
  })

  it('are closed when a reader stops early, and limit the bytes of each answer', async () => {
    const { body } = await fetchOutside(`${base}/long`, { ...BOUNDS, allow: ALLOW })
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect(await read('/long')).toBe(800_000)
    const bounded = async () => {
      const short = await fetchOutside(`${base}/long`, { ...BOUNDS, maxBytes: 1000, allow: ALLOW })
      for await (const chunk of short.body) void chunk
    }
    expect(await faultOf(bounded())).toBe('too-large')
    expect(await read('/segment')).toBe(7)
  })
})
