import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { createSession } from '../play-sessions/play-sessions.service.ts'

const ORIGIN = 'https://player.example'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const

/** Headers and bodies of requests that a player of another origin may send. Most of the requests are invalid. */
const ATTEMPTS: Record<string, { headers?: Record<string, string>; payload?: string }> = {
  'a plain request': {},
  'a request from a browser': { headers: { origin: ORIGIN, 'sec-fetch-site': 'cross-site' } },
  'a body that is too large': { headers: { origin: ORIGIN }, payload: 'x'.repeat(300_000) },
  'a form': { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1' },
  'a range out of reach': { headers: { range: 'bytes=900-' } },
}

describe('answers to players of other origins', () => {
  let service: TestService
  let tokens: string[]

  beforeAll(async () => {
    service = await startTestService()
    await service.app.ready()
    const film = await buildersOf(service.context).asset('La Houle', { trackSet: buildTrackSet() })
    const viewer = { accountId: 1, profileId: 1 }
    const trackSetId = film.trackSet?.id ?? ''
    const session = createSession(service.context.keys, {
      viewer,
      content: { kind: 'asset', assetId: film.id, trackSetId, durationSeconds: 60 },
    })
    const relayed = createSession(service.context.keys, {
      viewer,
      content: { kind: 'channel', channelId: 1, window: { kind: 'live' } },
    })
    tokens = ['forged', session, relayed]
  })
  afterAll(async () => await service.remove())

  /** Returns every path below `/play` and `/media` that has a route, and some paths without a route. */
  function paths(): string[] {
    const routed = service.app.routeList
      .map((route) => route.replace(/^\S+ /, ''))
      .filter((path) => /^\/(?:play|media)\//.test(path))
    expect(routed).toEqual(
      expect.arrayContaining([
        '/play/:token/relay/:file',
        '/play/:token/licence',
        '/media/:trackSet/:rendition/:file',
      ]),
    )
    return [
      ...new Set([
        ...routed,
        '/play/',
        '/play/:token',
        '/play/:token/a/b/c',
        '/media/',
        '/media/a',
        '/media/a/b/c/d',
      ]),
    ]
  }

  it('let them read errors, on every present and future route', async () => {
    const unreadable: string[] = []
    const seen = new Set<number>()
    for (const path of paths()) {
      for (const token of path.includes(':token') ? tokens : ['']) {
        const url = path.replace(':token', token).replaceAll(/:\w+|\*/g, '1')
        for (const [what, attempt] of Object.entries(ATTEMPTS)) {
          for (const method of METHODS) {
            const { payload, headers } = attempt
            const answer = await service.app.inject({
              method,
              url,
              ...(headers && { headers }),
              ...(payload !== undefined && method.startsWith('P') && { payload }),
            })
            seen.add(answer.statusCode)
            if (answer.headers['access-control-allow-origin'] !== '*')
              unreadable.push(`${answer.statusCode} ${method} ${url.replace(token, ':token')} for ${what}`)
          }
        }
      }
    }
    expect(unreadable).toEqual([])
    expect([...seen]).toEqual(expect.arrayContaining([400, 401, 403, 404]))
  })
})
