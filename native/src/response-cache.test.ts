import { reportFault } from '@ondine/web/features/ground/errors/report-fault'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { InMemoryFiles } from './in-memory-files.ts'
import { type ResponseCache, responseCache } from './response-cache.ts'
import type { Send, ServiceCall } from './service-call.ts'

const device = vi.hoisted(() => ({ isOnline: true, files: undefined as unknown }))

vi.mock('@ondine/web/api/native', () => ({ isOnline: () => device.isOnline }))
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
