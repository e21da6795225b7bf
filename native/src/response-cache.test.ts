import { keep } from '@ondine/web/api/kept'
import { VISIT_COOKIE } from '@ondine/web/api/page-context'
import { reportFault } from '@ondine/web/features/ground/errors/report-fault'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { InMemoryFiles } from './in-memory-files.ts'
import { type ResponseCache, responseCache } from './response-cache.ts'
import type { Send, ServiceCall } from './service-call.ts'
import { visitSeed } from './visit-seed.ts'

const device = vi.hoisted(() => ({ isOnline: true, files: undefined as unknown }))

vi.mock('@ondine/web/api/native', () => ({ isOnline: () => device.isOnline, isNative: () => true }))
vi.mock('@ondine/web/features/ground/errors/report-fault', () => ({ reportFault: vi.fn() }))
vi.mock('@capacitor/filesystem', async (original) => ({
  ...(await original<object>()),
  get Filesystem() {
    return device.files
  },
}))

const SERVICE = 'https://service.example'
const SESSION = `${SERVICE}/proxy/session`
const NEVER_CACHED = 'Offline & No cache found'
const NOT_CACHED = 'No cached data found and offline'

let files: InMemoryFiles
let cache: ResponseCache
let send: Send
/** Fake service. Tests set its answers. */
const service = vi.fn<Send>()

beforeEach(() => {
  files = new InMemoryFiles()
  device.files = files
  device.isOnline = true
  service.mockReset()
  service.mockImplementation(async () => Response.json({ status: true, result: 1 }))
  start()
})
afterEach(() => {
  vi.mocked(reportFault).mockReset()
})

/** Simulates a start of the app with the stored files. */
function start(): void {
  cache = responseCache()
  send = cache.wrap(service)
}

function call(changes: Partial<ServiceCall> & { named?: Record<string, string> } = {}): ServiceCall {
  const { named = {}, ...rest } = changes
  return {
    url: SESSION,
    method: 'POST',
    headers: new Headers({ 'x-identity-key': 'main', ...named }),
    body: 'languageId=fra',
    signal: new AbortController().signal,
    keepalive: false,
    cache: 'default',
    ...rest,
  }
}

/** Returns a token of the service with these claims. */
function token(claims: Record<string, unknown>): string {
  return ['{"alg":"HS256"}', JSON.stringify(claims), 'signature'].map((part) => btoa(part)).join('.')
}

async function resultOf(asked: ServiceCall): Promise<unknown> {
  return (await (await send(asked)).json()).result
}

/** Returns an answer whose connection drops after its first characters. */
function interrupted(begin: string): Response {
  const reads = [
    (body: ReadableStreamDefaultController) => body.enqueue(new TextEncoder().encode(begin)),
    (body: ReadableStreamDefaultController) => body.error(new TypeError('network error')),
  ]
  const body = new ReadableStream({ pull: (controller) => reads.shift()?.(controller) })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** Makes a call with a connection, and waits until its answer is in the cache. */
async function fetchOnline(asked: ServiceCall, result: unknown): Promise<void> {
  service.mockImplementationOnce(async () => Response.json({ status: true, result }))
  await send(asked)
  device.isOnline = false
  await vi.waitFor(async () => expect(await resultOf(asked)).toEqual(result), { interval: 1 })
  device.isOnline = true
}

/** Makes another call, and waits until its answer is in the cache. By then, earlier answers have been handled. */
async function settle(): Promise<void> {
  await fetchOnline(call({ url: `${SERVICE}/proxy/hierarchy` }), [])
  await vi.waitFor(() => expect(names()).toContain(LAST), { interval: 1 })
}

/** The file of the answer on which `settle` waits. */
const LAST = 'LIBRARY_NO_CLOUD/answers/_proxy_hierarchy.json'

function names(): string[] {
  return [...files.files.keys()]
}

test('V4-06 with a connection, every call goes to the service', async () => {
  await fetchOnline(call(), 'first')
  service.mockImplementationOnce(async () => Response.json({ status: true, result: 'second' }))
  expect(await resultOf(call())).toBe('second')
})

test('V4-06 without a connection, a call is answered from the cache, also after a new start', async () => {
  await fetchOnline(call(), 'Gaspard')
  start()
  device.isOnline = false
  expect(await resultOf(call())).toBe('Gaspard')
  expect(service).toHaveBeenCalledTimes(1)
})

test('V4-06 a connection that answers nothing is like none', async () => {
  await fetchOnline(call(), 'Gaspard')
  service.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await resultOf(call())).toBe('Gaspard')
})

/** Returns the answer to a call after `milliseconds`, during which the service answers nothing; undefined if none. */
async function resultAfter(milliseconds: number, asked: ServiceCall): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const result = resultOf(asked)
    const still = vi.fn<() => void>()
    result.then(still, still)
    await vi.advanceTimersByTimeAsync(milliseconds - 1)
    expect(still).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    return await result
  } finally {
    vi.useRealTimers()
  }
}

