import { session } from '@ondine/contract/accounts'
import { pushState, renewPush } from '@ondine/contract/push'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renewSubscription } from './renew-subscription.ts'

/** The key of the installation, as a subscription contains it. */
const KEY = new Uint8Array([4, 1, 2]).buffer
/** The key of the installation, as the service returns it. */
const SERVICE_KEY = 'BAEC'

/** Results of the service, by path of the call. The service refuses a call whose path is missing here. */
let results: Record<string, unknown>
/** The calls that the service has received. */
let asked: { path: string; identityKey: string | null; fields: Record<string, string> }[]
/** Names of the subscriptions that have been ended. */
let ended: string[]
const subscribe = vi.fn<PushManager['subscribe']>()
const getSubscription = vi.fn<PushManager['getSubscription']>()
// `renewSubscription` uses only these members of a push manager.
const pushManager = { subscribe, getSubscription } as unknown as PushManager

beforeEach(() => {
  results = {
    [session.path]: { account: { id: 7 } },
    [pushState.path]: { publicKey: SERVICE_KEY, isOn: false },
    [renewPush.path]: { isUsed: true },
  }
  asked = []
  ended = []
  subscribe.mockReset().mockImplementation(async () => subscription('made'))
  getSubscription.mockReset().mockResolvedValue(null)
  vi.stubGlobal('Notification', { permission: 'granted' })
  vi.stubGlobal('fetch', async (path: string, { headers, body }: RequestInit) => {
    const fields = Object.fromEntries(body instanceof URLSearchParams ? body : [])
    asked.push({ path, identityKey: new Headers(headers).get('x-identity-key'), fields })
    const result = results[path]
    return Response.json(
      result === undefined ? { status: false, error: { code: -404, message: '' } } : { status: true, result },
    )
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function subscription(name: string): PushSubscription {
  const endpoint = `https://push.example.org/${name}`
  const made = {
    endpoint,
    options: { applicationServerKey: KEY, userVisibleOnly: true },
    toJSON: () => ({ endpoint, keys: { p256dh: `key of ${name}`, auth: `secret of ${name}` } }),
    unsubscribe: async () => {
      ended.push(name)
      return true
    },
  }
  // `renewSubscription` uses only these members of a subscription.
  return made as unknown as PushSubscription
}

/** Runs `renewSubscription` for an event of the browser. By default, the event contains no subscription. */
async function changed(
  event: { oldSubscription?: PushSubscription; newSubscription?: PushSubscription } = {},
) {
  await renewSubscription({ oldSubscription: null, newSubscription: null, ...event }, pushManager, 'demo')
}

const REPORTED = {
  path: renewPush.path,
  identityKey: 'demo',
  fields: {
    endpoint: 'https://push.example.org/made',
    publicKey: 'key of made',
    secret: 'secret of made',
  },
}

test('subscribes again with the key of the old subscription, and reports the new one', async () => {
  await changed({ oldSubscription: subscription('old') })
  expect(subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey: KEY })
  expect(asked.map(({ path }) => path)).toEqual([session.path, renewPush.path])
  expect(asked.at(-1)).toEqual(REPORTED)
  expect(ended).toEqual([])
})

test('subscribes with the key of the service if the browser names no subscription', async () => {
  await changed()
  expect(subscribe).toHaveBeenCalledExactlyOnceWith({
    userVisibleOnly: true,
    applicationServerKey: SERVICE_KEY,
  })
  expect(asked.at(-1)).toEqual(REPORTED)
})

test('reports the subscription that the browser has made', async () => {
  await changed({ oldSubscription: subscription('old'), newSubscription: subscription('new') })
  expect(subscribe).not.toHaveBeenCalled()
  expect(asked.at(-1)?.fields.endpoint).toBe('https://push.example.org/new')
  expect(ended).toEqual([])
})

test.each([
  ['the subscription that the browser has made', { newSubscription: subscription('new') }, ['new']],
  ['the subscription that the browser does not name', {}, ['current']],
])('ends %s if the viewer is signed out', async (_which, event, expected) => {
  results[session.path] = { account: null }
  getSubscription.mockResolvedValue(subscription('current'))
  await changed(event)
  expect(ended).toEqual(expected)
  expect(subscribe).not.toHaveBeenCalled()
  expect(asked.map(({ path }) => path)).toEqual([session.path])
})

test('ends the new subscription if no profile uses it', async () => {
  results[renewPush.path] = { isUsed: false }
  await changed({ oldSubscription: subscription('old') })
  expect(ended).toEqual(['made'])
})

test('does nothing if the viewer has blocked notifications', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  await changed({ oldSubscription: subscription('old') })
  expect(asked).toEqual([])
  expect(subscribe).not.toHaveBeenCalled()
})

test('does not end a subscription because of a failure of the service', async () => {
  delete results[session.path]
  await expect(changed({ newSubscription: subscription('new') })).rejects.toThrow('session was refused')
  expect(ended).toEqual([])
})
