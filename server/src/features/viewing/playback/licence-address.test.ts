import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { parse } from 'mpd-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import type { Settings } from '../../../env.ts'
import { createSession } from '../../streams/play-sessions/play-sessions.service.ts'

type Headers = Record<string, string>

/**
 * Cases by settings of the service. A case has the headers of a request for a manifest with `laurl=1`, and the
 * origin of the site in that manifest. The origin is null if the request is refused.
 */
const CASES: [settings: Partial<Settings>, cases: [headers: Headers, origin: string | null][]][] = [
  [
    {},
    [
      [{ host: 'localhost:4000' }, 'http://localhost:4000'],
      [{ host: 'rive.test' }, 'https://rive.test'],
      // Without TRUST_PROXY, the headers of a proxy are ignored.
      [{ host: 'rive.test', 'x-forwarded-proto': 'http' }, 'https://rive.test'],
      [{ host: 'tv.example' }, null],
      [{ host: '[' }, null],
      [{ host: 'a b' }, null],
      [{ host: 'a:99999' }, null],
      [{ host: '%ff' }, null],
      [{ host: 'a&b' }, null],
      [{ host: "$&$'" }, null],
    ],
  ],
  [
    { PUBLIC_URL: 'https://tv.test/' },
    [
      [{ host: 'localhost:4000' }, 'https://tv.test'],
      [{ host: 'rive.test' }, 'https://rive.test'],
      [{ host: 'tv.example' }, 'https://tv.test'],
      [{ host: '[' }, 'https://tv.test'],
    ],
  ],
  // The host of a URL may contain `&`, `$` and an apostrophe.
  [{ PUBLIC_URL: "http://a&b$'c.test" }, [[{ host: 'tv.example' }, "http://a&b$'c.test"]]],
  [
    { TRUST_PROXY: true },
    [
      [{ host: 'rive.test', 'x-forwarded-proto': 'http' }, 'http://rive.test'],
      [{ host: 'rive.test', 'x-forwarded-proto': 'https' }, 'https://rive.test'],
      [{ host: 'inner', 'x-forwarded-host': 'rive.test', 'x-forwarded-proto': 'https' }, 'https://rive.test'],
      [{ host: 'inner', 'x-forwarded-host': 'tv.example', 'x-forwarded-proto': 'https' }, null],
    ],
  ],
]

describe.each(CASES)('the licence address in a manifest, with %j', (settings, cases) => {
  let service: TestService
  let path: string

  beforeAll(async () => {
    service = await startTestService('embedded', settings)
    await service.context.storefronts.create({ apiKey: 'rive', name: 'Rive', hosts: ['rive.test'] })
    const film = await buildersOf(service.context).asset('La Houle', { trackSet: buildTrackSet() })
    const token = createSession(service.context.keys, {
      viewer: { accountId: 1, profileId: 1 },
      content: {
        kind: 'asset',
        assetId: film.id,
        trackSetId: film.trackSet?.id ?? '',
        durationSeconds: 60,
      },
    })
    path = `/play/${token}`
  })
  afterAll(async () => await service.remove())

  it.each(cases)('has the origin of the site, or is refused, for %j', async (headers, origin) => {
    const answer = await service.app.inject({ url: `${path}/manifest.mpd?laurl=1`, headers })
    if (origin === null) {
      expect([answer.statusCode, answer.json().error.details.fields]).toEqual([
        400,
        [{ field: 'laurl', message: expect.stringContaining('PUBLIC_URL') }],
      ])
      return
    }
    expect(answer.statusCode).toBe(200)
    const manifestUri = 'https://elsewhere.test/manifest.mpd'
    expect(parse(answer.body, { manifestUri }).playlists.length).toBeGreaterThan(0)
    const written = [...answer.body.matchAll(/<dashif:[Ll]aurl [^>]*>([^<]*)</g)].map(
      ([, address]) => address,
    )
    const escaped = origin.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
    expect(new Set(written)).toEqual(new Set([`${escaped}${path}/licence`]))
    expect(answer.body).toContain(
      `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="${escaped}/time"/>`,
    )
  })

  it.each(cases)('is not needed without laurl, for %j', async (headers) => {
    const plain = await service.app.inject(`${path}/manifest.mpd`)
    for (const file of ['manifest.mpd', 'manifest.mpd?laurl=0', 'main.m3u8', 'main.m3u8?laurl=1']) {
      const answer = await service.app.inject({ url: `${path}/${file}`, headers })
      expect([file, answer.statusCode]).toEqual([file, 200])
      if (file.startsWith('manifest')) expect(answer.body).toBe(plain.body)
    }
  })

  it.each([
    ['manifest.mpd', 200],
    ['manifest.mpd?laurl=1', settings.PUBLIC_URL === undefined ? 400 : 200],
  ])('is not an error for an HTTP/1.0 client, which sends no host: %s', async (file, status) => {
    if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.end(`GET ${path}/${file} HTTP/1.0\r\n\r\n`)
    expect((await text(socket)).split(' ', 2)[1]).toBe(`${status}`)
  })
})
