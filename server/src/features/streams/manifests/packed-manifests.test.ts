import { createHook } from 'node:async_hooks'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { createSession, type PlaybackContent } from '../play-sessions/play-sessions.service.ts'

const HOUR = 3600
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync }

describe.each(MAIN_DB)('compressed manifests, on a database of kind %s', (kind) => {
  let service: TestService
  let film: PlaybackContent
  let trailer: PlaybackContent
  let live: PlaybackContent
  let clips: PlaybackContent

  beforeAll(async () => {
    service = await startTestService(kind)
    const make = buildersOf(service.context)
    const trackSetOf = ({ trackSet }: Awaited<ReturnType<typeof make.asset>>) => trackSet?.id ?? ''
    const long = await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 3000 }) })
    await make.asset('Encre', { trackSet: buildTrackSet({ seconds: 2400 }) })
    const clear = await make.asset('Rive', { trackSet: buildTrackSet({ seconds: 300, encrypted: false }) })
    for (const title of ['Une', 'Deux', 'Trois'])
      await make.asset(title, { trackSet: buildTrackSet({ seconds: 61 }) })
    const channel = async (name: string, titles: string[]) => {
      const { id: channelId } = await make.channel(name, { kind: 'sequence', titles })
      const window = { kind: 'live', reachSeconds: HOUR } as const
      return { kind: 'channel', channelId, window } as const
    }
    live = await channel('Terra', ['La Houle', 'Encre'])
    clips = await channel('Clips', ['Une', 'Deux', 'Trois'])
    film = { kind: 'asset', assetId: long.id, trackSetId: trackSetOf(long), durationSeconds: 3000 }
    trailer = { kind: 'trailer', trackSetId: trackSetOf(clear) }
    const { db } = service.context
    await extendSchedules(db, createTrackSetStore(db), NOON - 2 * HOUR * 1000)
  })
  afterAll(async () => await service.remove())

  /** Returns the address of a viewer's manifests. */
  function playing(content: PlaybackContent, accountId = 1): string {
    const viewer = content.kind === 'trailer' ? null : { accountId, profileId: 1 }
    return `/play/${createSession(service.context.keys, { viewer, content })}`
  }

  async function get(url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET') {
    const headers = accept === undefined ? {} : { 'accept-encoding': accept }
    return await service.app.inject({ method, url, headers })
  }

  function unpacked({ headers, rawPayload }: Awaited<ReturnType<typeof get>>): string {
    const encoding = headers['content-encoding']
    if (encoding === undefined) return rawPayload.toString()
    return UNPACK[encoding as keyof typeof UNPACK](rawPayload).toString()
  }

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['identity;q=1, *;q=0', undefined],
    ['nonsense; ,,;q=x, brrr', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
  ])(
    'are compressed as their viewer accepts, and equal after decompression: %s',
    async (accept, encoding) => {
      for (const [content, files] of [
        [live, ['manifest.mpd', 'v720.m3u8']],
        [clips, ['manifest.mpd', 'v720.m3u8']],
        [film, ['manifest.mpd', 'v720.m3u8']],
        [trailer, ['manifest.mpd']],
      ] as const) {
        const at = playing(content)
        for (const file of files) {
          const plain = await get(`${at}/${file}`)
          expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
          const answer = await get(`${at}/${file}`, accept)
          expect(answer.headers['content-encoding']).toBe(encoding)
          expect(answer.headers).toMatchObject({
            vary: 'accept-encoding',
            'cache-control': 'no-store',
            'content-type': plain.headers['content-type'],
            'content-length': String(answer.rawPayload.length),
          })
          expect(unpacked(answer)).toBe(plain.body)
        }
      }
    },
  )

  it('a manifest that fits a packet is sent uncompressed', async () => {
    const answer = await get(`${playing(trailer)}/main.m3u8`, 'br')
    expect(answer.rawPayload.length).toBeLessThan(1000)
    expect(answer.body).toMatch(/^#EXTM3U/)
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, 'accept-encoding'])
  })

  it('an hour of a channel takes at most three kilobytes, and sixty programmes of it hardly more', async () => {
    const sizeOf = async (content: PlaybackContent, accept: string) =>
      (await get(`${playing(content)}/manifest.mpd`, accept)).rawPayload.length
    expect(await sizeOf(live, 'identity')).toBeGreaterThan(20_000)
    expect(await sizeOf(clips, 'identity')).toBeGreaterThan(200_000)
    for (const accept of ['br', 'gzip']) {
      expect(await sizeOf(live, accept)).toBeLessThan(3000)
      expect(await sizeOf(clips, accept)).toBeLessThan(7000)
    }
  })

  it('are the same bytes for every viewer of a window, compressed or not, and contain no private address', async () => {
    const viewers = [7, 8, 90_000_007].map((accountId) => playing(live, accountId))
    for (const accept of ['br', 'gzip', 'identity']) {
      for (const file of ['manifest.mpd', 'v720.m3u8', 'main.m3u8']) {
        const answers = await Promise.all(viewers.map(async (at) => await get(`${at}/${file}`, accept)))
        const [first, ...others] = answers.map(({ rawPayload }) => rawPayload)
        for (const other of others) expect(other.equals(first ?? Buffer.alloc(0))).toBe(true)
        for (const answer of answers) expect(unpacked(answer)).not.toMatch(/\/play\/|laurl/i)
      }
    }
  })

  it('name the viewer’s own licence address if requested, whichever viewer asked before', async () => {
    const viewers = [7, 8, 90_000_007, 90_000_008].map((accountId) => playing(live, accountId))
    for (const accept of ['br', 'gzip', 'identity']) {
      const answers = await Promise.all(
        viewers.map(async (at) => await get(`${at}/manifest.mpd?laurl=1`, accept)),
      )
      for (const [index, answer] of answers.entries()) {
        expect(answer.headers['content-encoding']).toBe(accept === 'identity' ? undefined : accept)
        for (const name of ['Laurl', 'laurl']) {
          const licences = [...unpacked(answer).matchAll(new RegExp(`<dashif:${name} [^>]*>([^<]*)<`, 'g'))]
          expect(licences.length).toBeGreaterThan(3)
          expect(new Set(licences.map(([, at]) => at))).toEqual(
            new Set([`http://localhost${viewers[index]}/licence`]),
          )
        }
      }
    }
  })

  it('of one storefront reach as far as that storefront allows, whatever the viewers of another storefront were given', async () => {
    if (live.kind !== 'channel') throw new Error('It is not a channel.')
    const { channelId } = live
    const lengths: number[] = []
    for (const reachSeconds of [HOUR, 900, HOUR, 0]) {
      const at = playing({ kind: 'channel', channelId, window: { kind: 'live', reachSeconds } })
      const packed = unpacked(await get(`${at}/manifest.mpd`, 'br'))
      expect(packed).toBe((await get(`${at}/manifest.mpd`)).body)
      lengths.push(Number(/timeShiftBufferDepth="PT(\d+)/.exec(packed)?.[1]))
    }
    const [hour, quarter, again, none] = lengths
    expect(again).toBe(hour)
    expect(hour).toBeGreaterThan(HOUR)
    expect(quarter).toBeLessThan(1000)
    expect(none).toBeLessThan(100)
  })

  it('are compressed once for all concurrent requests', async () => {
    service.clock.set(NOON + 60_000)
    let engines = 0
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'ZLIB') engines++
      },
    }).enable()
    const all = Array.from({ length: 30 }, (_, index) => playing(live, 100 + index))
    await Promise.all(all.map(async (at) => await get(`${at}/manifest.mpd`, 'br')))
    await Promise.all(all.map(async (at) => await get(`${at}/manifest.mpd`, 'br')))
    hook.disable()
    service.clock.set(NOON)
    expect(engines).toBe(1)
  })

  it.each(['br', 'gzip', 'identity'])('HEAD answers with the headers of GET, in %s', async (accept) => {
    const url = `${playing(live)}/manifest.mpd`
    const [head, whole] = [await get(url, accept, 'HEAD'), await get(url, accept)]
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
    for (const name of ['content-length', 'content-encoding', 'content-type', 'vary', 'cache-control'])
      expect(head.headers[name]).toBe(whole.headers[name])
  })

  it('an error is never compressed', async () => {
    const answer = await get('/play/forged/manifest.mpd', 'br, gzip')
    expect([answer.statusCode, answer.headers['content-encoding'], answer.json().error.code]).toEqual([
      401,
      undefined,
      -1,
    ])
  })
})
