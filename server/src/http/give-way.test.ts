import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import websocket from '@fastify/websocket'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { untilAnswered } from '../database/callers.ts'
import { giveWayToCalls } from './give-way.ts'

/** Longer than any test runs, in milliseconds. */
const FOR_EVER = 600_000

/** Starts a server that delays its answers until the test releases them. */
async function listen() {
  const app = Fastify()
  giveWayToCalls(app)
  await app.register(websocket)
  app.get('/screens', { websocket: true }, () => {})
  const asked = new EventTarget()
  const letGo = Promise.withResolvers<void>()
  for (const path of ['/page', '/operator/page'])
    app.get(path, async () => {
      asked.dispatchEvent(new Event('call'))
      await letGo.promise
      return 'a page'
    })
  app.post('/page', async () => {
    asked.dispatchEvent(new Event('call'))
    await letGo.promise
    return 'a page'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    letGo.resolve()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return { port, asked, letGo: letGo.resolve }
}

/** Returns whether the promise is still pending after many turns of the event loop. */
async function isPending(waited: Promise<void>): Promise<boolean> {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    return true
  }
  return await Promise.race([waited.then(() => false), turns()])
}

test('long work waits until a call is answered, up to its time limit', async () => {
  const { port, asked, letGo } = await listen()
  await untilAnswered(FOR_EVER)
  const called = once(asked, 'call')
  const answer = fetch(`http://127.0.0.1:${port}/page`)
  await called
  await untilAnswered(1)
  const waited = untilAnswered(FOR_EVER)
  expect(await isPending(waited)).toBe(true)
  letGo()
  expect(await (await answer).text()).toBe('a page')
  await waited
})

test('long work does not wait for a caller that has disconnected', async () => {
  const { port, asked } = await listen()
  const socket = connect(port, '127.0.0.1')
  const called = once(asked, 'call')
  socket.write('GET /page HTTP/1.1\r\nhost: x\r\n\r\n')
  await called
  const waited = untilAnswered(FOR_EVER)
  expect(await isPending(waited)).toBe(true)
  socket.destroy()
  await waited
})

test('long work does not wait for operator calls, which may be that work', async () => {
  const { port, asked, letGo } = await listen()
  const called = once(asked, 'call')
  const answer = fetch(`http://127.0.0.1:${port}/operator/page`)
  await called
  await untilAnswered(FOR_EVER)
  letGo()
  await answer
})

test('long work does not wait for a WebSocket', async () => {
  const { port } = await listen()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/screens`)
  onTestFinished(() => socket.close())
  await once(socket, 'open')
  expect(await isPending(untilAnswered(FOR_EVER))).toBe(false)
})

test('long work waits for a call with a body only once the body has arrived', async () => {
  const { port, asked, letGo } = await listen()
  const called = once(asked, 'call')
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = ['POST /page HTTP/1.1', 'host: x', 'content-type: text/plain', 'content-length: 4']
  socket.write(`${[...head, 'expect: 100-continue'].join('\r\n')}\r\n\r\n`)
  // The server has read the headers.
  expect(String(await once(socket, 'data'))).toContain('100 Continue')
  socket.write('bo')
  expect(await isPending(untilAnswered(FOR_EVER))).toBe(false)
  socket.write('dy')
  await called
  const waited = untilAnswered(FOR_EVER)
  expect(await isPending(waited)).toBe(true)
  letGo()
  await waited
})
