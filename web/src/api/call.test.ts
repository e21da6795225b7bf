import { loginDevice } from '@ondine/contract/account-calls'
import { logout, oauthToken, session } from '@ondine/contract/accounts'
import { hierarchy, listContent } from '@ondine/contract/catalogue'
import { msg } from '@ondine/contract/messages'
import { operation } from '@ondine/contract/operation'
import { readReceipt } from '@ondine/contract/receipts'
import { assetScore } from '@ondine/contract/scores'
import { related } from '@ondine/contract/search'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { signIn } from '../features/people/sign-in/sign-in.ts'
import { callsEnded, signOut } from '../features/people/sign-in/sign-out.ts'
import { ApiError } from './api-error.ts'
import { answer, call } from './call.ts'
import { onRefusal } from './refusals.ts'
import { holdCalls, holdCallsFor, releaseCalls } from './session-end.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('./environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

/** An operation with every kind of secret field. */
const voucher = operation({
  method: 'POST',
  path: '/proxy/voucher',
  as: 'visitor',
  summary: '',
  input: z.object({ idOption: z.int(), password: z.string(), email: z.string() }),
  output: z.object({ amount: z.number() }),
})
const INPUT = { idOption: 4, password: 'Ondine-2026!', email: 'a@example.org' }

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

function answers(body: unknown, status = 200): void {
  fetched.mockImplementation(async () => Response.json(body, { status }))
}

function refuses(code: number, status = 400, details: object | null = null): void {
  answers({ status: false, error: { code, message: 'Refused', details } }, status)
}

async function failureOf(run: Promise<unknown>): Promise<ApiError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('The call did not fail with an ApiError')
  return error
}

describe('a file', () => {
  test('is returned as its bytes', async () => {
    fetched.mockImplementation(async () => new Response('%PDF-1.7', { status: 200 }))
    const bytes = await call(readReceipt, { idReceipt: 7 })
    expect(new TextDecoder().decode(bytes)).toBe('%PDF-1.7')
    expect(fetched.mock.calls[0]?.[0]).toMatch(/^\/proxy\/receipts\/7\?/)
  })

  test('raises the error of its envelope when it is refused', async () => {
    refuses(-404, 404)
    expect(await failureOf(call(readReceipt, { idReceipt: 7 }))).toMatchObject({ code: -404, status: 404 })
  })

  test('fails as without an answer when it breaks off', async () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError('broken off')) })
    fetched.mockImplementation(async () => new Response(broken, { status: 200 }))
    expect((await failureOf(call(readReceipt, { idReceipt: 7 }))).code).toBe(503)
  })
})

describe('a refused call', () => {
  test('A8.3-01 raises an API error with code, message and details', async () => {
    refuses(-8, 404, { fields: [{ field: 'id', message: 'is unknown' }] })
    const error = await failureOf(call(listContent, { id: 4 }))
    expect(error).toMatchObject({
      code: -8,
      status: 404,
      message: 'Refused',
      details: { fields: [{ field: 'id', message: 'is unknown' }] },
    })
  })

  test('V3-57 keeps endpoint, method, trace, and the payload without secrets', async () => {
    refuses(-911 - 1)
    const error = await failureOf(call(voucher, INPUT))
    const sent = fetched.mock.calls[0]?.[1].headers as Record<string, string>
    expect(error).toMatchObject({
      endpoint: '/proxy/voucher',
      methodRequest: 'POST',
      payload: { idOption: '4', password: '[left out]', email: '[left out]', languageId: 'fra' },
      traceparent: sent['traceparent'],
    })
    expect(error.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(JSON.stringify(error)).not.toContain('Ondine-2026!')
  })

  test("V3-57 prefers the trace of the service's answer over the one that was sent", async () => {
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
    refuses(-8, 404, { traceparent })
    expect((await failureOf(call(listContent, { id: 4 }))).traceparent).toBe(traceparent)
  })

  test('A8.3-02 is reported to the listeners of its code, until they stop', async () => {
    refuses(-411, 403)
    const react = vi.fn()
    const stop = onRefusal(-411, react)
    const other = onRefusal(-1, react)
    await failureOf(call(session, {}))
    expect(react).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: -411 }))
    stop()
    other()
    await failureOf(call(session, {}))
    expect(react).toHaveBeenCalledTimes(1)
  })
})

