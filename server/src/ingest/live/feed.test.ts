import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { commandLine } from '../command-line.ts'
import { copyable, ffmpeg, picture, temporaryFolder } from '../test-media.ts'
import type { Cut } from './cutter.ts'
import { Feed, type FeedState } from './feed.ts'
import type { KeptInput } from './keeper.ts'
import { type FfmpegSource, type LiveSource, readSource } from './live-source.ts'
import { outputArguments } from './output-plan.ts'

const SECRET = 'a-secret-of-the-studio'

it('tells of a source that refuses it, without its secrets', async () => {
  const stopping = new AbortController()
  const address = `srt://127.0.0.1:1?passphrase=${SECRET}&streamid=studio/1`
  const source = readSource(address) as Extract<LiveSource, FfmpegSource>
  const feed = new Feed({
    source,
    open: async () => ({ source }),
    onCut: () => undefined,
    onFault: (error) => {
      throw error
    },
    onTeletextFault: () => undefined,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.waitFor(() => expect(feed.state.trouble).not.toBeNull(), { timeout: 15_000 })
  stopping.abort(new Error('the test is over'))
  await running
  expect(feed.state.trouble).toMatch(/the source/)
  expect(feed.state.trouble).not.toMatch(/secret|passphrase|streamid|studio/)
})

it('tries a source again after a fault that has no message, and reports it once', async () => {
  const stopping = new AbortController()
  const fault = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })
  const faults: unknown[] = []
  let tries = 0
  vi.useFakeTimers()
  const feed = new Feed({
    source: readSource('udp://127.0.0.1:5000'),
    open: async () => {
      if (++tries === 4) stopping.abort(new Error('the test is over'))
      throw fault
    },
    onCut: () => undefined,
    onFault: (error) => faults.push(error),
    onTeletextFault: () => undefined,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.advanceTimersByTimeAsync(20_000)
  vi.useRealTimers()
  await running
  expect(tries).toBe(4)
  expect(faults).toEqual([fault])
  expect(feed.state.trouble).toMatch(/fault of this program/)
})

it('issue 19: gives the lower renditions up if the machine is too slow, and tries them again after 10 minutes', {
  timeout: 30_000,
}, async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'made.mp4')
  const lower = { rate: { numerator: 25, denominator: 1 }, width: 160, height: 90, bitRate: 100_000 }
  const plan = {
    picture: { index: 0, encoding: null, lower: [lower] },
    sounds: [],
    teletext: null,
    splices: null,
  }
  const source = join(folder.path, 'source.ts')
  await ffmpeg([...picture({ seconds: 14 }), ...copyable, source])
  await ffmpeg(['-i', source, ...outputArguments(plan).map((word) => (word === 'pipe:1' ? file : word))])
  const pieces = boxesOf(await readFile(file))
  const messages =
    "[info] Input #0, mpegts, from 'x':\n[info]   Stream #0:0: Video: h264 (High), yuv420p(progressive), 1280x720, 25 fps, 25 tbr, 90k tbn\n[info] Output #0, mp4, to 'pipe:1':\n"
  const stopping = new AbortController()
  let now = Date.now()
  const runs: (readonly string[])[] = []
  const kept: KeptInput = {
    messages: async () => messages,
    run: async ({ start, signal, onMessages, onOutput }) => {
      if ('arguments' in start) runs.push(start.arguments)
      onMessages(messages)
      for (const piece of pieces) {
        if (signal.aborted) throw signal.reason
        // In the first run, the media takes twice as long as it plays.
        now += ((runs.length === 1 ? 2 : 1) * 14_000) / pieces.length
        onOutput(piece, { ageMs: 0, release: () => undefined })
      }
      states.push({ lower: [...feed.state.lower], left: [...feed.state.left] })
      now += 10 * 60_000
      if (runs.length === 3) stopping.abort(new Error('the test is over'))
      else await once(signal, 'abort')
      throw signal.reason
    },
    release: () => undefined,
    leave: () => undefined,
  }
  const udp = readSource('udp://127.0.0.1:5000') as Extract<LiveSource, FfmpegSource>
  const heights: number[] = []
  const states: Pick<FeedState, 'lower' | 'left'>[] = []
  const feed = new Feed({
    source: udp,
    ladder: [1080, 360],
    open: async () => ({ source: udp }),
    kept,
    onCut: ({ tracks }) => heights.push(tracks.length),
    onFault: (error) => {
      throw error
    },
    onTeletextFault: () => undefined,
    now: () => now,
    signal: stopping.signal,
  })
  await feed.run()
  expect(runs.map((words) => words.includes('-filter_complex'))).toEqual([true, false, true])
  expect([heights[0], heights.at(-1)]).toEqual([2, 2])
  expect(states).toEqual([
    { lower: [], left: [expect.stringMatching(/lower renditions .* too slow/)] },
    { lower: ['640x360'], left: [] },
  ])
})

