import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ERRORS } from '@ondine/contract/errors'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerUnread } from './unread-requests.ts'

let app: FastifyInstance

beforeAll(async () => {
  app = Fastify({ clientErrorHandler: answerUnread })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => await app.close())

it.each([
  [
    'ten thousand emoji',
    `GET /cms/search?term=${encodeURIComponent('🌊'.repeat(10_000))} HTTP/1.1\r\nhost: x\r\n\r\n`,
    431,
    'address',
  ],
  ['a request that is not HTTP', 'hello\r\n\r\n', 400, 'request'],
])('%s gets an answer in the form of every other fault', async (_what, sent, status, field) => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const answered = text(socket)
  socket.write(sent)
  const [head = '', body = ''] = (await answered).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(body)).toMatchObject({
    status: false,
    error: { code: ERRORS.invalidInput.code, details: { fields: [{ field }] } },
  })
})
