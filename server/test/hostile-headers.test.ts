import { OPERATIONS } from '@ondine/contract/all'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSession } from '../src/features/streams/play-sessions/play-sessions.service.ts'
import { buildersOf, buildTrackSet } from './builders.ts'
import { startTestService, type TestService } from './service.ts'

/** Values that break parsers: bad percent-encoding, invalid UTF-8, quotes, names like `__proto__`, excessive length. */
const VALUES = [
  '%ff',
  '%E0%A4%A',
  '%00',
  '\u00ff\u00fe"',
  '__proto__',
  '1e999',
  '{"a":',
  ',;=',
  'https://evil.test',
  'a:99999',
  'a.b.c',
  '[',
  'a b',
  'x'.repeat(8000),
]

/** The values of {@link VALUES} that are also tried in the headers of {@link IDENTIFYING}. */
const TOKENS = ['%ff', '\u00ff\u00fe"', 'a.b.c']

const COOKIES = [
  'language',
  'timezone',
  'visit',
  'sort_visitor',
  'storefront',
  'device',
  'ondine_account',
  'ondine_profile',
  'ondine_device',
  'ondine_sign_on',
]

/** Headers that only describe a request. */
const DESCRIBING = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'forwarded',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-mode',
  'sec-fetch-site',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
]

/**
 * Headers that identify the caller or describe the body. If one header is invalid, the service refuses the request
 * before it reads the others. Therefore each header is tested in a separate request.
 */
const IDENTIFYING = [
  'authorization',
  'x-auth-token',
  'x-profile-token',
  'x-device-token',
  'x-identity-key',
  'x-operator-token',
  'content-type',
  'content-encoding',
]

function everyHeader(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

/** Returns the headers of several requests. Each request has the value in different headers. */
function attemptsWith(value: string): Record<string, string>[] {
  return [
    { cookie: COOKIES.map((name) => `${name}=${value}`).join('; ') },
    { cookie: value },
    everyHeader(DESCRIBING, value),
    ...(TOKENS.includes(value) ? IDENTIFYING.map((name) => ({ [name]: value })) : []),
  ]
}

describe('hostile headers and cookies', () => {
  let service: TestService
  let routes: (InjectOptions & { url: string })[]

  beforeAll(async () => {
    service = await startTestService(
      'embedded',
      // With `TRUST_PROXY`, the service also reads the headers of proxies.
      { TRUST_PROXY: true, SIGN_IN_ATTEMPTS: 1_000_000 },
      { hasPages: true },
    )
    await service.app.ready()
    const { id: assetId, trackSet } = await buildersOf(service.context).asset('La Houle', {
      trackSet: buildTrackSet(),
    })
    // A valid token, so that the service actually writes manifests.
    const token = createSession(service.context.keys, {
      viewer: { accountId: 1, profileId: 1 },
      content: { kind: 'asset', assetId, trackSetId: trackSet?.id ?? '', durationSeconds: 60 },
    })
    const forms = new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`))
    const list = service.app.routeList.filter((route) => !route.startsWith('HEAD '))
    const manifest = 'GET /play/:token/:file'
    expect(list).toContain(manifest)
    const manifests = ['manifest.mpd', 'manifest.mpd?laurl=1', 'main.m3u8', 'v360.m3u8']
    const written = manifests.map((file) => manifest.replace(':file', file))
    routes = [...list, ...written].map((route) => {
      const [method = '', path = ''] = route.split(' ')
      const url = path.replace(':token', token).replaceAll(/:\w+/g, '1').replaceAll('*', 'x')
      return {
        method: method as 'GET',
        url,
        ...(forms.has(route) && method !== 'GET'
          ? { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'languageId=fra' }
          : {}),
      }
    })
    expect(routes.length).toBeGreaterThan(150)
  })
  afterAll(async () => await service.remove())

  it.each(VALUES.map((value) => [value.slice(0, 20), value]))(
    'no route fails internally for %j',
    async (_shown, value) => {
      const faults: string[] = []
      for (const attempt of attemptsWith(value)) {
        for (const route of routes) {
          const headers = { ...route.headers, ...attempt }
          const { statusCode } = await service.app.inject({ ...route, headers })
          if (statusCode >= 500)
            faults.push(`${statusCode} ${route.method} ${route.url} ${Object.keys(attempt).join()}`)
        }
      }
      expect(faults).toEqual([])
    },
  )
})