describe('in the browser, code -1', () => {
  beforeEach(() => vi.stubGlobal('document', {}))
  const asked = () => fetched.mock.calls.map(([path]) => path)

  test('A4.4-03 renews the token of a call and repeats the call once', async () => {
    fetched.mockImplementation(async (path) => {
      if (path === '/proxy/loginDevice') return Response.json({ status: true, result: { newAuthToken: 'x' } })
      if (asked().length === 1) return Response.json({ status: false, error: { code: -1, message: '' } })
      return Response.json({ status: true, result: [] })
    })
    expect(await call(hierarchy, {})).toEqual([])
    expect(asked()).toEqual(['/proxy/hierarchy', '/proxy/loginDevice', '/proxy/hierarchy'])
  })

  test('A4.4-04 is raised where the token cannot be renewed', async () => {
    refuses(-1, 401)
    expect((await failureOf(call(hierarchy, {}))).code).toBe(-1)
    expect(asked()).toEqual(['/proxy/hierarchy', '/proxy/loginDevice'])
  })

  test('A4.4-04 A8.3-04 is told to its listeners for calls that never fail, but not for msg and signing out', async () => {
    refuses(-1, 401)
    const react = vi.fn()
    onTestFinished(onRefusal(-1, react))
    await expect(call(msg, { level: 'error' })).resolves.toBeNull()
    await expect(call(logout, {})).resolves.toBeNull()
    expect(react).not.toHaveBeenCalled()
    await expect(call(related, { contentId: 1, contentType: 'asset' })).resolves.toEqual([])
    expect(react).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: -1 }))
  })

  test('A4.4-05 is only raised for the device login and a sign-in', async () => {
    refuses(-1, 401)
    expect((await failureOf(call(loginDevice, {}))).code).toBe(-1)
    const grant = { username: 'a@example.org', password: 'x', grant_type: 'password' } as const
    expect((await failureOf(call(oauthToken, grant))).code).toBe(-1)
    expect(asked()).toEqual(['/proxy/loginDevice', '/oauth/token'])
  })
})

describe('in the browser, while the session is being ended', () => {
  beforeEach(() => vi.stubGlobal('document', {}))
  afterEach(releaseCalls)
  const asked = () => fetched.mock.calls.map(([path]) => path)

  test('A4.3-07 only the sign-out is sent, and other calls follow if the session goes on', async () => {
    answers({ status: true, result: [] })
    holdCalls()
    const held = call(hierarchy, {})
    await call(logout, {})
    expect(asked()).toEqual(['/proxy/logout'])
    releaseCalls()
    await held
    expect(asked()).toEqual(['/proxy/logout', '/proxy/hierarchy'])
  })

  test('A4.3-07 a call that the service refuses because of it is not reported, and no token is renewed', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    fetched.mockReturnValueOnce(promise)
    const react = vi.fn()
    const stop = onRefusal(-1, react)
    const refused = vi.fn()
    void call(hierarchy, {}).catch(refused)
    holdCalls()
    resolve(Response.json({ status: false, error: { code: -1, message: '' } }, { status: 401 }))
    await callsEnded()
    answers({ status: true, result: null })
    await call(logout, {})
    expect(asked()).toEqual(['/proxy/hierarchy', '/proxy/logout'])
    expect(react).not.toHaveBeenCalled()
    expect(refused).not.toHaveBeenCalled()
    stop()
  })

  test('A4.3-07 the sign-out is sent even if its page is closed while it waits', async () => {
    const page = new EventTarget()
    vi.stubGlobal('window', page)
    vi.stubGlobal('location', { assign: vi.fn() })
    const { promise, resolve } = Promise.withResolvers<Response>()
    fetched.mockReturnValueOnce(promise)
    const under = call(hierarchy, {})
    await vi.waitFor(() => expect(asked()).toEqual(['/proxy/hierarchy']))
    answers({ status: true, result: null })
    const signedOut = signOut()
    page.dispatchEvent(new Event('pagehide'))
    await signedOut
    expect(asked()).toEqual(['/proxy/hierarchy', '/proxy/logout'])
    expect(fetched.mock.calls.map(([, { keepalive }]) => keepalive)).toEqual([undefined, true])
    resolve(Response.json({ status: true, result: [] }))
    await under
  })

  describe('by another tab', () => {
    beforeEach(() => vi.useFakeTimers())
    afterEach(() => vi.useRealTimers())

    test('A4.3-07 calls wait for it, each time anew, and follow if it does not come', async () => {
      answers({ status: true, result: [] })
      holdCallsFor(10_000)
      const held = call(hierarchy, {})
      await vi.advanceTimersByTimeAsync(9000)
      holdCallsFor(10_000)
      await vi.advanceTimersByTimeAsync(9000)
      expect(asked()).toEqual([])
      await vi.advanceTimersByTimeAsync(1000)
      await held
      expect(asked()).toEqual(['/proxy/hierarchy'])
    })

    test('A4.3-07 the tab that signs out makes no call, however long that takes', async () => {
      answers({ status: true, result: [] })
      // Another tab begins to sign out, and this tab gets its message. Then this tab signs out too, and gets the
      // message that it has sent itself.
      holdCallsFor(10_000)
      holdCalls()
      holdCallsFor(10_000)
      const held = call(hierarchy, {})
      await vi.advanceTimersByTimeAsync(20_000)
      expect(asked()).toEqual([])
      releaseCalls()
      await held
    })
  })

  test('A4.3-07 a sign-out waits for the calls under way', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    fetched.mockReturnValueOnce(promise)
    const under = call(hierarchy, {})
    holdCalls()
    const ended = vi.fn()
    const waiting = callsEnded().then(ended)
    await Promise.resolve()
    expect(ended).not.toHaveBeenCalled()
    resolve(Response.json({ status: true, result: [] }))
    await Promise.all([under, waiting])
    expect(ended).toHaveBeenCalled()
  })
})