test('V4-06 a connection that never answers is like none after 8 s, and after 1 s for the next calls', async () => {
  await fetchOnline(call(), 'Gaspard')
  await fetchOnline(call({ url: `${SERVICE}/proxy/hierarchy` }), 'tree')
  service.mockImplementation(async () => await new Promise<Response>(() => {}))
  expect(await resultAfter(8000, call())).toBe('Gaspard')
  expect(await resultAfter(1000, call({ url: `${SERVICE}/proxy/hierarchy` }))).toBe('tree')
  service.mockImplementation(async () => Response.json({ status: true, result: 'new' }))
  expect(await resultOf(call())).toBe('new')
  service.mockImplementation(async () => await new Promise<Response>(() => {}))
  expect(await resultAfter(8000, call())).toBe('new')
})

describe('the seed of a visit', () => {
  const home = (seed: string) => call({ url: `${SERVICE}/proxy/homeContent`, body: `shuffle=${seed}` })
  const configuration = call({
    url: `${SERVICE}/configuration/demo/data/revisions.json`,
    method: 'GET',
    body: undefined,
  })

  beforeEach(async () => {
    const values = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => values.set(name, value),
    })
    // The last visit had the seed 3, and a new seed is 7.
    keep(VISIT_COOKIE, '3')
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      if (array instanceof Uint8Array) array.fill(7)
      return array
    })
    await fetchOnline(configuration, 'configuration')
    await fetchOnline(home('3'), 'home')
    start()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test('V3-54 V4-06 on a connection that never answers, home is found with the seed of the last visit', async () => {
    service.mockImplementation(async () => await new Promise<Response>(() => {}))
    await resultAfter(8000, configuration)
    expect(await resultAfter(1000, home(visitSeed(cache)))).toBe('home')
  })

  test('V3-54 V4-06 without a connection, home is found with the seed of the last visit', async () => {
    device.isOnline = false
    await resultOf(configuration)
    expect(await resultOf(home(visitSeed(cache)))).toBe('home')
  })

  test('V3-54 if the service answers, a visit gets a new seed', async () => {
    await resultOf(configuration)
    expect(visitSeed(cache)).toBe('7')
  })
})

test('V4-06 a silence says nothing more about the connection half a minute later', async () => {
  await fetchOnline(call(), 'Gaspard')
  service.mockImplementation(async () => await new Promise<Response>(() => {}))
  const begin = Date.now()
  const clock = vi.spyOn(Date, 'now')
  try {
    clock.mockReturnValue(begin)
    expect(await resultAfter(8000, call())).toBe('Gaspard')
    clock.mockReturnValue(begin + 29_999)
    expect(await resultAfter(1000, call())).toBe('Gaspard')
    clock.mockReturnValue(begin + 59_999)
    expect(await resultAfter(8000, call())).toBe('Gaspard')
  } finally {
    clock.mockRestore()
  }
})

test('V4-06 a silence says nothing about the connection after one that was lost', async () => {
  await fetchOnline(call(), 'Gaspard')
  service.mockImplementation(async () => await new Promise<Response>(() => {}))
  expect(await resultAfter(8000, call())).toBe('Gaspard')
  device.isOnline = false
  expect(await resultOf(call())).toBe('Gaspard')
  device.isOnline = true
  expect(await resultAfter(8000, call())).toBe('Gaspard')
})

test('V4-07 an answer that arrives after the cached one was used is cached for the next call', async () => {
  await fetchOnline(call(), 'Gaspard')
  const late = Promise.withResolvers<Response>()
  service.mockReturnValueOnce(late.promise)
  expect(await resultAfter(8000, call())).toBe('Gaspard')
  late.resolve(Response.json({ status: true, result: 'Camille' }))
  device.isOnline = false
  await vi.waitFor(async () => expect(await resultOf(call())).toBe('Camille'), { interval: 1 })
})

test('V4-06 a slow call that is not in the cache gets its own answer', async () => {
  const late = Promise.withResolvers<Response>()
  service.mockReturnValueOnce(late.promise)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const result = resultOf(call())
  await vi.advanceTimersByTimeAsync(20_000)
  vi.useRealTimers()
  late.resolve(Response.json({ status: true, result: 'late' }))
  expect(await result).toBe('late')
})

test('V4-06 a call that the caller gave up is not answered', async () => {
  await fetchOnline(call(), 'Gaspard')
  const given = new AbortController()
  given.abort()
  service.mockRejectedValueOnce(given.signal.reason)
  await expect(send(call({ signal: given.signal }))).rejects.toBe(given.signal.reason)
})

