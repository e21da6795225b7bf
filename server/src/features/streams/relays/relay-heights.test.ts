import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import { channelStream } from '@ondine/contract/playback'
import { parse } from 'mpd-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { closeServer, listenLocally } from '../../../../test/local-server.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'

/** Variants of 360, 720 and 1080 lines, sound alone, and a variant without a declared height. */
const HLS = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="fr",URI="fr.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=3,AUDIO="a",RESOLUTION=1920x1080
high.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a",RESOLUTION=1280x720

middle.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",RESOLUTION=640x360
low.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1
sound.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,RESOLUTION=1920x1080,URI="high-frames.m3u8"
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,RESOLUTION=640x360,URI="low-frames.m3u8"
`
const LIST = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nseg-1.m4s\n'

const template =
  '<SegmentTemplate media="$RepresentationID$/$Number$.m4s" initialization="i.mp4" duration="4"/>'
/**
 * The first Period has the same heights, in two AdaptationSets. The video of the second Period is all high. Beside it
 * there are pictures for fast winding, and tiles of thumbnails.
 */
const DASH = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT16S">
<Period duration="PT8S">
<AdaptationSet mimeType="video/mp4" height="1080">${template}<Representation id="h" bandwidth="3" width="1920"/></AdaptationSet>
<AdaptationSet mimeType="video/mp4">${template}<Representation id="m" bandwidth="2" width="1280" height="720"/><Representation id="l" bandwidth="1" width="640" height="360"/></AdaptationSet>
<AdaptationSet mimeType="audio/mp4" lang="fr">${template}<Representation id="a" bandwidth="1"/></AdaptationSet>
</Period>
<Period duration="PT8S">
<AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/>${template}<Representation id="t" bandwidth="1" height="180"/></AdaptationSet>
<AdaptationSet mimeType="image/jpeg" contentType="image">${template}<Representation id="i" bandwidth="1" width="9600" height="5400"/></AdaptationSet>
<AdaptationSet mimeType="video/mp4">${template}<Representation id="u" bandwidth="4" width="3840" height="2160"/><Representation id="h" bandwidth="3" width="1920" height="1080"/></AdaptationSet>
<AdaptationSet mimeType="audio/mp4" lang="fr">${template}<Representation id="a" bandwidth="1"/></AdaptationSet>
</Period></MPD>`

const FILES: Record<string, string> = {
  '/main.m3u8': HLS,
  '/low.m3u8': LIST,
  '/main.mpd': DASH,
}

describe.each(MAIN_DB)('the height of relayed video, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let provider: Server
  let limited: Actor
  let free: Actor
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    provider = createServer(({ url = '' }, response) => {
      const body = FILES[url]
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
    const base = await listenLocally(provider)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    const make = buildersOf(service.context)
    limited = await make.actor({ packages: { channels: { maximumHeight: 720 } } })
    free = await make.actor({ packages: { channels: {} } })
    folder = await mkdtemp(join(tmpdir(), 'ondine-heights-'))
    const path = join(folder, 'list.m3u')
    await writeFile(path, `#EXTM3U\n#EXTINF:-1,Hls\n${base}/main.m3u8\n#EXTINF:-1,Dash\n${base}/main.mpd\n`)
    await runCommand(service, 'channels import', [path], { package: 'channels' })
    for (const { id, name } of (await service.call(listChannels, {})).result) ids[name] = id
  })
  afterAll(async () => {
    await service.close()
    await closeServer(provider)
    await rm(folder, { recursive: true, force: true })
  })

  async function manifestOf(name: string, { tokens }: Actor): Promise<string> {
    const input = { idChannel: ids[name] ?? 0, format: 'dash' } as const
    const { url } = (await service.call(channelStream, input, tokens)).result
    return (await service.app.inject({ url })).body
  }
  const addressesIn = (playlist: string) =>
    [...playlist.matchAll(/[\w-]+\.m3u8/g)].map(([address]) => address)

  it('V4-27 a right with a height lists no higher variant of HLS, and the others with their files', async () => {
    const playlist = await manifestOf('Hls', limited)
    expect(addressesIn(playlist)).toEqual([
      'fr.m3u8',
      'middle.m3u8',
      'low.m3u8',
      'sound.m3u8',
      'low-frames.m3u8',
    ])
    const [low = ''] = playlist.split('\n').filter((line) => line.endsWith('/low.m3u8'))
    expect((await service.app.inject({ url: low })).body).toContain('seg-1.m4s')
    expect(addressesIn(await manifestOf('Hls', free))).toEqual(addressesIn(HLS))
  })

  it('V4-25 a right with a height lists no higher video of DASH; where all is higher, the lowest remains', async () => {
    const heightsOf = (manifest: string) => {
      const { playlists } = parse(manifest, { manifestUri: 'http://localhost/main.mpd' })
      return playlists
        .flatMap(({ attributes }) => attributes.RESOLUTION?.height ?? [])
        .toSorted((a, b) => a - b)
    }
    const manifest = await manifestOf('Dash', limited)
    expect([...manifest.matchAll(/ id="(\w)"/g)].map(([, id]) => id)).toEqual([
      'm',
      'l',
      'a',
      't',
      'i',
      'h',
      'a',
    ])
    expect(manifest.match(/<AdaptationSet/g)).toHaveLength(6)
    expect(heightsOf(manifest)).toEqual([180, 360, 720, 1080])
    expect([...(await manifestOf('Dash', free)).matchAll(/ id="(\w)"/g)]).toHaveLength(9)
  })
})
