import { type ChildProcess, spawn } from 'node:child_process'
import { createCipheriv } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import { channelStream } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { keeperSocketPath } from '../../../control/ownership.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { Keeper } from '../../../ingest/live/keeper.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { LiveInputs } from './live-inputs.service.ts'

/** Timeout and interval of polling for signals, which arrive in real time. */
const SIGNAL = { timeout: 40_000, interval: 200 }
const KEY = 'the-key-of-the-studio'
const NESTED_KEY = Buffer.alloc(16, 7)

// One database is enough, because these tests take real time. `live-channels.test.ts` runs the queries on `MAIN_DB`.
describe('addresses of live inputs', { timeout: 120_000 }, () => {
  let service: TestService
  let builders: ReturnType<typeof buildersOf>
  let viewer: Actor
  let source: string
  let folder: string
  let inputs: LiveInputs
  let ticking: NodeJS.Timeout
  let provider: Server
  let base: string
  /** Paths that were requested from the provider, and from a server in a private network. */
  const asked: string[] = []
  const insideAsked: string[] = []
  let inside: Server
  const senders: ChildProcess[] = []
  const sockets: Socket[] = []

  beforeAll(async () => {
    service = await startTestService('embedded', { OUTBOUND_ALLOW: ['127.0.0.1'] })
    service.clock.set(Date.now())
    builders = buildersOf(service.context)
    viewer = await builders.actor()
    folder = join(service.context.settings.DATA_DIR, 'sources')
    await mkdir(join(folder, 'hls'), { recursive: true })
    source = join(folder, 'source.ts')
    await ffmpeg([...picture({ seconds: 60 }), ...tone(60), ...copyable, ...stereo, source])
    await writePlaylists()
    provider = createServer((request, response) => {
      const [url = ''] = (request.url ?? '').split('?')
      asked.push(url)
      if (url === '/live') createReadStream(source).pipe(response)
      else if (url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/live.ts' }).end()
      else if (/^\/(?:hls|dash-\d)\//.test(url))
        createReadStream(join(folder, url))
          .on('error', () => response.writeHead(404).end())
          .pipe(response)
      else response.writeHead(404).end()
    })
    base = await listening(provider)
    // The clock of the service follows real time, because signals arrive in real time.
    ticking = setInterval(() => service.clock.set(Date.now()), 20)
    inputs = new LiveInputs(service.context)
    await inputs.start(new AbortController().signal)
  })
  afterAll(async () => {
    for (const sender of senders) await stop(sender)
    for (const socket of sockets) socket.close()
    await inputs.close()
    clearInterval(ticking)
    for (const server of [provider, inside]) {
      server.closeAllConnections()
      server.close()
    }
    await service.remove()
  })

  /** Writes an HLS stream with separate sound, and playlists with forbidden addresses. */
  async function writePlaylists(): Promise<void> {
    await ffmpeg([
      ...commandLine`-i ${source} -map 0:v -map 0:a -c copy -bsf:a aac_adtstoasc -f hls -hls_time 4`,
      ...commandLine`-hls_playlist_type vod -hls_segment_type fmp4`,
      '-var_stream_map',
      'v:0,agroup:sound a:0,agroup:sound,language:fra',
      ...commandLine`-hls_segment_filename ${join(folder, 'hls', '%v-%d.m4s')} ${join(folder, 'hls', '%v.m3u8')}`,
    ])
    await writeFile(
      join(folder, 'hls', 'main.m3u8'),
      [
        '#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="fr",LANGUAGE="fr",DEFAULT=YES,URI="1.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="sound"\nlow.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO="sound"\n0.m3u8\n',
      ].join('\n'),
    )
    inside = createServer(({ url = '' }, response) => {
      insideAsked.push(url)
      response.end('secret')
    })
    // This playlist is encrypted inside a segment, so ffmpeg sees it only after decryption.
    const nested = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${await listening(inside)}/secret.ts\n#EXT-X-ENDLIST\n`
    const cipher = createCipheriv('aes-128-cbc', NESTED_KEY, Buffer.alloc(16))
    await writeFile(join(folder, 'hls', 'key'), NESTED_KEY)
    await writeFile(join(folder, 'hls', 'nested.ts'), Buffer.concat([cipher.update(nested), cipher.final()]))
    const head = '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n'
    await writeFile(
      join(folder, 'hls', 'nested.m3u8'),
      `${head}#EXT-X-KEY:METHOD=AES-128,URI="key"\n#EXTINF:2,\nnested.ts\n#EXT-X-ENDLIST\n`,
    )
    await writeFile(
      join(folder, 'hls', 'private.m3u8'),
      `${head}#EXTINF:2,\nhttp://10.0.0.1/segment.ts\n#EXT-X-ENDLIST\n`,
    )
  }

  function send(...words: string[]): ChildProcess {
    const sender = spawn('ffmpeg', [...commandLine`-nostdin -v error -re -i ${source} -c copy`, ...words], {
      stdio: 'ignore',
    })
    senders.push(sender)
    return sender
  }

  /** Sends RTMP as soon as the service listens on the port. */
  async function sendRtmp(port: number, path: string): Promise<ChildProcess> {
    await vi.waitFor(async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
    }, SIGNAL)
    return send('-f', 'flv', `rtmp://127.0.0.1:${port}/${path}`)
  }

  async function stop(sender: ChildProcess): Promise<void> {
    if (sender.exitCode !== null || sender.signalCode !== null) return
    sender.kill('SIGKILL')
    await once(sender, 'close')
  }

  /** Sends packets that are no stream, until the end of the test. */
  async function sendNoise(port: number): Promise<void> {
    const socket = createSocket('udp4')
    sockets.push(socket)
    const sending = setInterval(() => socket.send(Buffer.alloc(1316, 0x21), port, '127.0.0.1'), 5)
    socket.on('close', () => clearInterval(sending))
    await once(socket.bind(0, '127.0.0.1'), 'listening')
  }

  /** Creates a free channel with an input. @returns the id of the channel */
  async function addInput(number: number, address: string): Promise<number> {
    await runCommand(service, 'inputs add', [`${number}`, address], { name: `Direct ${number}` })
    return await freeChannel(number)
  }

  async function freeChannel(number: number): Promise<number> {
    await runCommand(service, 'channels set', [`${number}`], { free: 'yes', timeShift: '600' })
    const [row] = await service.context.db
      .select({ id: channels.id })
      .from(channels)
      .where(eq(channels.number, number))
    return row?.id ?? 0
  }

  /** Waits until a channel has three segments, and returns the playlist of a new viewer. */
  async function onAir(channelId: number): Promise<types.MediaPlaylist> {
    const { tokens } = await builders.actor()
    return await vi.waitFor(async () => {
      const { status, result } = await service.call(
        channelStream,
        { idChannel: channelId, format: 'hls' },
        tokens,
      )
      expect(status).toBe(200)
      const master = hls.parse((await service.app.inject({ url: result.url })).body) as types.MasterPlaylist
      const { pathname } = new URL(master.variants[0]?.uri ?? '', `http://x${result.url}`)
      const playlist = hls.parse((await service.app.inject({ url: pathname })).body) as types.MediaPlaylist
      expect(playlist.segments.length).toBeGreaterThanOrEqual(3)
      return playlist
    }, SIGNAL)
  }

  const isSteady = ({ segments }: types.MediaPlaylist) =>
    segments.every(({ discontinuity }) => !discontinuity)

  async function statusOf(number: number, expected: RegExp): Promise<string> {
    return await vi.waitFor(async () => {
      const status = await runCommand(service, 'inputs status', [`${number}`])
      expect(status).toMatch(expected)
      return status
    }, SIGNAL)
  }

  it('receives RTMP for several keys on one port, and refuses a wrong key and a second sender', async () => {
    const port = await freePort()
    const channelId = await addInput(50, `rtmp://:${port}/live/${KEY}`)
    const other = await addInput(51, `rtmp://:${port}/live/${KEY}-2`)
    const first = await sendRtmp(port, `live/${KEY}`)
    await statusOf(50, /on the air/)
    const { log } = new Keeper(keeperSocketPath(service.context.settings.DATA_DIR))
    for (const path of [`live/${KEY}-3`, `other/${KEY}`, `live/${KEY}`]) {
      const [status] = await once(await sendRtmp(port, path), 'close')
      expect(status).not.toBe(0)
    }
    const refusals = (await readFile(log, 'utf8')).match(/(?<=refused an RTMP sender: ).*/g)
    expect(refusals).toEqual(
      [
        'its stream key is not known',
        'its stream key is not known',
        'another sender uses its stream key',
      ].map((reason) => `127.0.0.1, port ${port}, ${reason}`),
    )
    expect(isSteady(await onAir(channelId))).toBe(true)
    expect(first.exitCode).toBeNull()
    await sendRtmp(port, `live/${KEY}-2`)
    expect(isSteady(await onAir(other))).toBe(true)
    const said = [
      await runCommand(service, 'inputs list'),
      await runCommand(service, 'inputs status'),
      await readFile(log, 'utf8'),
    ].join('\n')
    expect(said).toContain(`RTMP listener rtmp://:${port}/live/…`)
    expect(said).not.toContain(KEY)
    expect((await service.app.inject({ url: '/metrics' })).body).toMatch(
      /ondine_input_info\{channel="\d+",address="main",kind="RTMP listener"\} 1/,
    )
  })

  // Concurrent, because each of these tests waits for a signal most of the time.
  it.concurrent('is on the air again after an encoder of RTMP was restarted', async () => {
    const port = await freePort()
    const channelId = await addInput(52, `rtmp://127.0.0.1:${port}/live/${KEY}`)
    const sender = await sendRtmp(port, `live/${KEY}`)
    await onAir(channelId)
    await stop(sender)
    await statusOf(52, /52: silent/)
    await sendRtmp(port, `live/${KEY}`)
    await statusOf(52, /on the air/)
  })

  it.concurrent('receives MPEG-TS over HTTP', async () => {
    expect(isSteady(await onAir(await addInput(53, `${base}/live`)))).toBe(true)
    expect(await statusOf(53, /on the air/)).toMatch(/receives: HTTP http:\/\/127/)
  })

  it.concurrent('receives HLS with separate sound, the best variant only', async () => {
    const channelId = await addInput(54, `${base}/hls/main.m3u8`)
    expect(isSteady(await onAir(channelId))).toBe(true)
    expect(asked).toContain('/hls/0-0.m4s')
    expect(asked).toContain('/hls/1-0.m4s')
    expect(asked).not.toContain('/hls/low.m3u8')
    const { result } = await service.call(
      channelStream,
      { idChannel: channelId, format: 'dash' },
      viewer.tokens,
    )
    expect((await service.app.inject({ url: result.url })).body).toContain('contentType="audio"')
  })

  it.concurrent('receives a live playlist that gains and loses segments without a break, whatever its files are called', async () => {
    send(
      ...commandLine`-f hls -hls_time 2 -hls_list_size 6 -hls_flags delete_segments`,
      ...commandLine`-hls_segment_filename ${join(folder, 'hls', 'live-%d')} ${join(folder, 'hls', 'live.m3u8')}`,
    )
    const channelId = await addInput(66, `${base}/hls/live.m3u8`)
    const playlist = await vi.waitFor(async () => {
      const read = await onAir(channelId)
      expect(read.segments.length).toBeGreaterThanOrEqual(8)
      return read
    }, SIGNAL)
    expect(isSteady(playlist)).toBe(true)
    expect(await runCommand(service, 'inputs list')).toContain('66 Direct 66: HLS http://127')
  })

  it.concurrent('keeps ffmpeg from the address in a playlist that arrives as an encrypted segment', async () => {
    await addInput(56, `${base}/hls/nested.m3u8`)
    await vi.waitFor(() => expect(asked).toContain('/hls/key'), SIGNAL)
    await statusOf(56, /[1-9]\d* restarts/)
    expect(insideAsked).toEqual([])
  })

  it.concurrent('receives MPEG-TS over RTP, on the named network only, and again after its sender was restarted', async () => {
    const port = await freePort()
    const channelId = await addInput(57, `rtp://127.0.0.1:${port}`)
    const sender = send('-f', 'rtp_mpegts', `rtp://127.0.0.1:${port}`)
    expect(isSteady(await onAir(channelId))).toBe(true)
    const elsewhere = createSocket('udp4')
    sockets.push(elsewhere)
    await once(elsewhere.bind(port, '127.0.0.2'), 'listening')
    await stop(sender)
    await statusOf(57, /57: silent/)
    send('-f', 'rtp_mpegts', `rtp://127.0.0.1:${port}`)
    await statusOf(57, /on the air/)
  })

  it.concurrent('receives UDP on the named network only', async () => {
    const port = await freePort()
    const channelId = await addInput(58, `udp://127.0.0.1:${port}`)
    send('-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
    await onAir(channelId)
    const elsewhere = createSocket('udp4')
    sockets.push(elsewhere)
    await once(elsewhere.bind(port, '127.0.0.2'), 'listening')
  })

  it.concurrent.each([
    ['rtp', 59],
    ['udp', 67],
  ])('reports noise in place of a stream over %s', async (scheme, number) => {
    const port = await freePort()
    await addInput(number, `${scheme}://127.0.0.1:${port}`)
    await sendNoise(port)
    await statusOf(number, /nothing arrives that can be received/)
  })

  it.concurrent('receives a relay, so that viewers can go back in it, and relays it again afterwards', async () => {
    const list = join(folder, 'list.m3u')
    const write = async (path: string) =>
      await writeFile(list, `#EXTM3U\n#EXTINF:-1 tvg-chno="60",Ailleurs\n${base}${path}|User-Agent=Box\n`)
    const kindOf = async () =>
      (await service.call(listChannels, {}, viewer.tokens)).result.find(({ name }) => name === 'Ailleurs')
        ?.item.type
    await write('/hls/main.m3u8?token=secret')
    await runCommand(service, 'channels import', [list])
    expect(await kindOf()).toBe('relay')
    await expect(runCommand(service, 'inputs add', ['60', `${base}/live`])).rejects.toThrow(/--record/)
    await runCommand(service, 'inputs add', ['60'], { record: true })
    expect(await kindOf()).toBe('live')
    expect(isSteady(await onAir(await freeChannel(60)))).toBe(true)
    const listed = await runCommand(service, 'inputs list')
    expect(listed).toMatch(/60 Ailleurs: HLS http:\/\/127\.0\.0\.1:\d+\/…\/main\.m3u8\?… \(on the air/)
    // The imported list has another address, but the channel stays live.
    await write('/live')
    await runCommand(service, 'channels import', [list])
    expect(await kindOf()).toBe('live')
    expect(await runCommand(service, 'inputs list')).toMatch(
      /60 Ailleurs: HTTP http:\/\/127\.0\.0\.1:\d+\/live /,
    )
    await statusOf(60, /on the air/)
    await runCommand(service, 'inputs remove', ['60'])
    expect(await kindOf()).toBe('relay')
  })

  // One after the other, because each sends a signal that must not pause.
  it.each([
    ['names its segments by a template only', 65, 0],
    ['lists its segments', 71, 1],
  ])('receives a relay of DASH that %s, with its sound, without a break', async (_how, number, timeline) => {
    const [name, files, list] = [
      `Dash ${number}`,
      join(folder, `dash-${timeline}`),
      join(folder, `${number}.m3u`),
    ]
    await mkdir(files)
    send(
      ...commandLine`-map 0 -tag:v avc1 -tag:a mp4a -f dash -seg_duration 2 -window_size 5 -use_template 1 -use_timeline ${timeline}`,
      '-adaptation_sets',
      'id=0,streams=v id=1,streams=a',
      join(files, 'live.mpd'),
    )
    await vi.waitFor(async () => await readFile(join(files, 'live.mpd')), SIGNAL)
    await writeFile(
      list,
      `#EXTM3U\n#EXTINF:-1 tvg-chno="${number}",${name}\n${base}/dash-${timeline}/live.mpd\n`,
    )
    await runCommand(service, 'channels import', [list])
    await runCommand(service, 'inputs add', [`${number}`], { record: true })
    const channelId = await freeChannel(number)
    const playlist = await vi.waitFor(async () => {
      const read = await onAir(channelId)
      expect(read.segments.length).toBeGreaterThanOrEqual(8)
      return read
    }, SIGNAL)
    expect(isSteady(playlist)).toBe(true)
    expect(await statusOf(number, /on the air/)).toMatch(
      /receives: DASH http:.*320x180 at 25 frames\/s, sound/s,
    )
    await runCommand(service, 'inputs remove', [`${number}`])
    const listed = (await service.call(listChannels, {}, viewer.tokens)).result
    expect(listed.find((channel) => channel.name === name)?.item.type).toBe('relay')
  })

  describe('one input after the other', () => {
    afterEach(async () => {
      for (const [number] of (await runCommand(service, 'inputs list')).matchAll(/^(?:55|61|63)\b/gm))
        await runCommand(service, 'inputs remove', [number])
    })

    it.each([
      ['a redirect into a private network', '/away', /10\.0\.0\.1 is inside a private network/],
      [
        'a playlist that leads into a private network',
        '/hls/private.m3u8',
        /10\.0\.0\.1 is inside a private network/,
      ],
      ['an address that gives nothing', '/nothing', /status 404/],
      ['a playlist that is none', '/hls/key', /neither MPEG-TS nor an HLS playlist nor a DASH manifest/],
    ])('refuses %s, and tells why', async (_what, path, reason) => {
      await addInput(55, base + path)
      await statusOf(55, reason)
    })

    it.each<[what: string, taken: string, address: string, spare: string | undefined, message: RegExp]>([
      [
        'the port of UDP',
        'udp://127.0.0.1:6000',
        'udp://127.0.0.1:6000',
        undefined,
        /Channel 61 listens on the same/,
      ],
      ['the port on all networks', 'udp://127.0.0.1:6000', 'srt://:6000', undefined, /Channel 61 listens/],
      [
        'a group of a multicast',
        'udp://239.0.0.1:6000',
        'rtp://239.0.0.1:6000',
        undefined,
        /Channel 61 listens/,
      ],
      [
        'the control port of RTP',
        'rtp://127.0.0.1:6000',
        'udp://127.0.0.1:6001',
        undefined,
        /Channel 61 listens/,
      ],
      [
        'a sender of a multicast',
        'udp://10.0.0.1@232.0.0.1:6000',
        'udp://232.0.0.1:6000?sources=10.0.0.2,10.0.0.1',
        undefined,
        /Channel 61 listens/,
      ],
      [
        'every sender of a multicast',
        'udp://232.0.0.1:6000',
        'udp://10.0.0.1@232.0.0.1:6000',
        undefined,
        /Channel 61 listens/,
      ],
      ['a stream key', `rtmp://:6000/live/${KEY}`, `rtmp://:6000/live/${KEY}`, undefined, /same key/],
      [
        'its own spare',
        'udp://127.0.0.1:6000',
        'udp://127.0.0.1:6002',
        'udp://127.0.0.1:6002',
        /the spare listen on the same port/,
      ],
    ])('refuses an input where another one listens: %s', async (_what, taken, address, spare, message) => {
      await addInput(61, taken)
      const options = { name: 'X', ...(spare !== undefined && { spare }) }
      await expect(runCommand(service, 'inputs add', ['62', address], options)).rejects.toThrow(message)
      expect(await runCommand(service, 'channels list')).not.toContain('62 X')
    })

    it('creates another channel under a number that a channel had before', async () => {
      await runCommand(service, 'inputs add', ['68', 'udp://127.0.0.1:6010'], { name: 'Studio' })
      await runCommand(service, 'channels set', ['68'], { number: '69' })
      await runCommand(service, 'inputs add', ['68', 'udp://127.0.0.1:6012'], { name: 'Studio 2' })
      expect(await runCommand(service, 'channels list')).toMatch(/^68 Studio 2 .*\n69 Studio /m)
      for (const number of ['68', '69']) await runCommand(service, 'channels remove', [number], { yes: true })
      expect(await runCommand(service, 'inputs list')).not.toContain('Studio')
    })

    it.each([
      ['another group', 'udp://239.0.0.1:6000', 'udp://239.0.0.2:6000'],
      ['another sender', 'udp://10.0.0.1@232.0.0.1:6000', 'udp://10.0.0.2@232.0.0.1:6000'],
      ['another key', `rtmp://:6000/live/${KEY}`, `rtmp://:6000/live/${KEY}-2`],
      ['another transport', 'udp://127.0.0.1:6000', `rtmp://:6000/live/${KEY}`],
    ])('accepts %s on the same port, and the same input again', async (_what, taken, address) => {
      await runCommand(service, 'inputs add', ['61', taken], { name: 'Direct 61' })
      await runCommand(service, 'inputs add', ['63', address], { name: 'Direct 63' })
      await runCommand(service, 'inputs add', ['61', taken])
    })

    it.each([
      [
        'a fetch by RTMP',
        ['64', 'rtmp://studio.example/live/key-of-studio'],
        {},
        /RTMP is received, not fetched/,
      ],
      ['a short stream key', ['64', 'rtmp://:1935/live/key'], {}, /8 to 128/],
      [
        'a stream key without an application',
        ['64', `rtmp://:1935/${KEY}`],
        {},
        /an application and a stream key/,
      ],
      [
        'an option of RTMP',
        ['64', `rtmp://:1935/live/${KEY}?listen=1`],
        {},
        /an application and a stream key/,
      ],
      ['an option of RTP', ['64', 'rtp://127.0.0.1:5000?localaddr=10.0.0.1'], {}, /option localaddr/],
      [
        'a network without a group',
        ['64', 'udp://127.0.0.1:5000?interface=10.0.0.1'],
        {},
        /group of a multicast/,
      ],
      [
        'a network that is no address',
        ['64', 'udp://239.0.0.1:5000?interface=eth0'],
        {},
        /address of this machine/,
      ],
      ['a sender without a group', ['64', 'udp://10.0.0.1@127.0.0.1:5000'], {}, /only for a multicast group/],
      ['a sender by name', ['64', 'udp://studio@232.0.0.1:5000'], {}, /IPv4 address of a sender/],
      ['a sender of IPv6', ['64', 'udp://232.0.0.1:5000?sources=fd00::1'], {}, /IPv4 addresses/],
      ['an empty sender', ['64', 'rtp://232.0.0.1:5000?sources='], {}, /IPv4 addresses/],
      ['a password of a sender', ['64', 'udp://10.0.0.1:x@232.0.0.1:5000'], {}, /IPv4 address of a sender/],
      [
        'a listener that a streamid should protect',
        ['64', 'srt://:9000?streamid=studio/1'],
        {},
        /Use a passphrase/,
      ],
      [
        'a password before the host',
        ['64', 'http://me:secret@tv.example/live.ts'],
        {},
        /user name or password/,
      ],
      ['a private host of HTTP', ['64', 'https://10.1.2.3/live.m3u8'], {}, /private network/],
      ['no address', ['64'], {}, /Give an address, or --record/],
      [
        'an address and a relay',
        ['64', 'udp://127.0.0.1:5000'],
        { record: true },
        /Give an address, or --record/,
      ],
      ['a relay that is not there', ['64'], { record: true }, /relays nothing/],
    ])('refuses %s', async (_what, args, options, message) => {
      const add = runCommand(service, 'inputs add', args, { name: 'X', ...options })
      await expect(add).rejects.toThrow(message)
      expect(await runCommand(service, 'channels list')).not.toContain('64 X')
    })
  })
})

/** Listens on a free port. @returns the origin */
async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
