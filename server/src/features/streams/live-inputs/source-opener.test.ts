import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { commandLine } from '../../../ingest/command-line.ts'
import { readSource } from '../../../ingest/live/live-source.ts'
import type { OpenSource, SourceRequest } from '../../../ingest/live/source-request.ts'
import { KeptSources } from './kept-sources.ts'
import { openerOf } from './source-opener.ts'

describe('the addresses of inputs', () => {
  const stopping = new AbortController()
  let server: Server
  let base: string
  const answers = new Map<string, string | Buffer>()

  beforeEach(async () => {
    answers.clear()
    server = createServer(({ url = '' }, response) => {
      const answer = answers.get(url)
      if (typeof answer === 'string' && answer.startsWith('http'))
        response.writeHead(302, { location: answer }).end()
      else if (answer === undefined) response.writeHead(404).end()
      else response.end(answer)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Opens an HTTP address as the keeper does. */
  async function open(
    address: string,
    allow = ['127.0.0.1', 'localhost'],
    sources = new KeptSources(() => undefined),
  ): Promise<OpenSource> {
    const source = readSource(address)
    if (source.kind !== 'http') throw new Error('The address is not one of HTTP.')
    const request: SourceRequest = { source, headers: {}, allow }
    return await sources.open('input', request, stopping.signal)
  }

  /** Opens an address that is not HTTP, for ffmpeg. */
  const openPackets = async (address: string, allow = ['127.0.0.1', 'localhost']) =>
    await openerOf(readSource(address), {}, allow)()

  it('gives ffmpeg the checked address of an SRT host, so that ffmpeg does not resolve the name again', async () => {
    expect(await openPackets('srt://localhost:9000?passphrase=long-enough-now')).toMatchObject({
      source: {
        kind: 'srt',
        host: expect.stringMatching(/^(?:127\.0\.0\.1|\[::1\])$/),
        port: 9000,
        passphrase: 'long-enough-now',
      },
    })
  })

  it.each([
    ['a name', 'srt://localhost:9000'],
    ['an address', 'srt://10.1.2.3:9000'],
    ['an address of HTTP', 'http://192.168.0.1/live.ts'],
  ])('refuses %s inside a private network', async (_what, address) => {
    const opening = address.startsWith('http') ? open(address, []) : openPackets(address, [])
    await expect(opening).rejects.toThrow(/inside a private network/)
  })

  it('refuses a host without an address', async () => {
    await expect(openPackets('srt://nowhere.invalid:9000')).rejects.toThrow('nowhere.invalid has no address.')
  })

  it('refuses a redirect into a private network', async () => {
    answers.set('/live.ts', 'http://10.0.0.1/live.ts')
    await expect(open(`${base}/live.ts`)).rejects.toThrow(/10\.0\.0\.1 is inside a private network/)
  })

  it.each<[what: string, answer: string | Buffer | undefined, reason: RegExp]>([
    [
      'noise',
      Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251)),
      /neither MPEG-TS nor/,
    ],
    ['a page', '<html>', /neither MPEG-TS nor/],
    ['a list of channels that is empty', '', /neither MPEG-TS nor/],
    ['nothing', undefined, /status 404/],
  ])('refuses an address that gives %s', async (_what, answer, reason) => {
    if (answer !== undefined) answers.set('/live', answer)
    await expect(open(`${base}/live`)).rejects.toThrow(reason)
  })

  it('recognises MPEG-TS that begins in the middle of a packet, and passes on all of it', async () => {
    const packets = Buffer.concat(
      Array.from({ length: 20 }, (_, index) =>
        Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, index)]),
      ),
    ).subarray(100)
    answers.set('/live', packets)
    const { source, input } = await open(`${base}/live`)
    expect(source).toEqual({ kind: 'mpegts' })
    expect(Buffer.concat((await input?.toArray()) ?? [])).toEqual(packets)
  })

  describe('that give a DASH manifest', () => {
    const manifest = (template: string, inside = '') =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z" minimumUpdatePeriod="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011">
        <Period id="0" start="PT0S">
          <AdaptationSet mimeType="video/mp4" codecs="avc1.64001f">${inside}
            <SegmentTemplate timescale="1" duration="2" startNumber="0" ${template}/>
            <Representation id="low" bandwidth="100000"/><Representation id="best" bandwidth="900000"/>
          </AdaptationSet>
          <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="fr">
            <SegmentTemplate timescale="1" duration="2" startNumber="0" ${template}/>
            <Representation id="sound" bandwidth="96000"/>
          </AdaptationSet>
        </Period></MPD>`

    async function opened(body: string): Promise<OpenSource & { playlist(name: string): Promise<string> }> {
      answers.set('/live/main.mpd', body)
      const opening = await open(`${base}/live/main.mpd`)
      const { source } = opening
      if (source.kind !== 'hls') throw new Error('The address is not a manifest.')
      const playlist = async (name: string) => await (await fetch(new URL(name, source.address))).text()
      return { ...opening, playlist }
    }

    it('are read as playlists of the best picture and the sound, whose numbers continue', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
      onTestFinished(() => void vi.useRealTimers())
      const { playlist, source, close } = await opened(
        manifest('media="$RepresentationID$-$Number$.m4s" initialization="$RepresentationID$.mp4"'),
      )
      const master = await playlist('main.m3u8')
      expect(master).toMatch(/TYPE=AUDIO.*LANGUAGE="fr",URI="dash\/sound.m3u8"/)
      expect(master.split('\n').filter((line) => /^[^#]/.test(line))).toEqual(['dash/best.m3u8'])
      const filesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('/'))
      const first = await playlist('dash/best.m3u8')
      expect(first).toContain('#EXT-X-MAP:')
      // A minute of segments, not all since 1970.
      expect(filesOf(first)).toHaveLength(30)
      const [oldest = '', second = ''] = filesOf(first)
      const number = Number(/best-(\d+)\.m4s/.exec(oldest)?.[1])
      answers.set(`/live/best-${number}.m4s`, 'segment')
      expect(await (await fetch(new URL(oldest, source.kind === 'hls' ? source.address : ''))).text()).toBe(
        'segment',
      )
      vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 2))
      const next = await playlist('dash/best.m3u8')
      expect(filesOf(next)[0]).toBe(second)
      expect([first, next].map((text) => /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])).toEqual(['0', '1'])
      // A cache of the provider may answer with an older manifest once more.
      vi.setSystemTime(Date.UTC(2026, 0, 1))
      expect(await playlist('dash/best.m3u8')).toBe(next)
      vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 4))
      const last = await playlist('dash/best.m3u8')
      expect(last).toContain('#EXT-X-MEDIA-SEQUENCE:2\n')
      for (const text of [next, last]) expect(text).not.toContain('#EXT-X-DISCONTINUITY\n')
      close?.()
    })

    it.each([
      [
        'the stream is protected',
        '<ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/>',
        'media="$Number$.m4s"',
        /protected by the provider/,
      ],
      [
        'a segment is inside a private network',
        '<BaseURL>http://10.0.0.1/</BaseURL>',
        'media="$Number$.m4s"',
        /private network/,
      ],
    ])('end when %s, and tell why', async (_what, inside, template, reason) => {
      const { playlist, source, signal, close } = await opened(manifest(template, inside))
      const text = await playlist('dash/best.m3u8')
      const [file = ''] = text.split('\n').filter((line) => line.startsWith('/'))
      if (file !== '') await fetch(new URL(file, source.kind === 'hls' ? source.address : ''))
      expect(`${signal?.reason}`).toMatch(reason)
      close?.()
    })
  })

  describe('that give a playlist', () => {
    const MEDIA = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nseg.ts\n#EXTINF:2,\nhttp://10.0.0.1/seg.ts\n'

    async function playlist(): Promise<{ opening: OpenSource; text: string; address: string }> {
      answers.set('/live/main.m3u8', MEDIA)
      answers.set('/live/seg.ts', 'segment')
      const opening = await open(`${base}/live/main.m3u8`)
      if (opening.source.kind !== 'hls') throw new Error('The address is not a playlist.')
      const { address } = opening.source
      return { opening, address, text: await (await fetch(address)).text() }
    }

    it('are read through a gateway on this machine, which fetches the segments', async () => {
      const { opening, text, address } = await playlist()
      expect(text).not.toContain('10.0.0.1')
      const [first = ''] = text.split('\n').filter((line) => line.startsWith('/'))
      expect(await (await fetch(new URL(first, address))).text()).toBe('segment')
      opening.close?.()
      await expect(fetch(address)).rejects.toThrow()
    })

    it('end when a segment is inside a private network', async () => {
      const { opening, text, address } = await playlist()
      const [, second = ''] = text.split('\n').filter((line) => line.startsWith('/'))
      expect((await fetch(new URL(second, address))).status).toBeGreaterThan(499)
      expect(opening.signal?.reason).toMatchObject({ fault: 'private-address' })
      opening.close?.()
    })

    it('are not shown again once their event has ended, until they are live again', async () => {
      const sources = new KeptSources(() => undefined)
      /** Reads the playlist in one run of ffmpeg, for each of these answers. */
      const run = async (...bodies: string[]) => {
        answers.set('/live/main.m3u8', bodies[0] ?? '')
        const opening = await open(`${base}/live/main.m3u8`, undefined, sources)
        if (opening.source.kind !== 'hls') throw new Error('The address is not a playlist.')
        const statuses: number[] = []
        for (const body of bodies) {
          answers.set('/live/main.m3u8', body)
          statuses.push((await fetch(opening.source.address)).status)
          // The gateway shares a playlist for a second.
          await vi.advanceTimersByTimeAsync(1500)
        }
        opening.close?.()
        return { statuses, reason: opening.signal?.reason as unknown }
      }
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const ended = `${MEDIA}#EXT-X-ENDLIST\n`
      // A film, which is repeated.
      expect((await run(ended)).statuses).toEqual([200])
      expect((await run(ended)).statuses).toEqual([200])
      expect((await run(MEDIA, ended)).statuses).toEqual([200, 200])
      const { statuses, reason } = await run(ended)
      expect(statuses[0]).toBeGreaterThan(499)
      expect(reason).toMatchObject({ message: expect.stringMatching(/has ended.*`inputs release`/) })
      expect((await run(MEDIA)).statuses).toEqual([200])
    })

    it('leave ffmpeg no way to another address', async () => {
      const { opening } = await playlist()
      const asked: string[] = []
      server.on('request', ({ url = '' }: IncomingMessage) => asked.push(url))
      const words = commandLine`-nostdin -v error -i ${base}/live/seg.ts -f null -`
      const ffmpeg = spawn('ffmpeg', words, { env: { PATH: process.env.PATH, ...opening.environment } })
      let said = ''
      ffmpeg.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await once(ffmpeg, 'close')
      expect(said).toContain('404')
      expect(asked).toEqual([])
      opening.close?.()
    })

    it('show nothing to programs that do not know the secret path', async () => {
      const { opening, address } = await playlist()
      const { origin } = new URL(address)
      for (const path of ['/', '/play/x/relay/main.m3u8', `/${base}/live/seg.ts`])
        expect((await fetch(origin + path)).status).toBe(404)
      opening.close?.()
    })
  })
})
