import { OPERATIONS } from '@ondine/contract/all'
import { imgdata } from '@ondine/contract/image-calls'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../src/features/people/profiles/new-account.service.ts'
import { startTestService, type TestService } from './service.ts'

/** Calls whose answers may be cached: they return pictures, and the headers say for how long. */
const KEPT: readonly string[] = [imgdata.name]

const OVER_HTTPS = { 'x-forwarded-proto': 'https' }

describe('headers of every answer', () => {
  let service: TestService
  let answers: { route: string; answer: LightMyRequestResponse }[]

  beforeAll(async () => {
    service = await startTestService(
      'embedded',
      { TRUST_PROXY: true, SANDBOX_PAYMENTS: true },
      { hasPages: true },
    )
    await service.app.ready()
    const routes = [
      ...service.app.routeList,
      // Requests that no route matches.
      'POST /nothing',
      'GET /assets/gone.js',
      'GET /%',
      'GET /proxy/epg/event/1/%',
    ]
    answers = await Promise.all(
      routes.map(async (route) => {
        const [method = '', path = ''] = route.split(' ')
        const url = path.replaceAll(/:\w+/g, '1').replaceAll('*', 'x')
        const headers = { ...OVER_HTTPS, accept: 'text/html' }
        return { route, answer: await service.app.inject({ method: method as 'GET', url, headers }) }
      }),
    )
    expect(answers.length).toBeGreaterThan(200)
  })
  afterAll(async () => await service.remove())

  function without(name: string, value: RegExp, of = answers): string[] {
    return of
      .filter(({ answer }) => !value.test(String(answer.headers[name] ?? '')))
      .map(({ route, answer }) => `${route}: ${answer.statusCode} ${String(answer.headers[name])}`)
  }

  it('prevent browsers from guessing the content type', () => {
    expect(without('x-content-type-options', /^nosniff$/)).toEqual([])
  })

  it('keep browsers on https if the request used it, and only then', async () => {
    // Fastify refuses an invalid path before it reads the headers of a proxy, so such paths are excluded.
    const read = answers.filter(({ route }) => !route.endsWith('%'))
    expect(without('strict-transport-security', /^max-age=\d{8}$/, read)).toEqual([])
    const plain = await service.app.inject('/time')
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
  })

  it('give every page a policy that runs no foreign script', () => {
    const pages = answers.filter(({ answer }) => /text\/html/.test(String(answer.headers['content-type'])))
    expect(pages.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['GET /*', 'GET /docs', 'GET /%', 'GET /assets/gone.js']),
    )
    expect(without('content-security-policy', /default-src '(?:none|self)'/, pages)).toEqual([])
    expect(without('content-security-policy', /frame-ancestors 'none'/, pages)).toEqual([])
    const unsafe = pages.filter(({ answer }) =>
      /script-src[^;]*(?:unsafe-|https?:|\*)/.test(String(answer.headers['content-security-policy'])),
    )
    expect(unsafe.map(({ route }) => route)).toEqual([])
  })

  it('forbid caching the answer of a call', () => {
    const calls = OPERATIONS.filter(({ name }) => !KEPT.includes(name))
    const names = new Set(calls.map(({ method, path }) => `${method} ${path}`))
    const own = answers.filter(({ route }) => names.has(route))
    expect(own).toHaveLength(calls.length)
    expect(without('cache-control', /\bno-store\b/, own)).toEqual([])
  })
})

// In this order: a proxy that does not forward the scheme, a trusted proxy that forwards `https`, a trusted proxy
// that forwards `http`, and an untrusted proxy.
it.each([
  [{ PUBLIC_URL: 'https://tv.test' }, {}, true],
  [{ TRUST_PROXY: true }, { 'x-forwarded-proto': 'https' }, true],
  [{ PUBLIC_URL: 'https://tv.test', TRUST_PROXY: true }, { 'x-forwarded-proto': 'http' }, false],
  [{}, { 'x-forwarded-proto': 'https' }, false],
])(
  'sets Secure cookies and strict-transport-security with %j and headers %j: %s',
  async (settings, headers, expected) => {
    const service = await startTestService('embedded', settings)
    try {
      const email = 'camille@ondine.test'
      const password = 'Ondine-2026!'
      await createAccount(service.context.db, service.context.storefronts.first().id, { email, password })
      const { headers: answered, cookies } = await service.app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers,
        payload: { grant_type: 'password', username: email, password, deviceUniqueId: 'tv' },
      })
      expect(cookies.length).toBeGreaterThan(1)
      expect(cookies.map(({ secure }) => secure ?? false)).toEqual(cookies.map(() => expected))
      expect('strict-transport-security' in answered).toBe(expected)
    } finally {
      await service.remove()
    }
  },
)

it('tells every client that an installation is public over https', async () => {
  const service = await startTestService('embedded', { PUBLIC_URL: 'https://tv.test' })
  try {
    for (const url of ['/time', '/%', '/proxy/nothing']) {
      const { headers } = await service.app.inject(url)
      expect([url, headers['strict-transport-security']]).toEqual([url, 'max-age=31536000'])
    }
  } finally {
    await service.remove()
  }
})
