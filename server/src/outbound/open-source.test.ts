import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSource, SourceError } from './open-source.ts'

describe('openSource', () => {
  let server: Server
  let base: string

  beforeAll(async () => {
    const packed = gzipSync('<tv>'.repeat(1000))
    server = createServer((request, response) => {
      if (request.url === '/begun.xml') response.write('<tv>')
      else if (request.url === '/broken.xml')
        response.writeHead(200, { 'content-length': 100 }).write('<tv>', () => response.destroy())
      else if (request.url === '/begun.xml.gz') response.write(packed.subarray(0, packed.length / 2))
      // Leaves all other requests unanswered, to simulate a silent server.
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function readAll(path: string, maxSilentMilliseconds?: number): Promise<void> {
    const bounds = { maxBytes: 1e6, maxUnpackedBytes: 1e6, maxMilliseconds: 900_000, allow: ['127.0.0.1'] }
    const signal = new AbortController().signal
    const asked = maxSilentMilliseconds === undefined ? bounds : { ...bounds, maxSilentMilliseconds }
    const { bytes } = await openSource(base + path, asked, signal)
    for await (const chunk of bytes) void chunk
  }

  it('reports a broken transfer as such, not as an unreachable address', async () => {
    await expect(readAll('/broken.xml')).rejects.toThrow(
      new SourceError('The address broke off before all of it had come.'),
    )
  })

  it.each(['/unanswered.xml', '/begun.xml', '/begun.xml.gz'])(
    'gives up %s, which is silent for too long, before the time limit',
    async (path) => {
      await expect(readAll(path, 100)).rejects.toThrow(
        new SourceError('The address was silent for too long.'),
      )
    },
  )
})
