import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { copyEmbedded } from './databases.ts'
import { startTestService } from './service.ts'

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

/** Sends headers and waits for the answer to them. The client then neither sends anything else nor disconnects. */
async function openSilent(port: number, head: readonly string[], answer: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // The service may reset the connection.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(`${[...head, 'host: x'].join('\r\n')}\r\n\r\n`)
  expect(String(await once(socket, 'data'))).toContain(answer)
  return socket
}

/** Opens a WebSocket. The service closes it at once, because the route has none, but the client does not answer. */
const openWebSocket = async (port: number) =>
  await openSilent(
    port,
    [
      'GET /healthz HTTP/1.1',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ],
    '101 Switching Protocols',
  )

/** Begins a call whose body never arrives. */
const beginCall = async (port: number) =>
  await openSilent(
    port,
    [
      'POST /proxy/session HTTP/1.1',
      'content-type: application/x-www-form-urlencoded',
      'content-length: 10',
      'expect: 100-continue',
    ],
    '100 Continue',
  )

it('the service ends in time and closes its database although clients keep their connections open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-connections-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  await copyEmbedded(folder)
  const service = spawn(ONDINE, ['serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_FORMAT: 'json',
      OVERLOAD_DELAY_MS: '0',
    },
  })
  const log = text(service.stderr)
  const exit = once(service, 'exit')
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await exit
  })
  const line = await Promise.race([
    once(createInterface(service.stdout), 'line').then(String),
    exit.then(async () => {
      throw new Error(`The service did not start: ${await log}`)
    }),
  ])
  const port = Number(/\d+$/.exec(line)?.[0])
  await openWebSocket(port)
  await beginCall(port)
  service.kill('SIGTERM')
  const [code] = (await exit) as [number]
  expect(await log).not.toContain('the service did not stop')
  expect(code).toBe(0)
  // The embedded database removes this file when it is closed.
  await expect(access(join(folder, 'database', 'postmaster.pid'))).rejects.toThrow('ENOENT')
})

it('the jobs of a service that ends are stopped while calls are still open', async () => {
  const service = await startTestService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = await beginCall((service.app.server.address() as AddressInfo).port)
  const stop = vi.spyOn(service.context.jobs, 'stop')
  const removed = service.remove()
  try {
    await vi.waitFor(() => expect(stop).toHaveBeenCalled())
    expect(socket.closed).toBe(false)
  } finally {
    socket.destroy()
    await removed
  }
})

it('a call that is being answered gets its answer after silent clients are disconnected', async () => {
  const service = await startTestService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const room = Promise.withResolvers<number>()
  vi.spyOn(service.context, 'freeBytes').mockReturnValue(room.promise)
  const silent = await Promise.all([openWebSocket(port), beginCall(port)])
  const answer = fetch(`http://127.0.0.1:${port}/readyz`)
  await vi.waitFor(() => expect(service.context.freeBytes).toHaveBeenCalled())
  const disconnected = Promise.all(silent.map(async (socket) => await once(socket, 'close')))
  const removed = service.remove()
  await disconnected
  room.resolve(1e9)
  try {
    expect((await answer).status).toBe(200)
  } finally {
    await removed
  }
})

it('a client has 30 to 35 seconds to send a request, headers included', async () => {
  const service = await startTestService()
  const { server } = service.app
  await service.remove()
  expect(server).toMatchObject({
    requestTimeout: 30_000,
    headersTimeout: 30_000,
    connectionsCheckingInterval: 5000,
  })
})