/** Splits fragmented MP4 into its boxes. */
function boxesOf(bytes: Buffer): Buffer[] {
  const boxes: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    boxes.push(bytes.subarray(at, at + size))
    at += size
  }
  return boxes
}

it('does not restart a running ffmpeg for news that an earlier process has received', async () => {
  const stopping = new AbortController()
  const messages = [
    "[info] Input #0, mpegts, from 'x':",
    '[info]   Stream #0:0[0x100]: Video: h264 (High), yuv420p(progressive), 1280x720, 50 fps, 50 tbr, 90k tbn',
    '[info]   Stream #0:1[0x101]: Audio: mp3, 0 channels',
    "[info] Output #0, mp4, to 'pipe:1':",
    '[mpegts @ 0x1] [warning] New data stream 0:2 at pos:1 and DTS:2s',
    "[info] Output #1, null, to 'pipe:':",
    '',
  ].join('\n')
  let runs = 0
  /** Sends the messages again, as the keeper does. */
  const kept: KeptInput = {
    messages: async () => messages,
    run: async ({ signal, onMessages }) => {
      runs++
      onMessages(messages)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason
    },
    release: () => undefined,
    leave: () => undefined,
  }
  vi.useFakeTimers()
  const source = readSource('udp://127.0.0.1:5000') as Extract<LiveSource, FfmpegSource>
  const feed = new Feed({
    source,
    open: async () => ({ source }),
    kept,
    onCut: () => undefined,
    onFault: (error) => {
      throw error
    },
    onTeletextFault: () => undefined,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.advanceTimersByTimeAsync(9 * 60_000)
  expect(runs).toBe(1)
  // The awaited sound is taken at last.
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  expect(runs).toBe(2)
  stopping.abort(new Error('the test is over'))
  vi.useRealTimers()
  await running
})

it('accepts a picture that changes to fields again and again, once ffmpeg has read it again', async () => {
  await using folder = await temporaryFolder()
  /** Makes the output of ffmpeg for 5 s of a live input. */
  const made = async (atSeconds: number, options: string[]) => {
    const path = join(folder.path, `${atSeconds}.mp4`)
    await ffmpeg([
      ...picture({ seconds: 5 }),
      ...copyable,
      ...options,
      ...commandLine`-bsf:v dump_extra=freq=keyframe -output_ts_offset ${atSeconds} -video_track_timescale 90000`,
      ...commandLine`-movflags +empty_moov+delay_moov+default_base_moof+frag_keyframe -use_editlist 0 ${path}`,
    ])
    return await readFile(path)
  }
  const begin = await made(10, [])
  const fields = await made(15, commandLine`-flags +ildct+ilme -x264-params tff=1`)
  // Without the header, so that the change is within the stream.
  const output = [begin, fields.subarray(fields.indexOf('moof') - 4)]
  const list = [
    "[info] Input #0, mpegts, from 'x':",
    '[info]   Stream #0:0[0x100]: Video: h264 (High), yuv420p(progressive), 320x180, 25 fps, 25 tbr, 90k tbn',
    "[info] Output #0, mp4, to 'pipe:1':",
    '',
  ].join('\n')
  const stopping = new AbortController()
  let runs = 0
  const kept: KeptInput = {
    messages: async () => '',
    run: async ({ signal, onMessages, onOutput }) => {
      runs++
      onMessages(list)
      for (const chunk of output) onOutput(chunk, { ageMs: 0, release: () => undefined })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason
    },
    release: () => undefined,
    leave: () => undefined,
  }
  const cuts: Cut[] = []
  let time = 0
  const source = readSource('udp://127.0.0.1:5000') as Extract<LiveSource, FfmpegSource>
  const feed = new Feed({
    source,
    open: async () => ({ source }),
    kept,
    onCut: (cut) => cuts.push(cut),
    onFault: (error) => {
      throw error
    },
    onTeletextFault: () => undefined,
    // Each piece of output arrives after a pause.
    now: () => (time += 50),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.waitFor(() => expect(cuts.at(-1)?.tracks[0]?.format).toMatchObject({ isPlain: false }), 15_000)
  expect(runs).toBe(2)
  stopping.abort(new Error('the test is over'))
  await running
})
