import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer, listenLocally } from '../../test/local-server.ts'
import { fetchUnpacked } from './fetch-unpacked.ts'

/** Longer than any test runs, in milliseconds. */
const FOR_EVER = 600_000

test('a body with an unknown encoding is refused, and its connection is closed', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'unknown' })
    // The body never ends.
    response.write('begin')
    asked.resolve(response)
  })
  const origin = await listenLocally(server)
  onTestFinished(async () => await closeServer(server))
  const fetched = fetchUnpacked(origin, {
    maxBytes: 1000,
    maxMilliseconds: FOR_EVER,
    maxSilentMilliseconds: FOR_EVER,
    allow: ['127.0.0.1'],
  })
  const closed = asked.promise.then(async (response) => await once(response, 'close'))
  await expect(fetched).rejects.toMatchObject({ name: 'OutboundError', fault: 'unreachable' })
  await closed
})
