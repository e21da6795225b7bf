import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { channelStream } from '@ondine/contract/playback'
import type { TrackSet } from '@ondine/media/track-set'
import { asc, eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { DATABASES, startTestService, type TestService } from '../../../../test/service.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { packagerBinary } from '../../../ingest/packager-binary.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { liveSets } from '../../inventory/line-up/line-up.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { LiveInputs } from './live-inputs.service.ts'

const run = promisify(execFile)

const RULES = { kind: 'sequence', titles: ['nothing'] }
/** Timeout and interval of polling for signals, which arrive in real time. */
const SIGNAL = { timeout: 60_000, interval: 200 }

const picturesOf = ({ renditions }: TrackSet) => renditions.filter(({ kind }) => kind === 'video')

// One database is enough, because signals arrive in real time.
describe.each(DATABASES.slice(-1))('issue 19: a ladder of a live input, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let inputs: LiveInputs
  let ticking: NodeJS.Timeout
  let source: string
  let channel: { id: number; number: number }
  const senders: ChildProcess[] = []

  beforeAll(async () => {
    service = await startTestService(kind)
    service.clock.set(Date.now())
    make = buildersOf(service.context)
    source = join(service.context.settings.DATA_DIR, 'source.ts')
    const input = [...picture({ size: '960x540', rate: '25/2', seconds: 60 }), ...tone(60)]
    await ffmpeg([...input, ...copyable, '-g', '25', ...stereo, source])
    ticking = setInterval(() => service.clock.set(Date.now()), 20)
    const { db } = service.context
    await ensurePackage(db, 'sport', { fra: 'Sport', eng: 'Sport' }, 10)
    channel = await make.channel('Direct', RULES, { kind: 'live', inPackages: ['sport'] })
    inputs = new LiveInputs(service.context)
    await inputs.start(new AbortController().signal)
  })
  afterAll(async () => {
    for (const sender of senders) await stop(sender)
    await inputs.close()
    clearInterval(ticking)
    await service.remove()
  })

  function send(port: number): ChildProcess {
    const words = commandLine`-nostdin -v error -re -i ${source} -map 0 -c copy -f mpegts udp://127.0.0.1:${port}?pkt_size=1316`
    const sender = spawn('ffmpeg', words, { stdio: 'ignore' })
    senders.push(sender)
    return sender
  }

  async function stop(sender: ChildProcess): Promise<void> {
    if (sender.exitCode !== null || sender.signalCode !== null) return
    sender.kill('SIGKILL')
    await once(sender, 'close')
  }

  /** Returns the TrackSets of the channel, in order. */
  async function sets() {
    return await service.context.db
      .select({ isSlate: liveSets.isSlate, document: trackSets.document })
      .from(liveSets)
      .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
      .where(eq(liveSets.channelId, channel.id))
      .orderBy(asc(liveSets.position))
  }

  /** Waits for a TrackSet with both renditions after the first `after` TrackSets. @returns its description */
  async function withBoth(after: number, segments: number): Promise<TrackSet> {
    return await vi.waitFor(async () => {
      const found = (await sets()).slice(after).find(({ document }) => picturesOf(document).length === 2)
      const count = found?.document.renditions[0]?.segments.reduce((sum, [, each]) => sum + each, 0) ?? 0
      expect(count).toBeGreaterThanOrEqual(segments)
      return found?.document as TrackSet
    }, SIGNAL)
  }

  async function get(uri: string, base: string): Promise<{ pathname: string; bytes: Buffer }> {
    const { pathname } = new URL(uri, `http://x${base}`)
    const answer = await service.app.inject({ url: pathname })
    expect([pathname, answer.statusCode]).toEqual([pathname, 200])
    return { pathname, bytes: answer.rawPayload }
  }

  async function manifest(viewer: Actor, format: 'hls' | 'dash') {
    const { result } = await service.call(channelStream, { idChannel: channel.id, format }, viewer.tokens)
    const { pathname, bytes } = await get(result.url, result.url)
    return { pathname, text: bytes.toString() }
  }

  /** Returns the heights of video in a manifest, in order. */
  function heightsIn(text: string): number[] {
    const found = [...text.matchAll(/ height="(\d+)"|RESOLUTION=\d+x(\d+)/g)]
    return [...new Set(found.map(([, dash, master]) => Number(dash ?? master)))].toSorted((a, b) => a - b)
  }

  /** Decrypts the first `count` segments of a playlist. @returns the path of a file */
  async function decrypted(
    { pathname, bytes: text }: Awaited<ReturnType<typeof get>>,
    count: number,
  ): Promise<string> {
    const { DATA_DIR } = service.context.settings
    const playlist = hls.parse(text.toString()) as types.MediaPlaylist
    const [first] = playlist.segments
    const parts = [await get(first?.map?.uri ?? '', pathname)]
    for (const segment of playlist.segments.slice(0, count)) parts.push(await get(segment.uri, pathname))
    const { bytes: key } = await get(first?.key?.uri ?? '', pathname)
    const keyId = first?.key?.uri?.split('/').at(-1) ?? ''
    const name = pathname.split('/').at(-1) ?? ''
    const [fetched, clear] = [join(DATA_DIR, `${name}.mp4`), join(DATA_DIR, `${name}-clear.mp4`)]
    await writeFile(fetched, Buffer.concat(parts.map(({ bytes }) => bytes)))
    await run(packagerBinary(process.platform, process.arch), [
      `in=${fetched},stream=video,output=${clear}`,
      ...commandLine`--enable_raw_key_decryption --keys label=:key_id=${keyId}:key=${key.toString('hex')}`,
    ])
    return clear
  }

  it('V4-25 is on the air in HLS and DASH, with the heights of a right, before and after the slate', {
    timeout: 120_000,
  }, async () => {
    const port = await freePort()
    const number = `${channel.number}`
    await runCommand(service, 'inputs add', [number, `udp://127.0.0.1:${port}`], { ladder: '360, 720' })
    const sender = send(port)
    const document = await withBoth(0, 3)
    const [top, lower] = picturesOf(document)
    expect([top, lower].map((video) => [video?.id, video?.segments, video?.startTicks])).toEqual([
      ['v540', top?.segments, top?.startTicks],
      ['v360', top?.segments, top?.startTicks],
    ])
    expect(top?.segments[0]?.[0]).toBe(180_000)

    const viewer = await make.actor({ packages: { sport: {} } })
    expect(heightsIn((await manifest(viewer, 'dash')).text)).toEqual([360, 540])
    const master = await manifest(viewer, 'hls')
    expect(heightsIn(master.text)).toEqual([360, 540])
    const limited = await make.actor({ packages: { sport: { maximumHeight: 400 } } })
    expect(heightsIn((await manifest(limited, 'hls')).text)).toEqual([360])
    expect(heightsIn((await manifest(limited, 'dash')).text)).toEqual([360])

    const { variants } = hls.parse(master.text) as types.MasterPlaylist
    // Both are read before their segments, so that they begin with the same one.
    const playlists = await Promise.all(variants.map(async ({ uri }) => await get(uri, master.pathname)))
    const files: string[] = []
    for (const playlist of playlists) files.push(await decrypted(playlist, 2))
    const times = await Promise.all(
      files.map(async (file) => {
        const { stdout } = await run('ffprobe', [
          ...commandLine`-v error -select_streams v -show_entries frame=pts,key_frame -of csv=p=0`,
          file,
        ])
        return stdout.match(/^1,\d+/gm)
      }),
    )
    // Key frames have the same times.
    expect(times[0]).toHaveLength(2)
    expect(times[0]).toEqual(times[1])

    const status = await runCommand(service, 'inputs status', [number])
    expect(status).toContain('ladder: 720, 360')
    expect(status).toMatch(/960x540, 640x360 at 12\.5 frames\/s, sound und/)
    expect(status).toMatch(/, 640x360 is encoded/)
    expect(status).not.toMatch(/video is encoded|left out/)

    await stop(sender)
    await vi.waitFor(async () => expect((await sets()).at(-1)?.isSlate).toBe(true), SIGNAL)
    const before = (await sets()).length
    expect(heightsIn((await manifest(viewer, 'hls')).text)).toEqual([360, 540])
    send(port)
    await withBoth(before, 1)
    expect(heightsIn((await manifest(viewer, 'hls')).text)).toEqual([360, 540])
  })

  it.each(['5000', '', '720,720', '720,,360', '720;360', '240,360'])(
    'is refused as --ladder "%s", with the heights that are accepted',
    async (ladder) => {
      const adding = runCommand(service, 'inputs add', [`${channel.number}`, 'udp://127.0.0.1:5999'], {
        ladder,
      })
      await expect(adding).rejects.toThrow(/Accepted are 1080, 720, 360\./)
    },
  )
})
