import { setImmediate } from 'node:timers/promises'
import { Response } from 'undici'
import { describe, expect, it } from 'vitest'
import { NOON } from '../../../../test/service.ts'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import { CastLabs } from './castlabs.ts'
import type { LicenceOrder } from './drm-provider.ts'

const BASE = 'https://castlabs.test'
const KEY_STORE = `${BASE}/frontend/api/keys/v2/ingest/ondine`

/** Usual answers of the castLabs services: the sign-in, its tickets, the key store, and the licences. */
const USUAL: Record<string, () => Promise<Response>> = {
  [`${BASE}/cas/v1/tickets`]: async () =>
    new Response(null, { status: 201, headers: { location: `${BASE}/cas/v1/tickets/TGT-1` } }),
  [`${BASE}/cas/v1/tickets/TGT-1`]: async () => new Response('ST-1'),
  [KEY_STORE]: async () => new Response('{}'),
  [`${BASE}/license-proxy-widevine/cenc/`]: async () => new Response('licence'),
  [`${BASE}/license-server-fairplay/`]: async () => new Response(Buffer.from('licence').toString('base64')),
}

/** Returns a provider for castLabs, and the requests that it sends. `own` replaces some of the usual answers. */
function castLabs(own: typeof USUAL = {}, storeWaitMs?: number) {
  const requests: { url: URL; body: unknown }[] = []
  const fetch: CheckedFetch = async (address, { body }) => {
    const url = new URL(address)
    requests.push({ url, body })
    const answer = { ...USUAL, ...own }[`${url.origin}${url.pathname}`]
    return (await answer?.()) ?? new Response(null, { status: 404 })
  }
  const settings = {
    licences: BASE,
    signIn: BASE,
    keyStore: BASE,
    merchant: 'ondine',
    secretId: 'id',
    secret: Buffer.alloc(32, 1),
    user: 'user',
    password: 'password',
    hardwareTemplate: undefined,
  }
  return { provider: new CastLabs(settings, fetch, storeWaitMs), requests }
}

/** An order for `count` keys. */
function order(count = 1): LicenceOrder {
  return {
    system: 'widevine',
    request: Buffer.from('challenge'),
    keys: Array.from({ length: count }, (_, index) => ({
      trackSetId: `set ${index}`,
      keyId: String(index).padStart(32, '0'),
      key: Buffer.alloc(16, index),
      iv: Buffer.alloc(16, 2),
    })),
    rules: { security: 'software', hdcp: 'none' },
    accountId: 1,
    sessionId: 'session',
  }
}

describe('the key store of castLabs', () => {
  it.each(['https://', 'http://[', 'https://elsewhere.test/cas/v1/tickets/TGT-1', undefined])(
    'is not used if its sign-in names the address %s, which no error repeats',
    async (location) => {
      const { provider, requests } = castLabs({
        [`${BASE}/cas/v1/tickets`]: async () =>
          new Response(null, { status: 201, ...(location !== undefined && { headers: { location } }) }),
        [`${BASE}/license-proxy-widevine/cenc/`]: async () => new Response(null, { status: 403 }),
      })
      await expect(provider.licence(order(), NOON)).rejects.toMatchObject({
        error: 'temporarilyUnavailable',
        cause: { message: 'The sign-in of castLabs named no address for tickets.' },
      })
      expect(requests.map(({ url }) => url.pathname)).toEqual([
        '/cas/v1/tickets',
        '/license-proxy-widevine/cenc/',
      ])
    },
  )

  it('gets at most four keys of an order at the same time', async () => {
    let [active, most] = [0, 0]
    const { provider, requests } = castLabs({
      [KEY_STORE]: async () => {
        most = Math.max(most, ++active)
        await setImmediate()
        active--
        return new Response('{}')
      },
    })
    await provider.licence(order(30), NOON)
    expect(most).toBeLessThanOrEqual(4)
    expect(requests.filter(({ url }) => url.pathname === new URL(KEY_STORE).pathname)).toHaveLength(30)
  })

  it('delays no licence for long, and gets the keys meanwhile', async () => {
    const slow = Promise.withResolvers<string>()
    const { provider, requests } = castLabs({ [KEY_STORE]: async () => new Response(await slow.promise) }, 1)
    expect(String(await provider.licence(order(2), NOON))).toBe('licence')
    slow.resolve('{}')
    await provider.licence(order(2), NOON)
    expect(requests.filter(({ url }) => url.pathname === '/cas/v1/tickets')).toHaveLength(2)
  })

  it('lets the viewer try again if it has not stored the key yet', async () => {
    const { provider } = castLabs(
      {
        [KEY_STORE]: async () => await Promise.withResolvers<Response>().promise,
        [`${BASE}/license-proxy-widevine/cenc/`]: async () => new Response(null, { status: 403 }),
      },
      1,
    )
    await expect(provider.licence(order(), NOON)).rejects.toMatchObject({ error: 'temporarilyUnavailable' })
  })
})

it.each([
  [1, 'spc=Y2hhbGxlbmdl&assetId=00000000000000000000000000000000&keyId=00000000000000000000000000000000'],
  [2, 'spc=Y2hhbGxlbmdl'],
])('a request for FairPlay with %i keys has the form that castLabs documents', async (count, form) => {
  const { provider, requests } = castLabs()
  expect(String(await provider.licence({ ...order(count), system: 'fairPlay' }, NOON))).toBe('licence')
  expect(requests.at(-1)).toMatchObject({ url: { pathname: '/license-server-fairplay/' }, body: form })
})