test('A4.3-06 a sign-in without a token has failed', async () => {
  const credentials = { username: 'a@example.org', password: 'x' }
  answers({ access_token: '', token_type: 'Bearer', expires_in: 0 })
  await expect(signIn(credentials)).rejects.toThrow('Failed to login: no accessToken.')
  answers({ access_token: 'token', token_type: 'Bearer', expires_in: 86_400 })
  await expect(signIn(credentials)).resolves.toBeUndefined()
})

describe('an answer', () => {
  test.each([-911, -15004])('A8.3-03 with code %i is returned, and nothing is thrown', async (code) => {
    refuses(code)
    await expect(answer(voucher, INPUT)).resolves.toEqual({
      status: false,
      error: { code, message: 'Refused', details: null },
    })
    // Unlike `answer`, `call` never gives an error back as a result. It throws these codes too.
    expect((await failureOf(call(voucher, INPUT))).code).toBe(code)
  })

  test('A8.3-03 with any other code is an error', async () => {
    refuses(-912)
    expect((await failureOf(answer(voucher, INPUT))).code).toBe(-912)
    answers({ status: true, result: { amount: 2 } })
    await expect(answer(voucher, INPUT)).resolves.toEqual({ status: true, result: { amount: 2 } })
  })
})

describe('a call without an answer', () => {
  const NONSENSE: [string, () => Promise<Response>][] = [
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['no answer in time', () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError'))],
    ['markup', async () => new Response('<html>Bad gateway</html>', { status: 502 })],
    ['nothing', async () => new Response('', { status: 200 })],
    ['half an answer', async () => new Response('{"status":true,"resu')],
    ['another shape', async () => Response.json({ ok: true })],
    ['a list', async () => Response.json([1, 2])],
    ['null', async () => Response.json(null)],
    ['success without a result', async () => Response.json({ status: true })],
    ['a refusal without a code', async () => Response.json({ status: false, error: { message: 'No' } })],
    ['a refusal without an error', async () => Response.json({ status: false }, { status: 500 })],
  ]

  test.each(NONSENSE)('V8-06 %s is code 503 with the message of that code', async (_what, respond) => {
    fetched.mockImplementation(respond)
    expect(await failureOf(call(hierarchy, {}))).toMatchObject({
      code: 503,
      status: 503,
      message: 'No response from API',
      endpoint: '/proxy/hierarchy',
    })
  })

  test('aborts a call that the service does not answer', async () => {
    answers({ status: true, result: [] })
    await call(hierarchy, {})
    expect(fetched.mock.calls[0]?.[1].signal).toBeInstanceOf(AbortSignal)
  })
})

test.each([
  [
    'a refusal',
    async () => Response.json({ status: false, error: { code: -411, message: '' } }, { status: 403 }),
  ],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ['nonsense', async () => new Response('<html>')],
])(
  'A8.3-04 %s to msg, related content, scores and signing out never counts as an error',
  async (_what, respond) => {
    fetched.mockImplementation(respond)
    const react = vi.fn()
    onTestFinished(onRefusal(-411, react))
    await expect(call(msg, { level: 'error' })).resolves.toBeNull()
    await expect(call(related, { contentId: 1, contentType: 'asset' })).resolves.toEqual([])
    await expect(call(assetScore, { idAsset: 1 })).resolves.toMatchObject({ count: 0 })
    await expect(call(logout, {})).resolves.toBeNull()
    expect(react).not.toHaveBeenCalled()
  },
)

test('V7-02 V7-03 every call is form-encoded or in the query, with languageId, objects as JSON, and the storefront’s key', async () => {
  answers({ status: true, result: [] })
  const placed = operation({
    method: 'POST',
    path: '/proxy/placed',
    as: 'visitor',
    summary: '',
    input: z.object({ id: z.int(), where: z.object({ page: z.string() }), list: z.array(z.int()) }),
    output: z.array(z.int()),
  })
  await call(placed, { id: 4, where: { page: 'a&b' }, list: [1, 2] })
  const [path, { method, headers, body }] = fetched.mock.calls[0]!
  expect([path, method]).toEqual(['/proxy/placed', 'POST'])
  expect(headers).toMatchObject({ 'x-identity-key': 'demo' })
  expect(body instanceof URLSearchParams ? body.toString() : body).toBe(
    'id=4&where=%7B%22page%22%3A%22a%26b%22%7D&list=%5B1%2C2%5D&languageId=fra',
  )
  await call({ ...placed, method: 'GET' }, { id: 4, where: { page: '' }, list: [] })
  const [asked, init] = fetched.mock.calls[1]!
  expect(asked).toBe('/proxy/placed?id=4&where=%7B%22page%22%3A%22%22%7D&list=%5B%5D&languageId=fra')
  expect(init.body).toBeUndefined()
})
