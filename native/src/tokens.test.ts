import { describe, expect, test, vi } from 'vitest'
import type { Send, ServiceCall } from './service-call.ts'
import { type KeyStore, Tokens } from './tokens.ts'

/** Returns a fake key store with an entry. */
function keyStore(entry: string | null = null) {
  let held = entry
  const store: KeyStore = {
    getItem: async () => held,
    setItem: async (_key, value) => {
      held = value
    },
    removeItem: async () => {
      held = null
    },
  }
  return { store, entry: () => held }
}

function call(headers: Record<string, string> = { 'x-identity-key': 'demo' }): ServiceCall {
  return {
    url: 'https://tv.example/proxy/x',
    method: 'GET',
    headers: new Headers(headers),
    body: undefined,
    signal: new AbortController().signal,
    keepalive: false,
    cache: 'default',
  }
}

/**
 * Makes a fake service, whose answers have these headers in this order. `received` contains the headers of the
 * calls.
 */
function service(...answers: Record<string, string>[]) {
  const received: Headers[] = []
  const send: Send = async ({ headers }) => {
    received.push(new Headers(headers))
    return new Response(null, { headers: answers.shift() ?? {} })
  }
  return { send, received }
}

const never = async () => {}

async function read(
  store: KeyStore,
  { isFirstStart = false, started = vi.fn(), report = vi.fn() } = {},
): Promise<Tokens> {
  return await Tokens.read(store, { isFirstStart, started, report })
}

describe('V4-01 A4.3-06 the tokens of the app', () => {
  test('are those of the last answer, in the key store before the page reads the answer', async () => {
    const { store, entry } = keyStore()
    const { send, received } = service({ 'x-auth-token': 'a', 'x-device-token': 'd' })
    const carried = (await read(store)).carriedBy(send, never)
    await carried(call())
    expect(JSON.parse(entry() ?? '')).toEqual({ 'x-auth-token': 'a', 'x-device-token': 'd' })
    await carried(call())
    expect(received.map((headers) => headers.get('x-auth-token'))).toEqual([null, 'a'])
  })

  test('travel with calls only', async () => {
    const { send, received } = service()
    const carried = (await read(keyStore('{"x-auth-token":"a"}').store)).carriedBy(send, never)
    await carried(call({}))
    expect([...(received[0]?.keys() ?? [])]).toEqual([])
  })

  test('A4.3-07 are gone after an empty header, and the end of the sign-in is told once', async () => {
    const { store, entry } = keyStore('{"x-auth-token":"a","x-profile-token":"p"}')
    const signedOut = vi.fn(never)
    const { send } = service({ 'x-auth-token': '', 'x-profile-token': '' })
    const carried = (await read(store)).carriedBy(send, signedOut)
    await carried(call())
    await carried(call())
    expect(entry()).toBe('{}')
    expect(signedOut).toHaveBeenCalledTimes(1)
  })

  test('of a new sign-in stay when an answer to an older call ends the older one', async () => {
    const { store } = keyStore('{"x-auth-token":"old"}')
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
    let sent = 0
    const { received, send } = service()
    const carried = (await read(store)).carriedBy(async (made) => {
      await send(made)
      return (await answers[sent++]?.promise) ?? new Response()
    }, never)
    const [older, newer] = [carried(call()), carried(call())]
    answers[1]?.resolve(new Response(null, { headers: { 'x-auth-token': 'new' } }))
    await newer
    answers[0]?.resolve(new Response(null, { headers: { 'x-auth-token': '' } }))
    await older
    await carried(call())
    expect(received.at(-1)?.get('x-auth-token')).toBe('new')
  })

  test('of an earlier installation are removed at the first start', async () => {
    const { store, entry } = keyStore('{"x-auth-token":"a"}')
    const { send, received } = service()
    const started = vi.fn()
    await (await read(store, { isFirstStart: true, started })).carriedBy(send, never)(call())
    expect(received[0]?.get('x-auth-token')).toBeNull()
    expect(entry()).toBeNull()
    expect(started).toHaveBeenCalledTimes(1)
  })

  test('of an earlier installation that could not be removed are not those of the next start', async () => {
    const { store, entry } = keyStore('{"x-auth-token":"old"}')
    const locked = { ...store, removeItem: async () => await Promise.reject(new Error('locked')) }
    const started = vi.fn()
    const tokens = await read(locked, { isFirstStart: true, started })
    // The next start must try again to remove the tokens.
    expect(started).not.toHaveBeenCalled()
    const { send } = service({ 'x-auth-token': 'new' })
    await tokens.carriedBy(send, never)(call())
    // The new sign-in has replaced the old tokens, and stays after a restart.
    expect(entry()).toBe('{"x-auth-token":"new"}')
    expect(started).toHaveBeenCalled()
  })

  test.each([
    '',
    'x',
    '[]',
    '7',
    'null',
    '{"x-auth-token":7}',
    '{"x-auth-token":"a\\nb"}',
    '{"x-other":"a"}',
  ])('are none if the entry is %j', async (entry) => {
    const { send, received } = service()
    await (await read(keyStore(entry).store)).carriedBy(send, never)(call())
    expect([...(received[0]?.keys() ?? [])]).toEqual(['x-identity-key'])
  })

  test('last as long as the app runs if the key store fails, and each failure is reported', async () => {
    const fail = async () => await Promise.reject(new Error('locked'))
    const report = vi.fn()
    const tokens = await read({ getItem: fail, setItem: fail, removeItem: fail }, { report })
    const { send, received } = service({ 'x-auth-token': 'a' })
    const carried = tokens.carriedBy(send, never)
    await carried(call())
    await carried(call())
    expect(received.at(-1)?.get('x-auth-token')).toBe('a')
    expect(report).toHaveBeenCalledTimes(2)
  })

  test('are not touched by a call without an answer', async () => {
    const { store, entry } = keyStore('{"x-auth-token":"a"}')
    const carried = (await read(store)).carriedBy(
      async () => await Promise.reject(new TypeError('offline')),
      never,
    )
    await expect(carried(call())).rejects.toThrow('offline')
    expect(entry()).toBe('{"x-auth-token":"a"}')
  })
})
