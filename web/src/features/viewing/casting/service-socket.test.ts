import type { CastMessage } from '@ondine/contract/casting'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Ending, followService } from './service-socket.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

/** A fake WebSocket whose network events the test triggers. */
class TestSocket extends EventTarget {
  static opened: TestSocket[] = []
  isClosed = false
  readonly url: string
  constructor(url: URL) {
    super()
    this.url = String(url)
    TestSocket.opened.push(this)
  }
  /** Does not dispatch `close`, because a browser does so only after an answer from the network. */
  close(): void {
    this.isClosed = true
  }
  says(message: CastMessage): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  ends(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
const heard = vi.fn<(message: CastMessage) => void>()
const page = new EventTarget()
let leave: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  TestSocket.opened = []
  fetched.mockImplementation(async () =>
    Response.json({ status: true, result: { address: '/proxy/screens?ticket=t' } }),
  )
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('WebSocket', TestSocket)
  vi.stubGlobal('window', page)
  vi.stubGlobal('location', { href: 'https://tv.example/receiver' })
  vi.stubGlobal('document', { cookie: '' })
})
afterEach(() => {
  leave?.()
  leave = undefined
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  fetched.mockReset()
  heard.mockReset()
})

async function wait(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
}

const asked = () => fetched.mock.calls.map(([path]) => path)

test('V4-51 a phone connects by the address of the service, and hears what changes', async () => {
  leave = followService({ heard })
  await wait(0)
  expect(TestSocket.opened.map(({ url }) => url)).toEqual(['wss://tv.example/proxy/screens?ticket=t'])
  TestSocket.opened[0]?.says({ type: 'screens', screens: [] })
  TestSocket.opened[0]?.says({ type: 'alive' })
  expect(heard.mock.calls).toEqual([[{ type: 'screens', screens: [] }]])
})

test('V4-51 a connection without messages for 38 s is opened again, even if it seems open', async () => {
  leave = followService({ heard })
  await wait(0)
  await wait(30)
  TestSocket.opened[0]?.says({ type: 'alive' })
  await wait(37)
  expect(TestSocket.opened).toHaveLength(1)
  await wait(2)
  expect(TestSocket.opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  // The browser reports the lost connection only now. This must not affect the new connection.
  TestSocket.opened[0]?.ends(1006)
  await wait(5)
  expect(TestSocket.opened).toHaveLength(2)
})

test('V4-51 a lost connection is opened again after pauses that grow, and at once when the browser is online', async () => {
  leave = followService({ heard })
  await wait(0)
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  TestSocket.opened[0]?.ends(1006)
  await wait(8)
  const tried = fetched.mock.calls.length
  expect(tried).toBeGreaterThan(3)
  expect(tried).toBeLessThan(7)
  page.dispatchEvent(new Event('online'))
  await wait(0)
  expect(fetched.mock.calls).toHaveLength(tried + 1)
})

test('V4-51 devices return at different times after the service was away', async () => {
  leave = followService({ heard })
  await wait(0)
  vi.mocked(Math.random).mockReturnValue(0.9)
  TestSocket.opened[0]?.ends(1006)
  await wait(0.9)
  expect(TestSocket.opened).toHaveLength(1)
  await wait(0.1)
  expect(TestSocket.opened).toHaveLength(2)
})

test('V4-51 a refused or superseded device does not try again, and reports its end once', async () => {
  const ended = vi.fn<(reason: Ending) => void>()
  leave = followService({ heard, ended })
  await wait(0)
  TestSocket.opened[0]?.ends(4000)
  await wait(100)
  expect(TestSocket.opened).toHaveLength(1)
  expect(ended.mock.calls).toEqual([['superseded']])
  fetched.mockImplementation(async () =>
    Response.json({ status: false, error: { code: -403, message: '', details: null } }, { status: 403 }),
  )
  const end = followService({ heard, ended })
  await wait(100)
  end()
  expect(asked()).toHaveLength(2)
  expect(ended.mock.calls).toEqual([['superseded'], ['refused']])
})

test('V4-51 a removed device reports that it is not a screen any more', async () => {
  const ended = vi.fn<(reason: Ending) => void>()
  leave = followService({ heard, ended })
  await wait(0)
  TestSocket.opened[0]?.ends(4001)
  await wait(100)
  expect(ended.mock.calls).toEqual([['revoked']])
  expect(TestSocket.opened).toHaveLength(1)
})

test('V4-51 a device that finds the service too busy tries again', async () => {
  fetched.mockImplementationOnce(async () =>
    Response.json({ status: false, error: { code: -5, message: '', details: null } }, { status: 503 }),
  )
  leave = followService({ heard })
  await wait(0)
  expect(TestSocket.opened).toEqual([])
  await wait(1)
  expect(TestSocket.opened).toHaveLength(1)
})

test('V4-51 a screen is registered as a device first, and again after a failure of the network', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  leave = followService({ screenOf: 7, after: () => 3, heard })
  await wait(1)
  expect(asked()).toEqual(['/proxy/casAddDevice', '/proxy/casAddDevice', '/proxy/connectScreens'])
  const body = fetched.mock.calls[2]?.[1].body
  expect(body instanceof URLSearchParams && Object.fromEntries(body)).toMatchObject({
    as: 'screen',
    after: '3',
  })
})
