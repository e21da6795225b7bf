import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { channelStream } from '@ondine/contract/playback'
import { desc, eq, isNull } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { parse as parseDash } from 'mpd-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { DATABASES, startTestService, type TestService } from '../../../../test/service.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { addStreams, teletextDescriptor, teletextPage } from '../../../ingest/live/test-transport-stream.ts'
import { packagerBinary } from '../../../ingest/packager-binary.ts'
import { copyable, ffmpeg, frameHashes, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { channels, liveInputs, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { LiveInputs } from './live-inputs.service.ts'
import { addSet } from './live-sets.repository.ts'
import { databaseTime, hasLiveSets, sweepLiveSets } from './sweep-live-sets.ts'

const run = promisify(execFile)

const RULES = { kind: 'sequence', titles: ['nothing'] }

/** Timeout and interval of polling for signals, which arrive in real time. */
const SIGNAL = { timeout: 40_000, interval: 200 }

// One database is enough, PostgreSQL if there is one, because signals arrive in real time. `live-channels.test.ts` and
// `live-recorder.test.ts` run the queries on `MAIN_DB`.
describe.each(DATABASES.slice(-1))('live inputs, on a database of kind %s', { timeout: 120_000 }, (kind) => {
  let service: TestService
  let builders: ReturnType<typeof buildersOf>
  /** A viewer for each channel, because the concurrent streams of a viewer are limited. */
  const viewers = new Map<number, Actor>()
  let source: string
  let inputs: LiveInputs
  let ticking: NodeJS.Timeout
  const senders: ChildProcess[] = []

  beforeAll(async () => {
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    service.clock.set(Date.now())
    builders = buildersOf(service.context)
    source = join(service.context.settings.DATA_DIR, 'source.ts')
    await ffmpeg([...picture({ seconds: 60 }), ...tone(60), ...copyable, ...stereo, source])
    // The clock of the service follows real time, because signals arrive in real time.
    ticking = setInterval(() => service.clock.set(Date.now()), 20)
    inputs = new LiveInputs(service.context)
    await inputs.start(new AbortController().signal)
  })
  afterAll(async () => {
    for (const sender of senders) await stop(sender)
    await inputs.close()
    clearInterval(ticking)
    await service.remove()
  })

  function send(address: string, path = source): ChildProcess {
    const words = commandLine`-nostdin -v error -re -i ${path} -map 0 -c copy -f mpegts ${address}`
    const sender = spawn('ffmpeg', words, { stdio: 'ignore' })
    senders.push(sender)
    return sender
  }

  async function stop(sender: ChildProcess): Promise<void> {
    if (sender.exitCode !== null || sender.signalCode !== null) return
    sender.kill('SIGKILL')
    await once(sender, 'close')
  }

  /** Creates a free channel with an input. @returns the id of the channel */
  async function addInput(number: number, address: string, spare?: string): Promise<number> {
    const options = { name: `Direct ${number}`, ...(spare !== undefined && { spare }) }
    await runCommand(service, 'inputs add', [`${number}`, address], options)
    await runCommand(service, 'channels set', [`${number}`], { free: 'yes', timeShift: '600' })
    const [row] = await service.context.db
      .select({ id: channels.id })
      .from(channels)
      .where(eq(channels.number, number))
    return row?.id ?? 0
  }

  async function watch(idChannel: number, format: 'hls' | 'dash') {
    const viewer = viewers.get(idChannel) ?? (await builders.actor())
    viewers.set(idChannel, viewer)
    return await service.call(channelStream, { idChannel, format }, viewer.tokens)
  }

  async function get(uri: string, base: string): Promise<{ pathname: string; bytes: Buffer }> {
    const { pathname } = new URL(uri, `http://x${base}`)
    const answer = await service.app.inject({ url: pathname })
    expect([pathname, answer.statusCode]).toEqual([pathname, 200])
    return { pathname, bytes: answer.rawPayload }
  }

  /** Waits until the channel is on the air, and returns the address of a playlist. */
  async function onAir(channelId: number): Promise<string> {
    const { url } = await vi.waitFor(async () => {
      const { status, result } = await watch(channelId, 'hls')
      expect(status).toBe(200)
      return result
    }, SIGNAL)
    const master = hls.parse((await get(url, url)).bytes.toString()) as types.MasterPlaylist
    return (await get(master.variants[0]?.uri ?? '', url)).pathname
  }

  const playlistAt = async (pathname: string) =>
    hls.parse((await get(pathname, pathname)).bytes.toString()) as types.MediaPlaylist

  // Concurrent, because each of these tests waits for a signal most of the time.
  it.concurrent('a signal over SRT is on the air: HLS and DASH, encrypted, with the frames that were sent', async () => {
    const port = await freePort()
    const passphrase = 'a-secret-of-the-studio'
    const channelId = await addInput(20, `srt://:${port}?mode=listener&passphrase=${passphrase}`)
    expect((await watch(channelId, 'hls')).error).toMatchObject({ code: -504 })
    send(`srt://127.0.0.1:${port}?mode=caller&connect_timeout=20000&passphrase=${passphrase}&pbkeylen=16`)

    const pathname = await onAir(channelId)
    const playlist = await vi.waitFor(async () => {
      const read = await playlistAt(pathname)
      expect(read.segments.length).toBeGreaterThanOrEqual(4)
      return read
    }, SIGNAL)
    expect(playlist).toMatchObject({ mediaSequenceBase: 0, targetDuration: 2, endlist: false })
    expect(playlist.segments.map(({ duration }) => duration)).toEqual(playlist.segments.map(() => 2))
    expect(playlist.segments.filter(({ discontinuity }) => discontinuity)).toEqual([])

    const [first] = playlist.segments
    const parts = [await get(first?.map?.uri ?? '', pathname)]
    for (const segment of playlist.segments) parts.push(await get(segment.uri, pathname))
    const { bytes: key } = await get(first?.key?.uri ?? '', pathname)
    const keyId = first?.key?.uri?.split('/').at(-1) ?? ''
    const { DATA_DIR } = service.context.settings
    const [fetched, clear] = [join(DATA_DIR, 'fetched.mp4'), join(DATA_DIR, 'clear.mp4')]
    await writeFile(fetched, Buffer.concat(parts.map(({ bytes }) => bytes)))
    await run(packagerBinary(process.platform, process.arch), [
      `in=${fetched},stream=video,output=${clear}`,
      ...commandLine`--enable_raw_key_decryption --keys label=:key_id=${keyId}:key=${key.toString('hex')}`,
    ])
    const sent = await frameHashes(source, 'v')
    const received = await frameHashes(clear, 'v')
    const at = sent.indexOf(received[0] ?? '')
    expect(at).toBeGreaterThanOrEqual(0)
    expect(received).toEqual(sent.slice(at, at + received.length))
    expect(received.length).toBe(playlist.segments.length * 50)

    const { url } = (await watch(channelId, 'dash')).result
    const dash = parseDash((await get(url, url)).bytes.toString(), { manifestUri: `http://x${url}` })
    expect(dash.playlists[0]?.segments?.length).toBeGreaterThanOrEqual(4)
    expect(Object.keys(dash.mediaGroups.AUDIO.audio ?? {})).toHaveLength(1)
    const status = await runCommand(service, 'inputs status', ['20'])
    expect(status).toMatch(/20 Direct 20: on the air from its main address/)
    expect(status).toMatch(/main: [\d.]+ Mbit\/s, heard .*, 0 frames lost/)
    expect(status).not.toContain(passphrase)
    expect(status).toMatch(/, \d+ segments late/)
    const { body: metrics } = await service.app.inject({ url: '/metrics' })
    for (const row of [
      /ondine_input_stored_bits_per_second\{channel="\d+"\} [1-9]/,
      /ondine_input_on_air_since_seconds\{channel="\d+",address="main"\} [1-9]\d{9}/,
      /ondine_input_late_segments_total\{channel="\d+",address="main"\} \d/,
    ])
      expect(metrics).toMatch(row)
  })

  it.concurrent('a source that stops for a moment has a late segment', async () => {
    const port = await freePort()
    const channelId = await addInput(28, `srt://:${port}`)
    const sender = send(`srt://127.0.0.1:${port}?mode=caller&connect_timeout=20000`)
    await onAir(channelId)
    const late = async () =>
      Number(/, (\d+) segments late/.exec(await runCommand(service, 'inputs status', ['28']))?.[1])
    const before = await late()
    sender.kill('SIGSTOP')
    const heardAt = Date.now()
    await vi.waitFor(() => expect(Date.now() - heardAt).toBeGreaterThan(3500), SIGNAL)
    sender.kill('SIGCONT')
    await vi.waitFor(async () => expect(await late()).toBeGreaterThan(before), SIGNAL)
  })

  it.concurrent('goes on after its source was restarted: numbers never go back, and one discontinuity is announced', async () => {
    const port = await freePort()
    const channelId = await addInput(21, `srt://:${port}`)
    const sender = send(`srt://127.0.0.1:${port}?mode=caller&connect_timeout=20000`)
    const pathname = await onAir(channelId)
    await stop(sender)
    const before = await playlistAt(pathname)
    send(`srt://127.0.0.1:${port}?mode=caller&connect_timeout=20000`)
    const after = await vi.waitFor(async () => {
      const read = await playlistAt(pathname)
      expect(read.segments.some(({ discontinuity }) => discontinuity)).toBe(true)
      return read
    }, SIGNAL)
    // A segment that a player has fetched keeps its number and its address.
    expect(after.mediaSequenceBase).toBe(before.mediaSequenceBase)
    expect(after.segments.slice(0, before.segments.length).map(({ uri }) => uri)).toEqual(
      before.segments.map(({ uri }) => uri),
    )
    const dates = after.segments.flatMap(({ programDateTime }) => programDateTime?.getTime() ?? [])
    expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  })

  it.concurrent('repeats a file without a discontinuity', async () => {
    const short = join(service.context.settings.DATA_DIR, "it's 4 s.ts")
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, short])
    const channelId = await addInput(25, short)
    const pathname = await onAir(channelId)
    const { segments } = await vi.waitFor(async () => {
      const read = await playlistAt(pathname)
      expect(read.segments.length).toBeGreaterThanOrEqual(4)
      return read
    }, SIGNAL)
    const odd = segments.filter(
      ({ discontinuity, duration }) => discontinuity || Math.abs(duration - 2) > 0.1,
    )
    expect(odd).toEqual([])
  })

  /** Encodes a file that can be sent for a minute. */
  async function made(name: string, options: string[]): Promise<string> {
    const path = join(service.context.settings.DATA_DIR, name)
    await ffmpeg([...options, path])
    return path
  }

  /** Returns the multivariant playlist that a new viewer receives. */
  async function masterOf(channelId: number): Promise<types.MasterPlaylist> {
    const { url } = (await watch(channelId, 'hls')).result
    return hls.parse((await get(url, url)).bytes.toString()) as types.MasterPlaylist
  }

  const setsOf = async (channelId: number) =>
    await service.context.db
      .select({ set: liveSets, document: trackSets.document })
      .from(liveSets)
      .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
      .where(eq(liveSets.channelId, channelId))
      .orderBy(liveSets.position)

  it.concurrent('goes on when its source comes back with another picture and more sounds', async () => {
    const other = await made('other.ts', [
      ...picture({ size: '640x360', rate: 50, seconds: 60 }),
      ...tone(60),
      ...commandLine`-map 0 -map 1 -map 1 -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 100 -sc_threshold 0`,
      ...stereo,
      ...commandLine`-metadata:s:a:0 language=fra -metadata:s:a:1 language=fra -metadata:s:a:2 language=eng`,
    ])
    const port = await freePort()
    const channelId = await addInput(31, `udp://127.0.0.1:${port}`)
    const sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    const pathname = await onAir(channelId)
    await stop(sender)
    send(`udp://127.0.0.1:${port}?pkt_size=1316`, other)
    const master = await vi.waitFor(async () => {
      const read = await masterOf(channelId)
      expect(read.variants[0]?.audio).toHaveLength(4)
      return read
    }, SIGNAL)
    const [variant] = master.variants
    expect(variant).toMatchObject({ resolution: { width: 640, height: 360 }, frameRate: 50 })
    const sounds = (variant?.audio ?? []).map(({ name, language }) => [name, language])
    expect(sounds.map(([, language]) => language)).toEqual([undefined, 'fr', 'fr', 'en'])
    expect(new Set(sounds.map(([name]) => name)).size).toBe(4)
    // The sessions of present viewers have the same playlists, with the new media.
    const { segments } = await playlistAt(pathname)
    const newest = (await setsOf(channelId)).at(-1)
    expect(segments.at(-1)?.uri).toContain(newest?.document.id)
    for (const { uri } of variant?.audio ?? []) {
      const playlist = await playlistAt(new URL(uri ?? '', `http://x${pathname}`).pathname)
      expect(Math.abs(playlist.segments.length - segments.length)).toBeLessThanOrEqual(1)
      await get(playlist.segments.at(-1)?.uri ?? '', pathname)
    }
    const dash = (await watch(channelId, 'dash')).result.url
    const { bytes } = await get(dash, dash)
    for (const period of bytes.toString().split('<Period ').slice(1))
      expect([...period.matchAll(/contentType="audio"/g)]).toHaveLength(4)
    await vi.waitFor(
      async () =>
        expect(await runCommand(service, 'inputs status', ['31'])).toMatch(
          /640x360 at 50 frames\/s, sound fra, fra, eng since \d/,
        ),
      SIGNAL,
    )
  })

  it.concurrent('shows a still picture beside sound alone, and adds silence to a picture alone', async () => {
    const sound = await made('sound.ts', [...tone(60), ...stereo])
    const silent = await made('silent.ts', [...picture({ seconds: 60 }), ...copyable])
    const port = await freePort()
    const channelId = await addInput(32, `udp://127.0.0.1:${port}`)
    let sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    const pathname = await onAir(channelId)
    for (const [path, format] of [
      [sound, /main: [^\n]*heard [^,]+, sound und since/],
      [silent, /main: [^\n]*320x180 at 25 frames\/s since/],
    ] as const) {
      await stop(sender)
      // Waits for silence between two sources, so that the status lists the streams of the next source.
      await vi.waitFor(
        async () => expect(await runCommand(service, 'inputs status', ['32'])).toMatch(/the source ended/),
        SIGNAL,
      )
      sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`, path)
      await vi.waitFor(
        async () => expect(await runCommand(service, 'inputs status', ['32'])).toMatch(format),
        SIGNAL,
      )
      await vi.waitFor(async () => {
        const newest = (await setsOf(channelId)).at(-1)
        expect(newest?.set.isSlate).toBe(false)
        expect(newest?.document.renditions.map(({ kind }) => kind)).toEqual(['video', 'audio'])
        const { segments } = await playlistAt(pathname)
        expect(segments.at(-1)?.uri).toContain(newest?.document.id)
      }, SIGNAL)
    }
    expect(await runCommand(service, 'inputs status', ['32'])).not.toContain('not stored')
  })

  it.concurrent('comes back from the slate with key frames every 10 s, and shows no slate while media arrives', async () => {
    const rare = await made('rare.ts', [
      ...picture({ seconds: 60 }),
      ...tone(60),
      ...commandLine`-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 250 -keyint_min 250 -sc_threshold 0`,
      ...stereo,
    ])
    const port = await freePort()
    const channelId = await addInput(35, `srt://:${port}`)
    const kinds = async () => (await setsOf(channelId)).map(({ set }) => set.isSlate)
    // A sender over SRT begins once it is connected, so that no key frame is missed.
    const address = `srt://127.0.0.1:${port}?mode=caller&connect_timeout=20000`
    const sender = send(address, rare)
    const pathname = await onAir(channelId)
    const { segments: before } = await playlistAt(pathname)
    expect(before[0]?.duration).toBeCloseTo(10, 1)
    await vi.waitFor(async () => {
      const { segments } = await playlistAt(pathname)
      expect(segments.length).toBeGreaterThan(before.length)
    }, SIGNAL)
    await stop(sender)
    await vi.waitFor(async () => expect(await kinds()).toEqual([false, true]), SIGNAL)
    send(address, rare)
    await vi.waitFor(async () => {
      const newest = (await setsOf(channelId)).at(-1)
      expect(newest?.set.isSlate).toBe(false)
      const { segments } = await playlistAt(pathname)
      const again = segments.filter(({ uri }) => uri.includes(newest?.document.id ?? 'none'))
      expect(again.length).toBeGreaterThan(1)
    }, SIGNAL)
    expect(await kinds()).toEqual([false, true, false])
    expect(await runCommand(service, 'inputs status', ['35'])).not.toContain('not stored')
  })

  it.concurrent('gets a picture when it began with sound alone', async () => {
    const sound = await made('radio.ts', [...tone(60), ...stereo])
    const port = await freePort()
    const channelId = await addInput(33, `udp://127.0.0.1:${port}`)
    const sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`, sound)
    await onAir(channelId)
    expect((await masterOf(channelId)).variants[0]?.resolution).toBeUndefined()
    await stop(sender)
    send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await vi.waitFor(
      async () => expect((await masterOf(channelId)).variants[0]?.resolution).toMatchObject({ width: 320 }),
      SIGNAL,
    )
    const { segments, mediaSequenceBase } = await playlistAt(await onAir(channelId))
    expect(segments.length).toBeGreaterThan(0)
    // The sequence numbers continue, but viewers cannot go back to the time without a picture.
    expect(mediaSequenceBase).toBeGreaterThan(0)
  })

  it.concurrent('offers subtitles from teletext, in HLS and in DASH', async () => {
    const captioned = await made('captioned.ts', [
      ...picture({ seconds: 20 }),
      ...tone(20),
      ...copyable,
      ...stereo,
    ])
    const units = Array.from({ length: 9 }, (_, index) => ({
      atSeconds: 1 + index * 2,
      isSection: false,
      payload: () => teletextPage([`Réplique ${index}`, 'x < y']),
    }))
    const descriptors = teletextDescriptor(['fre', 5, 0x88], ['ger', 2, 0x89])
    await addStreams(captioned, [{ pid: 0x110, type: 6, descriptors, units }])
    const port = await freePort()
    const channelId = await addInput(34, `udp://127.0.0.1:${port}`)
    send(`udp://127.0.0.1:${port}?pkt_size=1316`, captioned)
    const pathname = await onAir(channelId)
    const [subtitles] = await vi.waitFor(async () => {
      const found = (await masterOf(channelId)).variants[0]?.subtitles ?? []
      expect(found).toMatchObject([{ language: 'fr' }, { language: 'de' }])
      return found
    }, SIGNAL)
    const base = new URL(subtitles?.uri ?? '', `http://x${pathname}`).pathname
    const texts = await vi.waitFor(async () => {
      const { segments } = await playlistAt(base)
      const files = segments.filter(({ uri }) => uri.endsWith('.vtt') && !uri.endsWith('empty.vtt'))
      const read = await Promise.all(files.map(async ({ uri }) => (await get(uri, base)).bytes.toString()))
      expect(read.join('')).toMatch(/Réplique \d\nx &lt; y/)
      expect(files.length).toBeGreaterThan(2)
      return files.map(({ uri }) => uri)
    }, SIGNAL)
    for (const uri of texts) {
      const { bytes } = await get(uri.replace(/vtt$/, 'm4s'), base)
      expect(bytes.toString('latin1')).toContain('moof')
    }
    const dash = (await watch(channelId, 'dash')).result.url
    const manifest = (await get(dash, dash)).bytes.toString()
    for (const language of ['fr', 'de'])
      expect(manifest).toMatch(new RegExp(`contentType="text"[^>]*lang="${language}"`))
    expect(parseDash(manifest, { manifestUri: `http://x${dash}` }).mediaGroups.SUBTITLES).toBeDefined()
  })

  it.concurrent('changes to its spare address when the other one is silent, also at the start', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const channelId = await addInput(22, `udp://127.0.0.1:${port}`, `udp://127.0.0.1:${other}`)
    send(`udp://127.0.0.1:${other}?pkt_size=1316`)
    await vi.waitFor(
      async () =>
        expect(await runCommand(service, 'inputs status', ['22'])).toContain('from its spare address'),
      SIGNAL,
    )
    // The main address need not be steady for a minute, because the input has just begun.
    const main = send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await onAir(channelId)
    await vi.waitFor(
      async () =>
        expect(await runCommand(service, 'inputs status', ['22'])).toContain('from its main address'),
      SIGNAL,
    )
    await stop(main)
    await vi.waitFor(
      async () =>
        expect(await runCommand(service, 'inputs status', ['22'])).toContain('from its spare address'),
      SIGNAL,
    )
  })

  it.concurrent('receives an input although the address before it cannot be read', async () => {
    const { db } = service.context
    const unreadable = await addInput(26, `udp://127.0.0.1:${await freePort()}`)
    // Stores an address that only an earlier version accepted.
    await db
      .update(liveInputs)
      .set({ address: 'rtp://127.0.0.1' })
      .where(eq(liveInputs.channelId, unreadable))
    await onAir(await addInput(27, source))
    const list = await runCommand(service, 'inputs list')
    expect(list).toMatch(/26 .* \((?:silent|no process receives it)\)/)
    expect(list).toMatch(/27 .* \(on the air/)
  })

  it('shows a slate while its source is silent, without a gap, and the source again afterwards', async () => {
    const port = await freePort()
    const channelId = await addInput(24, `udp://127.0.0.1:${port}`)
    const sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    const pathname = await onAir(channelId)
    const logged = vi.spyOn(service.context.log, 'warn')
    await stop(sender)
    const sets = async () =>
      await service.context.db
        .select()
        .from(liveSets)
        .where(eq(liveSets.channelId, channelId))
        .orderBy(liveSets.position)
    await vi.waitFor(async () => expect(await sets()).toHaveLength(2), SIGNAL)
    await vi.waitFor(
      async () => expect(await runCommand(service, 'inputs status', ['24'])).toContain('24: silent'),
      SIGNAL,
    )
    const silence = expect.objectContaining({ channelId, side: 'main' })
    await vi.waitFor(() => expect(logged).toHaveBeenCalledWith(silence, 'a live input is silent'), SIGNAL)
    logged.mockRestore()
    send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await vi.waitFor(async () => expect(await sets()).toHaveLength(3), SIGNAL)
    const [signal, slate, again] = await sets()
    expect(slate).toMatchObject({ joint: 'break', discontinuitySequence: 1, startsAt: signal?.endsAt })
    expect(again).toMatchObject({ discontinuitySequence: 2 })
    const { segments } = await playlistAt(pathname)
    const ofSlate = segments.find(({ uri }) => uri.includes(slate?.trackSetId ?? 'none'))
    expect(ofSlate).toMatchObject({ discontinuity: true, duration: 2 })
    await get(ofSlate?.uri ?? '', pathname)
    await get(ofSlate?.map?.uri ?? '', pathname)
  })

  it('ends its TrackSet when it stops, and a new start continues the numbers', async () => {
    const port = await freePort()
    const channelId = await addInput(23, `udp://127.0.0.1:${port}`)
    send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await onAir(channelId)
    await inputs.close()
    const growing = await service.context.db.select().from(trackSets).where(eq(trackSets.isGrowing, true))
    expect(growing).toEqual([])
    inputs = new LiveInputs(service.context)
    await inputs.start(new AbortController().signal)
    const sets = await vi.waitFor(async () => {
      const rows = await service.context.db
        .select()
        .from(liveSets)
        .where(eq(liveSets.channelId, channelId))
        .orderBy(liveSets.position)
      expect(rows).toHaveLength(2)
      return rows
    }, SIGNAL)
    expect(sets[1]).toMatchObject({ discontinuitySequence: 1 })
    expect(sets[1]?.mediaSequence).toBeGreaterThan(0)
    // ffmpeg continued during the restart, so no media is missing.
    expect((sets[1]?.startsAt ?? 0) - (sets[0]?.endsAt ?? 0)).toBeLessThan(LIVE_SEGMENT_SECONDS * 1000)
  })

  it('a full disk is named, and logged once a minute, however many segments are lost', async () => {
    const channelId = await addInput(29, `srt://:${await freePort()}`)
    const [{ address } = { address: '' }] = await service.context.db
      .select({ address: liveInputs.address })
      .from(liveInputs)
      .where(eq(liveInputs.channelId, channelId))
    send(address.replace('srt://', 'srt://127.0.0.1').concat('?mode=caller&connect_timeout=20000'))
    await onAir(channelId)
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const writing = vi.spyOn(service.context.segments, 'write').mockRejectedValue(full)
    const logged = vi.spyOn(service.context.log, 'error')
    const status = async () => await runCommand(service, 'inputs status', ['29'])
    await vi.waitFor(async () => expect(await status()).toMatch(/[3-9] segments lost/), SIGNAL)
    expect(await status()).toContain('not stored: the disk is full')
    const lines = logged.mock.calls.filter(([fields, text]) => {
      const of = (fields as { channelId?: unknown }).channelId
      return text === 'a live segment was lost' && of === channelId
    })
    expect(lines).toHaveLength(1)
    writing.mockRestore()
    logged.mockRestore()
  })

  it('loses no segment by a slate that cannot be stored, which is tried again after a pause', async () => {
    const port = await freePort()
    const channelId = await addInput(31, `udp://127.0.0.1:${port}`)
    const sender = send(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await onAir(channelId)
    await stop(sender)
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const writing = vi.spyOn(service.context.segments, 'write').mockRejectedValue(full)
    const logged = vi.spyOn(service.context.log, 'error')
    await vi.waitFor(
      () =>
        expect(logged).toHaveBeenCalledWith(
          expect.objectContaining({ channelId }),
          'the slate of a silent input could not be stored',
        ),
      SIGNAL,
    )
    const status = async () => await runCommand(service, 'inputs status', ['31'])
    await vi.waitFor(async () => expect(await status()).toContain('not stored: the disk is full'), SIGNAL)
    expect(await status()).toContain(' 0 segments lost')
    writing.mockRestore()
    logged.mockRestore()
    await vi.waitFor(async () => {
      const [newest] = await service.context.db
        .select({ isSlate: liveSets.isSlate })
        .from(liveSets)
        .where(eq(liveSets.channelId, channelId))
        .orderBy(desc(liveSets.position))
        .limit(1)
      expect(newest).toEqual({ isSlate: true })
    }, SIGNAL)
    await vi.waitFor(async () => expect(await status()).not.toContain('not stored'), SIGNAL)
  })

  it('removes media that no viewer can reach, files and rows', async () => {
    const { context } = service
    for (const [number] of (await runCommand(service, 'inputs list')).matchAll(/^\d+/gm))
      await runCommand(service, 'inputs remove', [number])
    clearInterval(ticking)
    const known = async () => (await context.db.select().from(liveSets)).map(({ trackSetId }) => trackSetId)
    const folders = async () =>
      (await readdir(context.folders.media)).filter((name) => /^[0-9a-f]{32}$/.test(name))
    await vi.waitFor(async () => {
      const growing = await context.db.select().from(liveSets).where(isNull(liveSets.endsAt))
      expect(growing).toEqual([])
    }, SIGNAL)
    const before = await known()
    expect(before.length).toBeGreaterThan(0)
    const now = service.clock.now()
    expect(await sweepLiveSets(context, now)).toBe(0)
    // The sweep uses the clock of the database, so a process with a fast clock removes nothing.
    service.clock.advance(25 * 3600_000)
    expect(await sweepLiveSets(context, await databaseTime(context.db))).toBe(0)
    // The newest TrackSet of each channel remains, because the next TrackSet continues its sequence numbers.
    const rows = await context.db.select().from(liveSets).orderBy(liveSets.position)
    const newest = new Map(rows.map(({ channelId, trackSetId }) => [channelId, trackSetId]))
    const kept = [...newest.values()].toSorted()
    expect(await sweepLiveSets(context, service.clock.now())).toBe(before.length - kept.length)
    expect((await known()).toSorted()).toEqual(kept)
    expect((await folders()).toSorted()).toEqual(kept)
  })

  it.each([
    ['no number', ['one', 'udp://127.0.0.1:5000'], {}, /number of a channel/],
    ['an unknown channel', ['99', 'udp://127.0.0.1:5000'], {}, /no channel 99/],
    ['no address', ['30', 'studio'], { name: 'X' }, /no address/],
    ['an unknown scheme', ['30', 'ftp://127.0.0.1:5000'], { name: 'X' }, /ftp:\/\/ is not supported/],
    ['an address without a port', ['30', 'udp://239.0.0.1'], { name: 'X' }, /needs a port/],
    [
      'an option of ffmpeg',
      ['30', 'udp://127.0.0.1:5000?localaddr=10.0.0.1'],
      { name: 'X' },
      /option localaddr/,
    ],
    ['a short passphrase', ['30', 'srt://:5000?passphrase=short'], { name: 'X' }, /passphrase/],
    [
      'a passphrase that ends the option',
      ['30', 'srt://:5000?passphrase=long-enough%26mode=x'],
      { name: 'X' },
      /passphrase/,
    ],
    ['a caller without a host', ['30', 'srt://:5000?mode=caller'], { name: 'X' }, /needs a host/],
    ['a private host', ['30', 'srt://10.1.2.3:5000'], { name: 'X' }, /private network/],
    [
      'a spare in a private network',
      ['30', 'udp://127.0.0.1:5000'],
      { name: 'X', spare: 'srt://10.1.2.3:5000' },
      /private/,
    ],
    ['a latency without sense', ['30', 'srt://:5000?latency=-1'], { name: 'X' }, /latency/],
  ])('refuses %s, and adds no channel', async (_what, args, options, message) => {
    await expect(runCommand(service, 'inputs add', args, options)).rejects.toThrow(message)
    expect(await runCommand(service, 'channels list')).not.toContain('30 X')
  })

  it('refuses an input for a channel that plays something else', async () => {
    const rules = { kind: 'sequence', titles: ['Film'] }
    await builders.channel('Library', rules, { number: 40 })
    await expect(runCommand(service, 'inputs add', ['40', 'udp://127.0.0.1:5000'])).rejects.toThrow(
      /plays titles of the library/,
    )
    await expect(runCommand(service, 'inputs remove', ['40'])).rejects.toThrow(/has no input/)
    await expect(runCommand(service, 'inputs status', ['41'])).rejects.toThrow(/has no input/)
  })

  it('starts no timers once it is closed', async () => {
    const { db } = service.context
    // With this media, `LiveInputs` needs timers even without inputs, because a later sweep removes the media.
    const { id: channelId } = await buildersOf(service.context).channel('Left', RULES, {
      kind: 'live',
      rules: null,
    })
    const document = buildTrackSet({ seconds: 10, subtitles: [] })
    const set = {
      channelId,
      position: 0,
      startsAt: Date.now(),
      joint: 'break',
      mediaSequence: 0,
      discontinuitySequence: 0,
    } as const
    await db.transaction(async (tx) => await addSet(tx, set, document, Buffer.alloc(16)))
    await db.delete(liveInputs)
    expect(await hasLiveSets(db)).toBe(true)
    let reads = 0
    let closing: Promise<void> | undefined
    const racing: typeof db = new Proxy(db, {
      get: (target, name) => {
        // Closes `late` during the second read, after which the timers would start.
        if (name === 'select' && ++reads === 2) closing = late.close()
        return Reflect.get(target, name, target)
      },
    })
    const late: LiveInputs = new LiveInputs({ ...service.context, db: racing })
    // Tells the timers of `late` from those of the service of these tests, which may start at the same time.
    const ofLate = new AsyncLocalStorage<true>()
    const startTimer = globalThis.setInterval
    const started: unknown[] = []
    const timers = vi
      .spyOn(globalThis, 'setInterval')
      .mockImplementation((...timer: Parameters<typeof setInterval>) => {
        if (ofLate.getStore() === true) started.push(timer[1])
        return startTimer(...timer)
      })
    await ofLate.run(true, async () => await late.start(new AbortController().signal))
    await closing
    expect(closing).toBeDefined()
    expect(started).toEqual([])
    timers.mockRestore()
  })
})
