import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { listChannels } from '@ondine/contract/channels'
import { ERRORS } from '@ondine/contract/errors'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { channelStream } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'

const MASTER = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="fr",URI="audio/fr.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
low/index.m3u8?token=secret
`
const MEDIA = `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-KEY:METHOD=AES-128,URI="../key.bin"
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4,
seg-1.m4s
## packaged at https://provider.example/?secret
#EXTINF:4,
/elsewhere/seg-2.m4s?x=1,2
`
/** Playlist that neither its file name nor its content type identifies, with the line ends of an old Macintosh. */
const UNNAMED =
  '#EXTM3U x-tvg-url="http://provider.example/?secret"\r#EXT-X-DEFINE:NAME="token",VALUE="secret"\r#EXTINF:4,http://provider.example\rseg?t={$token}\r'
const REMOTE_PERIOD = '<Period><BaseURL>http://provider.example/secret/</BaseURL></Period>'
const MPD = `<?xml version="1.0"?><!-- made at http://provider.example/?secret --><MPD type="dynamic" xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>video/</BaseURL><ContentSteering defaultServiceLocation="a">https://provider.example/steer?secret</ContentSteering><Location>http://provider.example/x.mpd</Location><UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="http://provider.example/time"/><Period><AdaptationSet><SegmentTemplate media="$RepresentationID$/$Number%05d$.m4s" initialization="https://cdn.example/init-$Number%05d$.mp4?a=1&amp;b=2"/></AdaptationSet><AdaptationSet><SegmentTemplate media='a/$Number$.m4s?token=secret&amp;n=$Number%05d$' initialization="/root/init.mp4?token=secret"/></AdaptationSet><AdaptationSet><Representation><BaseURL>sound.mp4?token=secret</BaseURL></Representation></AdaptationSet></Period></MPD>`
/** Manifest whose templates have a variable in a folder: in a complete address, from the root, and in a folder above. */
const templatesAt = (base: string) =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic"><Period>${[`${base}/far`, '/root', '../above']
    .map(
      (folder) =>
        `<AdaptationSet><SegmentTemplate media="${folder}/$RepresentationID$/$Number%05d$.m4s?t=secret" initialization="${folder}/$RepresentationID$/$Bandwidth$/init.mp4"/></AdaptationSet>`,
    )
    .join('')}</Period></MPD>`
/** Files of a provider that compresses all answers, each with its encoding. */
const PACKED: Record<string, [encoding: string, body: Buffer | string]> = {
  'main.m3u8': [
    'gzip',
    gzipSync(
      '#EXTM3U\n#EXTINF:4,\none.m4s\n#EXTINF:4,\ntwo.vtt\n#EXTINF:4,\nthree.m4s\n#EXTINF:4,\nfour.m4s\n#EXTINF:4,\nfive.m4s\n',
    ),
  ],
  'one.m4s': ['GZIP', gzipSync('\0one')],
  'two.vtt': ['br', brotliCompressSync('WEBVTT')],
  'three.m4s': ['deflate', deflateSync('\0three')],
  'four.m4s': ['compress', 'four'],
  'five.m4s': ['gzip', 'five'],
}

/** Sends a manifest whose first packet ends before it can be recognised. */
async function sendSlowly(response: ServerResponse): Promise<void> {
  response.write('<?xml version="1.0"?>\n')
  // The packet arrives within a few turns of the event loop.
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  response.end(`<MPD type="dynamic"><Period id="${'1'.repeat(5000)}"/></MPD>`)
}

describe.each(MAIN_DB)('channels from other providers, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let provider: Server
  let asked: { url: string; agent: string }[] = []
  let subscriber: Actor
  let other: Actor
  let make: ReturnType<typeof buildersOf>
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    provider = createServer((request, response) => {
      const url = request.url ?? ''
      asked.push({ url, agent: request.headers['user-agent'] ?? '' })
      if (url === '/live/main.m3u8') response.end(MASTER)
      else if (url === '/live/low/index.m3u8?token=secret') response.end(MEDIA)
      else if (url === '/live/low/seg-1.m4s') {
        if (request.headers.range === 'bytes=1-2')
          response.writeHead(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 1-2/5' }).end('el')
        else response.writeHead(200, { 'content-type': 'video/mp4' }).end('hello')
      } else if (url === '/elsewhere/seg-2.m4s?x=1,2')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<b>')
      else if (url === '/live/key.bin') response.end('0123456789abcdef')
      else if (url === '/dash/main.mpd') response.end(MPD)
      else if (url === '/dash/templates.mpd') response.end(templatesAt(base))
      else if (/^\/(?:far|root|above)\/v1\/(?:00007\.m4s\?t=secret|900\/init\.mp4)$/.test(url))
        response.end(url)
      else if (url === '/dash/video/v1/00007.m4s') response.end('segment')
      else if (url === '/dash/video/a/7.m4s?token=secret&n=00007') response.end('templated')
      else if (url === '/root/init.mp4?token=secret') response.end('rooted')
      else if (url === '/dash/video/sound.mp4?token=secret') response.end('sound')
      else if (url === '/unnamed/main.m3u8')
        response.end(
          '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist?id=1\n#EXT-X-STREAM-INF:BANDWIDTH=1\nads?id=1\n',
        )
      else if (url === '/unnamed/list?id=1') {
        const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
        if (from === undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end(UNNAMED)
        else response.writeHead(206, { 'content-type': 'text/plain' }).end(UNNAMED.slice(Number(from)))
      } else if (url === '/unnamed/seg?t=secret') response.end('unnamed')
      else if (url === '/unnamed/ads?id=1')
        response.writeHead(200, { 'content-type': 'application/xml' }).end(REMOTE_PERIOD)
      else if (url === '/broken.mpd') response.end('<MPD><Period>')
      else if (url.startsWith('/packed/')) {
        const [encoding, body] = PACKED[url.slice('/packed/'.length)] ?? ['', '']
        response.writeHead(200, { 'content-encoding': encoding }).end(body)
      } else if (url === '/slow.mpd') void sendSlowly(response)
      else if (url === '/typed.m3u8') response.writeHead(200, { 'content-type': 'text/html' }).end(MASTER)
      else if (url === '/away.m3u8') response.writeHead(302, { location: 'http://10.0.0.1/x.m3u8' }).end()
      else if (url === '/transport.ts') response.end(Buffer.alloc(564, 'G'))
      else if (url === '/page.m3u8') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      else response.writeHead(404).end()
    })
    const base = await listenLocally(provider)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    make = buildersOf(service.context)
    subscriber = await make.actor({ packages: { channels: {} } })
    other = await make.actor()
    folder = await mkdtemp(join(tmpdir(), 'ondine-relays-'))
    const path = join(folder, 'list.m3u')
    const lines = {
      Hls: `${base}/live/main.m3u8|User-Agent=Box%2F1`,
      Dash: `${base}/dash/main.mpd`,
      Templates: `${base}/dash/templates.mpd`,
      Unnamed: `${base}/unnamed/main.m3u8`,
      Packed: `${base}/packed/main.m3u8`,
      Slow: `${base}/slow.mpd`,
      Typed: `${base}/typed.m3u8`,
      Broken: `${base}/broken.mpd`,
      Dead: `${base}/nothing.m3u8`,
      Away: `${base}/away.m3u8`,
      Page: `${base}/page.m3u8`,
      Transport: `${base}/transport.ts`,
      Private: `${base}/private.m3u8`,
      Live: 'udp://@239.0.0.1:1234',
    }
    await writeFile(
      path,
      `#EXTM3U\n${Object.entries(lines)
        .map(([name, address]) => `#EXTINF:-1,${name}\n${address}\n`)
        .join('')}`,
    )
    await runCommand(service, 'channels import', [path], { package: 'channels' })
    for (const { id, name } of (await service.call(listChannels, {})).result) ids[name] = id
    // The address was allowed at the import, and is no longer allowed.
    await service.context.db
      .update(channels)
      .set({ source: { address: 'http://10.0.0.1/x.m3u8', manifest: 'hls' } })
      .where(eq(channels.id, ids.Private ?? 0))
  })
  afterAll(async () => {
    await closeServer(provider)
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (name: string, actor = subscriber) =>
    await service.call(channelStream, { idChannel: ids[name] ?? 0, format: 'dash' }, actor.tokens)
  const get = async (url: string, headers: Record<string, string> = {}) =>
    await service.app.inject({ url, method: 'GET', headers })
  const addresses = (text: string) => text.match(/\/play\/[^"\s<]+/g) ?? []

  it('V3-39 V7-23 plays HLS through this service’s origin, from the manifest to the last segment, and hides the provider', async () => {
    const { result } = await start('Hls')
    expect(result).toMatchObject({ url: expect.stringMatching(/^\/play\/.+\/relay\/main\.m3u8$/), drm: null })
    const master = await get(result.url)
    expect(master.headers['content-type']).toContain('application/vnd.apple.mpegurl')
    expect(master.body).not.toMatch(/127\.0\.0\.1|secret/)
    const [audio = '', low = ''] = addresses(master.body)
    expect(audio).toMatch(/\/fr\.m3u8$/)
    const media = await get(low)
    const [key = '', init = '', first = '', second = ''] = addresses(media.body)
    expect(init).toMatch(/\/init\.mp4$/)
    expect(media.body).not.toMatch(/provider\.example|secret|x=1/)
    expect((await get(key)).body).toBe('0123456789abcdef')
    const segment = await get(first)
    expect([segment.body, segment.headers['content-type'], segment.headers['cache-control']]).toEqual([
      'hello',
      'video/mp4',
      'no-store',
    ])
    const part = await get(first, { range: 'bytes=1-2' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'el', 'bytes 1-2/5'])
    // The answer is never served as a page, even if the provider's file has the name of a page.
    expect((await get(second)).headers['content-type']).toBe('application/octet-stream')
    expect(new Set(asked.map(({ agent }) => agent))).toEqual(new Set(['Box/1']))
    // A segment has the same address in every manifest, even after a rotation of the signing key.
    expect(addresses((await get(low)).body)).toEqual(addresses(media.body))
    service.clock.advance(1000)
    await runCommand(service, 'keys rotate')
    await service.context.keys.refresh()
    service.clock.advance(60_000)
    expect(addresses((await get(low)).body)).toEqual(addresses(media.body))
    expect((await get(first)).body).toBe('hello')
    const [, other = ''] = addresses((await get((await start('Hls')).result.url)).body)
    expect((await get(other)).statusCode).toBe(200)
  })

  it('plays DASH in the same way, however a manifest names its segments', async () => {
    const { result } = await start('Dash')
    expect(result.url).toMatch(/\/relay\/manifest\.mpd$/)
    const { body } = await get(result.url)
    expect(body).not.toMatch(/(?:provider|cdn)\.example|secret|a=1/)
    expect(body).toContain('value="/time"')
    expect(body).toMatch(/initialization="\/play\/[^"]+\/init-\$Number%05d\$\.mp4\?s=[\w-]+"/)
    const [base = ''] = addresses(body)
    expect((await get(`${base}v1/00007.m4s`)).body).toBe('segment')
  })

  it('leaves the variables of a template to the player, also in the name of a folder', async () => {
    const { body } = await get((await start('Templates')).result.url)
    expect(body).not.toMatch(/secret|far\/|root|above/)
    const filled = [...body.matchAll(/(?:media|initialization)="([^"]+)"/g)].map(([, template = '']) =>
      template
        .replaceAll('$RepresentationID$', 'v1')
        .replaceAll('$Number%05d$', '00007')
        .replaceAll('$Bandwidth$', '900'),
    )
    const answers = await Promise.all(filled.map(async (address) => (await get(address)).body))
    expect(answers).toEqual(
      ['/far', '/root', '/above'].flatMap((folder) => [
        `${folder}/v1/00007.m4s?t=secret`,
        `${folder}/v1/900/init.mp4`,
      ]),
    )
  })

  it('restores the provider’s queries, with the values that a player fills in', async () => {
    const { result } = await start('Dash')
    const { body } = await get(result.url)
    const [base = ''] = addresses(body)
    const [, template = ''] = /media="(a\/[^"]+)"/.exec(body) ?? []
    expect(template).toMatch(/^a\/\$Number\$\.m4s\?s=[\w-]+&amp;v=\$Number%05d\$$/)
    const filled = template
      .replaceAll('&amp;', '&')
      .replaceAll('$Number$', '7')
      .replaceAll('$Number%05d$', '00007')
    expect((await get(base + filled)).body).toBe('templated')
    const [, rooted = ''] = /initialization="([^"]+\/init\.mp4\?s=[\w-]+)"/.exec(body) ?? []
    expect((await get(rooted)).body).toBe('rooted')
    const [, sound = ''] = /<BaseURL>(sound\.mp4\?s=[\w-]+)</.exec(body) ?? []
    expect((await get(base + sound)).body).toBe('sound')
    // The service does not forward anything that a viewer adds to an address, except directives.
    asked = []
    expect((await get(`${base}v1/00007.m4s?evil=1&_HLS_msn=7`)).statusCode).toBe(504)
    expect((await get(`${base}sound.mp4?s=forged`)).statusCode).toBe(404)
    expect((await get(`${base + sound}&v=more`)).statusCode).toBe(404)
    expect(asked.map(({ url }) => url)).toEqual(['/dash/video/v1/00007.m4s?_HLS_msn=7'])
  })

  it('rewrites a playlist that neither name nor type reveals, and passes on no part of it unchanged', async () => {
    const [list = '', ads = ''] = addresses((await get((await start('Unnamed')).result.url)).body)
    for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=9-' }]) {
      const { statusCode, body } = await get(list, headers)
      expect([statusCode, body]).toEqual([200, expect.not.stringMatching(/provider|secret/)])
      const [piece = ''] = addresses(body)
      expect((await get(piece)).body).toBe('unnamed')
    }
    // The answer is a `Period` that another manifest would include (XLink), so it is not forwarded.
    const remote = await get(ads)
    expect([remote.statusCode, remote.json().error.code]).toEqual([504, -504])
  })

  it('recognises a manifest by its content, in whatever pieces and of whatever type it comes', async () => {
    expect((await get((await start('Slow')).result.url)).body).toContain('<Period id="111')
    expect((await get((await start('Typed')).result.url)).body).toContain('#EXT-X-STREAM-INF:')
  })

  it('decompresses what a provider compresses without being asked, and refuses what it cannot decompress', async () => {
    const pieces = addresses((await get((await start('Packed')).result.url)).body)
    const answers = await Promise.all(pieces.map(async (address) => await get(address)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 504, 504])
    expect(answers.slice(0, 3).map(({ body }) => body)).toEqual(['\0one', 'WEBVTT', '\0three'])
    for (const { headers } of answers) expect(headers['content-encoding']).toBeUndefined()
  })

  it('reports a channel as silent if its manifest is not XML', async () => {
    const answer = await get((await start('Broken')).result.url)
    expect([answer.statusCode, answer.json().error.code]).toEqual([504, -504])
  })

  it.each(['Dead', 'Away', 'Page', 'Transport', 'Private', 'Live'])(
    'reports that %s gives nothing',
    async (name) => {
      const { status, error } = await start(name)
      expect([status, error.code, error.message]).toEqual([504, -504, ERRORS.channelSilent.text.fra])
    },
  )

  it('tells the operator how to receive a channel that sends MPEG-TS', async () => {
    const warn = vi.spyOn(service.context.log, 'warn')
    await start('Transport')
    expect(warn.mock.calls.map(([fields]) => fields)).toContainEqual(
      expect.objectContaining({
        error: 'channelSilent',
        err: expect.objectContaining({ message: expect.stringContaining('`inputs add <channel> --record`') }),
      }),
    )
    warn.mockRestore()
    expect(await runCommand(service, 'channels list')).toMatch(
      /Transport \(relay, on, seems to send MPEG-TS: receive it with `inputs add \d+ --record`/,
    )
  })

  it('checks the right as for any channel, at the start and again during playback', async () => {
    expect((await start('Hls', other)).error.code).toBe(-1721)
    const { result } = await start('Hls')
    await runCommand(service, 'channels set', ['1'], { on: 'no' })
    service.clock.advance(31_000)
    expect((await get(result.url)).statusCode).toBe(404)
    await runCommand(service, 'channels set', ['1'], { on: 'yes' })
    expect((await get(result.url)).statusCode).toBe(200)
  })

  it('A6-09 plays a channel above a level with the proof of the code given at the start', async () => {
    const guarded = await make.actor({
      packages: { channels: {} },
      profile: { parentalControl: true, maximumMoralityLevel: 1 },
    })
    await service.call(setAdultCode, { adultCode: '2580' }, guarded.tokens)
    await runCommand(service, 'channels set', ['1'], { level: '5' })
    expect((await start('Hls', guarded)).error.code).toBe(-1612)
    const parentalProof = (await service.call(validateAdultCode, { parentalCode: '2580' }, guarded.tokens))
      .result
    const input = { idChannel: ids.Hls ?? 0, format: 'dash', parentalProof } as const
    const { result } = await service.call(channelStream, input, guarded.tokens)
    expect((await get(result.url)).statusCode).toBe(200)
    await runCommand(service, 'channels set', ['1'], { level: '0' })
  })

  it('fetches nothing outside of the channel’s own manifests', async () => {
    const { result } = await start('Hls')
    const [, low = ''] = addresses((await get(result.url)).body)
    const [, , first = ''] = addresses((await get(low)).body)
    const [, token = '', sealed = ''] = /^\/play\/([^/]+)\/relay\/([^/]+)\//.exec(first) ?? []
    asked = []
    for (const leaf of ['../key.bin', '%2e%2e/key.bin', '..%2fkey.bin', '..\\key.bin']) {
      expect((await get(`/play/${token}/relay/${sealed}/${leaf}`)).statusCode, leaf).toBe(404)
    }
    const flipped = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`
    expect((await get(`/play/${token}/relay/${flipped}/seg-1.m4s`)).statusCode).toBe(404)
    const dash = (await start('Dash')).result.url.split('/')[2] ?? ''
    expect((await get(`/play/${dash}/relay/${sealed}/seg-1.m4s`)).statusCode).toBe(404)
    expect((await get(`/play/forged/relay/${sealed}/seg-1.m4s`)).statusCode).toBe(401)
    expect((await get(`/play/${token}/relay/other.m3u8`)).statusCode).toBe(404)
    expect(asked.map(({ url }) => url).filter((url) => !url.startsWith('/dash/'))).toEqual([])
  })
})