test('V4-06 without a connection and without any cache, a call fails', async () => {
  device.isOnline = false
  await expect(send(call())).rejects.toThrow(NEVER_CACHED)
  // The pages' code treats a `TypeError` as a lost connection.
  await expect(send(call({ url: `${SERVICE}/time`, method: 'GET' }))).rejects.toBeInstanceOf(TypeError)
  expect(service).not.toHaveBeenCalled()
})

test('V4-06 the failure says that other answers are cached', async () => {
  await fetchOnline(call(), 'Gaspard')
  device.isOnline = false
  await expect(send(call({ url: `${SERVICE}/proxy/hierarchy` }))).rejects.toThrow(NOT_CACHED)
})

test('V4-06 the answers are neither in a backup nor where the system empties folders', async () => {
  await fetchOnline(call(), 'Gaspard')
  for (const name of names()) expect(name).toMatch(/^LIBRARY_NO_CLOUD\//)
})

test('V4-07 there is a file for each path', async () => {
  await fetchOnline(call(), 1)
  await fetchOnline(call({ body: 'languageId=eng' }), 2)
  await fetchOnline(call({ url: `${SERVICE}/cms/search?q=houle`, method: 'GET', body: undefined }), 3)
  expect(names()).toEqual([
    'LIBRARY_NO_CLOUD/answers/_proxy_session.json',
    'LIBRARY_NO_CLOUD/answers/_cms_search.json',
  ])
})

const DIFFERENT: [what: string, other: ServiceCall][] = [
  ['address', call({ url: `${SESSION}?a=1` })],
  ['body', call({ body: 'languageId=eng' })],
  ['header', call({ named: { 'x-identity-key': 'other' } })],
  ['profile', call({ named: { 'x-profile-token': token({ sub: '8', exp: 1 }) } })],
]
test.each(DIFFERENT)('V4-07 a call with another %s has another answer', async (_what, other) => {
  const mine = call({ named: { 'x-profile-token': token({ sub: '7', exp: 1 }) } })
  await fetchOnline(mine, 'mine')
  device.isOnline = false
  await expect(send(other)).rejects.toThrow(NOT_CACHED)
  device.isOnline = true
  await fetchOnline(other, 'other')
  device.isOnline = false
  expect(await resultOf(mine)).toBe('mine')
  expect(await resultOf(other)).toBe('other')
})

test('V4-07 a call with another method has another answer', async () => {
  const read = call({ url: `${SERVICE}/npvr/0`, method: 'GET', body: undefined })
  await fetchOnline(read, [])
  device.isOnline = false
  await expect(send({ ...read, method: 'POST' })).rejects.toThrow(NOT_CACHED)
})

test('V4-07 a renewed token and another trace find the same answer', async () => {
  const named = { 'x-auth-token': token({ sub: '5', in: 'a', exp: 1 }), traceparent: '00-1' }
  await fetchOnline(call({ named }), 'Gaspard')
  device.isOnline = false
  const renewed = { 'x-auth-token': token({ sub: '5', in: 'a', exp: 2 }), traceparent: '00-2' }
  expect(await resultOf(call({ named: renewed }))).toBe('Gaspard')
})

test.each(['x-device-token', 'x-sign-on-token'])(
  'V4-06 a start without a connection finds the answers of the sign-in, which came before its %s',
  async (header) => {
    const named = { 'x-auth-token': token({ sub: '5', in: 'a', exp: 1 }) }
    await fetchOnline(call({ named }), 'Gaspard')
    start()
    device.isOnline = false
    const later = { ...named, [header]: token({ dev: 'd', exp: 9 }) }
    expect(await resultOf(call({ named: later }))).toBe('Gaspard')
  },
)

test('V4-07 tokens that are no JSON Web Tokens are compared as they are', async () => {
  await fetchOnline(call({ named: { 'x-auth-token': 'one' } }), 'Gaspard')
  device.isOnline = false
  expect(await resultOf(call({ named: { 'x-auth-token': 'one' } }))).toBe('Gaspard')
  await expect(send(call({ named: { 'x-auth-token': 'other' } }))).rejects.toThrow(NOT_CACHED)
})

test('V4-07 no token of a call or an answer is in a file', async () => {
  const profile = token({ sub: '7' })
  service.mockImplementationOnce(async () =>
    Response.json({ status: true, result: 1 }, { headers: { 'x-auth-token': 'renewed', etag: '"1"' } }),
  )
  await send(call({ named: { 'x-profile-token': profile } }))
  await settle()
  const [stored] = [...files.files.values()]
  expect(stored?.data).toContain('etag')
  expect(stored?.data).not.toMatch(/renewed|x-auth-token|x-profile-token|languageId/)
  expect(stored?.data).not.toContain(profile)
})

test.each([
  ['a failure', 503, SESSION],
  ['a refusal', 401, SESSION],
  ['an answer with tokens', 200, `${SERVICE}/proxy/downloadHelperTokens`],
])('V4-07 %s is not cached', async (_what, status, url) => {
  service.mockImplementationOnce(async () => Response.json({ status: false }, { status }))
  await send(call({ url }))
  await settle()
  expect(names()).toEqual([LAST])
})

test('V4-07 a failure does not replace the cached answer', async () => {
  await fetchOnline(call(), 'Gaspard')
  service.mockImplementationOnce(async () => Response.json({ status: false }, { status: 503 }))
  expect((await send(call())).status).toBe(503)
  await settle()
  device.isOnline = false
  expect(await resultOf(call())).toBe('Gaspard')
})

test.each([
  ['no JSON', '[{"key":'],
  ['no list', '{"key":"a"}'],
  ['other entries', '[null, 1, {"key": 1}, {"key":"a","headers":[1],"body":"b"}]'],
  ['nothing', ''],
])('V4-07 a broken file with %s counts as empty, and is replaced', async (_what, data) => {
  await fetchOnline(call(), 'Gaspard')
  for (const [name, file] of files.files) files.files.set(name, { ...file, data })
  device.isOnline = false
  await expect(send(call())).rejects.toThrow(NOT_CACHED)
  device.isOnline = true
  await fetchOnline(call(), 'Gaspard')
  device.isOnline = false
  expect(await resultOf(call())).toBe('Gaspard')
})

test('V4-07 on a full device, calls are answered, and the fault is reported once', async () => {
  files.isFull = true
  expect(await resultOf(call())).toBe(1)
  await vi.waitFor(() => expect(reportFault).toHaveBeenCalledTimes(1))
  files.isFull = false
  // After the fault, the cache writes no answers until the next start.
  await send(call({ body: 'languageId=eng' }))
  start()
  await settle()
  expect(names()).toEqual([LAST])
  expect(reportFault).toHaveBeenCalledTimes(1)
})

test('V4-07 an answer that is interrupted is not cached, and the answers after it are', async () => {
  service.mockImplementationOnce(async () => interrupted('{"status":true,"result":"Gas'))
  const answer = await send(call())
  await expect(answer.text()).rejects.toThrow('network error')
  await fetchOnline(call({ body: 'languageId=eng' }), 'Gaspard')
  expect(reportFault).not.toHaveBeenCalled()
  device.isOnline = false
  await expect(send(call())).rejects.toThrow(NOT_CACHED)
})

test('V4-07 a file that cannot be read is no reason to cache nothing', async () => {
  await fetchOnline(call(), 'Gaspard')
  vi.spyOn(files, 'readFile').mockRejectedValueOnce(new Error('Input/output error'))
  await send(call({ body: 'languageId=eng' }))
  await vi.waitFor(() => expect(reportFault).toHaveBeenCalledTimes(1))
  await settle()
})

test('V4-07 a sign-out leaves nothing in the cache', async () => {
  await fetchOnline(call({ named: { 'x-profile-token': token({ sub: '7' }) } }), 'Gaspard')
  await cache.forget()
  expect(files.files.size).toBe(0)
  device.isOnline = false
  await expect(send(call())).rejects.toThrow(NEVER_CACHED)
})

test('V4-07 an answer that arrives after the sign-out is not cached', async () => {
  const late = Promise.withResolvers<Response>()
  service.mockReturnValueOnce(late.promise)
  const asked = send(call())
  await cache.forget()
  late.resolve(Response.json({ status: true, result: 'Gaspard' }))
  await asked
  await settle()
  expect(names()).toEqual([LAST])
})

test('V4-07 beyond its size, the cache deletes the files that were written first', async () => {
  const large = 'a'.repeat(1_900_000)
  const event = (id: number) =>
    call({ url: `${SERVICE}/proxy/epg/event/1/${id}`, method: 'GET', body: undefined })
  for (let id = 0; id < 11; id++) await fetchOnline(event(id), large)
  const ids = () => names().map((name) => Number(/(\d+)\.json$/.exec(name)?.[1]))
  await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
})

test('V4-07 beyond its size, a file loses the answers that were written first', async () => {
  const large = 'a'.repeat(900_000)
  const search = (q: string) => call({ url: `${SERVICE}/cms/search?q=${q}`, method: 'GET', body: undefined })
  for (const q of ['a', 'b', 'c']) await fetchOnline(search(q), large)
  device.isOnline = false
  await expect(send(search('a'))).rejects.toThrow(NOT_CACHED)
  expect(await resultOf(search('b'))).toBe(large)
})

test('V4-07 an answer larger than a file is not cached', async () => {
  service.mockImplementationOnce(async () => Response.json('a'.repeat(2_000_001)))
  await send(call())
  await settle()
  expect(names()).toEqual([LAST])
})
