import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findBox } from '../boxes.ts'
import { commandLine } from '../command-line.ts'
import { ffmpeg, picture, stereo, temporaryFolder, tone } from '../test-media.ts'
import { readAvcConfiguration, readSequenceParameters } from './avc.ts'
import type { Cut, CutTrack } from './cutter.ts'
import { Feed, type FeedState } from './feed.ts'
import { freePort } from './free-port.ts'
import { readSource } from './live-source.ts'
import { sendInRealTime } from './test-sender.ts'
import { addStreams, spliceInsert, teletextDescriptor, teletextPage } from './test-transport-stream.ts'

/** Long limits, because signals arrive in real time. */
const SIGNAL = { timeout: 60_000, interval: 100 }

const H264 = commandLine`-c:v libx264 -preset ultrafast -pix_fmt yuv420p -sc_threshold 0`
const INTERLACED = commandLine`-flags +ildct+ilme -top 1`

// Each test waits for its signal most of the time, so they run at the same time.
describe.concurrent('formats of live inputs', { timeout: 120_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(async () => await folder[Symbol.asyncDispose]())

  /** Makes an MPEG-TS file. @returns its path */
  async function made(options: string[]): Promise<string> {
    const path = join(folder.path, `${randomBytes(4).toString('hex')}.ts`)
    await ffmpeg([...options, ...commandLine`-f mpegts ${path}`])
    return path
  }

  it('finds a key frame, although it joins between two that are 10 s apart', async () => {
    await using signals = new Signals()
    const path = await made([...picture({ seconds: 60 }), ...tone(60), ...H264, '-g', '250', ...stereo])
    await from(path, 0.04)
    const port = await freePort()
    const { state, cuts } = signals.receive(port)
    // Faster than it plays, because only the times of the stream count.
    await signals.sendBytes(path, port, 28)
    await vi.waitFor(() => expect(cuts).toHaveLength(2), SIGNAL)
    expect(cuts.map(({ tracks }) => tracks.map(({ format }) => format.track.kind))).toEqual([
      ['video', 'audio'],
      ['video', 'audio'],
    ])
    expect(cuts.map(({ tracks: [video] }) => video?.durationTicks)).toEqual([900_000, 900_000])
    expect(state.restarts).toBeLessThanOrEqual(1)
    expect(state.trouble).toBeNull()
  })

  it('cuts a signal that the network delays by up to 2 s, now less and now more, without a loss', async () => {
    await using signals = new Signals()
    const path = await made([...picture({ seconds: 20 }), ...tone(20), ...H264, '-g', '50', ...stereo])
    const { state, cuts } = await signals.received(path, 6, async (port) => {
      // Nothing arrives for 2 s, and then all packets of that time.
      await signals.sendBytes(path, port, 20, (sentMs) => sentMs % 2000)
    })
    for (const { tracks } of cuts) {
      const [video, sound] = tracks
      expect([video?.samples.length, video?.durationTicks]).toEqual([50, 180_000])
      expect((sound?.durationTicks ?? 0) / 48_000).toBeCloseTo(2, 1)
    }
    expect(state).toMatchObject({
      restarts: 0,
      trouble: null,
      counts: { lostFrames: 0, jumps: 0, silentFrames: 0 },
    })
  })

  it.each([
    [
      'fields',
      '960x540',
      [720, 360],
      ['960x540', '640x360'],
      [...INTERLACED, ...commandLine`-pix_fmt yuv420p`],
    ],
    ['4:2:2, and is larger than the ladder', '1280x720', [360], ['640x360'], commandLine`-pix_fmt yuv422p`],
    ['4:2:0, but is larger than the ladder', '960x540', [360], ['640x360'], commandLine`-pix_fmt yuv420p`],
  ])(
    'issue 19: encodes all renditions of a picture that has %s',
    async (_what, size, ladder, sizes, options) => {
      await using signals = new Signals()
      const input = [...picture({ size, rate: 10, seconds: 8 }), ...tone(8)]
      const encoding = commandLine`-c:v libx264 -preset ultrafast -g 20 -sc_threshold 0`
      const path = await made([...input, ...encoding, ...options, ...stereo])
      const { state, cuts } = await signals.received(path, 2, undefined, ladder)
      expect(state).toMatchObject({ encoded: ['video'], lower: sizes.slice(1), left: [], trouble: null })
      expect(state.format?.text).toBe(`${sizes.join(', ')} at 10 frames/s, sound und`)
      for (const { tracks } of cuts) {
        const pictures = tracks.filter(({ format }) => format.track.kind === 'video')
        expect(pictures.map(({ format: { width, height } }) => `${width}x${height}`)).toEqual(sizes)
        for (const video of pictures) {
          expect([video.startTicks, video.durationTicks]).toEqual([pictures[0]?.startTicks, 180_000])
          expect([video.samples.length, isInterlaced(video)]).toEqual([20, false])
        }
      }
    },
  )

  it('issue 19: counts what the source of an encoded picture sent and lost', async () => {
    await using signals = new Signals()
    // Every 4 s, three frames are missing.
    const path = await made([
      ...picture({ seconds: 40 }),
      ...tone(40),
      ...commandLine`-vf select=not(between(mod(n\\,100)\\,50\\,52)) -fps_mode passthrough`,
      ...commandLine`-c:v mpeg2video -q:v 2 -bf 2 -g 12`,
      ...stereo,
    ])
    const port = await freePort()
    await signals.sendBytes(path, port, 40)
    const { state, cuts } = signals.receive(port)
    await vi.waitFor(() => expect(state.counts.lostFrames).toBeGreaterThanOrEqual(6), SIGNAL)
    expect(state.encoded).toEqual(['video'])
    expect(state.counts.lostFrames % 3).toBe(0)
    // The picture is complete again, and much smaller than what was sent.
    for (const { tracks } of cuts) expect(tracks[0]?.samples).toHaveLength(50)
    const samples = cuts.flatMap(({ tracks }) => tracks).flatMap((track) => track.samples)
    expect(state.bytes).toBeGreaterThan(2 * samples.reduce((sum, { data }) => sum + data.length, 0))
  })

  it('deinterlaces and encodes MPEG-2, and keeps every sound with its language', async () => {
    await using signals = new Signals()
    const path = await made([
      ...picture({ size: '720x576', seconds: 8 }),
      ...tone(8),
      ...commandLine`-map 0 -map 1 -map 1 -map 1 -map 1 -c:v mpeg2video -b:v 6M -g 12 -aspect 16:9`,
      ...INTERLACED,
      ...commandLine`-c:a:0 mp2 -c:a:1 mp2 -c:a:2 ac3 -c:a:3 aac -disposition:a:1 visual_impaired`,
      ...['fre', 'fre', 'eng', 'deu'].flatMap((language, place) => [
        `-metadata:s:a:${place}`,
        `language=${language}`,
      ]),
    ])
    const { state, cuts } = await signals.received(path)
    expect(state).toMatchObject({ encoded: ['video', 'audio'], left: [] })
    for (const { tracks } of cuts) {
      const [video, ...sounds] = tracks as [CutTrack, ...CutTrack[]]
      expect(video.format).toMatchObject({ width: 1024, height: 576 })
      expect(isInterlaced(video)).toBe(false)
      expect([video.samples.length, video.durationTicks]).toEqual([50, 180_000])
      expect(sounds.map(({ format: { track } }) => [track.language, track.isDescription])).toEqual([
        ['fra', false],
        ['fra', true],
        ['eng', false],
        ['deu', false],
      ])
      for (const { format, durationTicks } of sounds) {
        expect(format.codec).toBe('mp4a.40.2')
        expect(durationTicks / 48_000).toBeCloseTo(2, 1)
      }
    }
  })

  it('recognises H.264 that is interlaced, and copies the sound beside it', async () => {
    await using signals = new Signals()
    const path = await made([
      ...picture({ seconds: 8 }),
      ...tone(8),
      ...commandLine`-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -flags +ildct+ilme -x264-params tff=1`,
      ...stereo,
    ])
    const { state, cuts } = await signals.received(path)
    expect(state.encoded).toEqual(['video'])
    for (const { tracks } of cuts) expect(isInterlaced(tracks[0])).toBe(false)
  })

  it.each([
    ['29.97 frames, copied', '30000/1001', [...H264, '-g', '60'], [], 60, 180_180],
    ['50 frames, copied', '50', [...H264, '-g', '100'], [], 100, 180_000],
    ['29.97 frames, encoded', '30000/1001', commandLine`-c:v mpeg2video -g 15`, ['video'], 60, 180_180],
    [
      '50 frames of HEVC',
      '50',
      commandLine`-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=50`,
      ['video'],
      100,
      180_000,
    ],
  ] as const)('keeps the rate of %s', async (_what, rate, options, encoded, frames, ticks) => {
    await using signals = new Signals()
    const path = await made([...picture({ rate, seconds: 8 }), ...tone(8), ...options, ...stereo])
    const { state, cuts } = await signals.received(path, 3)
    expect(state.encoded).toEqual(encoded)
    for (const { tracks } of cuts) {
      const [video] = tracks
      expect(video?.samples).toHaveLength(frames)
      // ffmpeg may round a time to the next tick.
      expect(Math.abs((video?.durationTicks ?? 0) - ticks)).toBeLessThanOrEqual(2)
    }
  })

  it.each([
    [
      'E-AC-3 beside a picture',
      [...picture({ seconds: 8 }), ...tone(8), ...H264, ...commandLine`-g 50 -c:a eac3`],
      ['audio'],
      2,
    ],
    ['MP2 without a picture', [...tone(8), ...commandLine`-c:a mp2`], ['audio'], 1],
    ['a picture without sound', [...picture({ seconds: 8 }), ...commandLine`-c:v mpeg2video`], ['video'], 1],
  ] as const)('takes %s', async (_what, options, encoded, count) => {
    await using signals = new Signals()
    const { state, cuts } = await signals.received(await made([...options]))
    expect(state.encoded).toEqual(encoded)
    for (const { tracks } of cuts) {
      expect(tracks).toHaveLength(count)
      // With video, segments end at key frames, which may be early. Sound alone can be cut at every frame.
      for (const { durationTicks, format } of tracks)
        expect(Math.abs(durationTicks / format.track.timescale - 2)).toBeLessThan(0.12)
    }
  })

  it('takes 8 of 30 sounds, and names the others', async () => {
    await using signals = new Signals()
    const path = await made([
      ...picture({ seconds: 8 }),
      ...tone(8),
      ...commandLine`-map 0`,
      ...Array.from({ length: 30 }, () => ['-map', '1']).flat(),
      ...H264,
      ...commandLine`-g 50 -c:a mp2 -b:a 64k`,
    ])
    const { state, cuts } = await signals.received(path)
    for (const { tracks } of cuts) expect(tracks).toHaveLength(9)
    expect(state.left).toHaveLength(22)
    expect(state.left[0]).toMatch(/^audio mp2 0x[0-9a-f]+: more than 8 sounds$/)
  })

  it('goes on when the source comes back with other streams, encoded or not', async () => {
    await using signals = new Signals()
    const first = await made([...picture({ seconds: 8 }), ...tone(8), ...H264, '-g', '50', ...stereo])
    const second = await made([
      ...picture({ size: '640x360', rate: 50, seconds: 8 }),
      ...tone(8),
      ...commandLine`-map 0 -map 1 -map 1 -c:v mpeg2video -b:v 3M -c:a mp2`,
    ])
    const port = await freePort()
    const { state, cuts } = signals.receive(port)
    for (const [path, width, count, encoded] of [
      [first, 320, 2, []],
      [second, 640, 3, ['video', 'audio']],
      [first, 320, 2, []],
    ] as const) {
      const end = signals.send(path, port)
      await vi.waitFor(() => {
        const newest = cuts.at(-1)
        expect([newest?.tracks[0]?.format.width, newest?.tracks.length]).toEqual([width, count])
      }, SIGNAL)
      expect(state.encoded).toEqual(encoded)
      await end()
      // Waits until the receiver notices the silence.
      await vi.waitFor(() => expect(state.steadySince).toBeNull(), SIGNAL)
    }
  })

  it('looks at the streams again when another one appears', async () => {
    await using signals = new Signals()
    const one = await made([...picture({ seconds: 8 }), ...tone(8), ...H264, '-g', '50', ...stereo])
    const two = await made([
      ...picture({ seconds: 8 }),
      ...tone(8),
      ...commandLine`-map 0 -map 1 -map 1`,
      ...H264,
      '-g',
      '50',
      ...stereo,
    ])
    const port = await freePort()
    const { cuts } = signals.receive(port)
    for (const [path, count] of [
      [one, 2],
      [two, 3],
    ] as const) {
      // The second file follows without a pause, so the receiver sees no silence.
      const end = signals.send(path, port)
      await vi.waitFor(() => expect(cuts.at(-1)?.tracks).toHaveLength(count), SIGNAL)
      await end()
    }
  })

  it('takes the marks of advertisements that a source begins to send', async () => {
    await using signals = new Signals()
    const options = [...picture({ seconds: 30 }), ...tone(30), ...H264, '-g', '50', ...stereo]
    const [one, two] = [await made([...options, '-t', '8']), await made(options)]
    await addStreams(two, [
      {
        pid: 0x112,
        type: 0x86,
        descriptors: Buffer.alloc(0),
        units: Array.from({ length: 28 }, (_, second) => ({
          atSeconds: second,
          isSection: true,
          payload: (first) => spliceInsert(first + (second + 1) * 90_000),
        })),
      },
    ])
    const port = await freePort()
    const { cuts } = signals.receive(port)
    const end = signals.send(one, port)
    await vi.waitFor(() => expect(cuts.length).toBeGreaterThan(1), SIGNAL)
    await end()
    await signals.sendBytes(two, port, 30)
    await vi.waitFor(() => expect(cuts.some(({ splices }) => splices.length > 0)).toBe(true), SIGNAL)
  })

  it.each([
    ['sound', 0x102, ['video', 'audio'], 'audio mp3 0x102: nothing arrives'],
    ['picture', 0x100, ['audio', 'audio'], 'video h264 0x100: nothing arrives'],
  ])('takes a declared %s once it is sent, and the others before that', async (_what, pid, kinds, left) => {
    await using signals = new Signals()
    const path = await made([
      ...picture({ seconds: 40 }),
      ...tone(40),
      ...commandLine`-map 0 -map 1 -map 1`,
      ...H264,
      ...commandLine`-g 50 -c:a:0 aac -c:a:1 mp2 -ac 2`,
    ])
    await withoutBeginning(path, pid, 0.3)
    const port = await freePort()
    await signals.sendBytes(path, port, 40)
    const { state, cuts } = signals.receive(port)
    const kindsOf = (cut: Cut | undefined) => cut?.tracks.map(({ format }) => format.track.kind)
    await vi.waitFor(() => expect(kindsOf(cuts.at(-1))).toEqual(kinds), SIGNAL)
    expect(state.left).toEqual([left])
    await vi.waitFor(() => expect(kindsOf(cuts.at(-1))).toEqual(['video', 'audio', 'audio']), SIGNAL)
    expect(state.left).toEqual([])
    expect(state.trouble).toBeNull()
  })

  const H264_AND_AAC = ['-map', '0', '-map', '1', ...H264, '-g', '50', ...stereo]
  const HEVC_AND_AAC = [
    ...commandLine`-map 0 -map 1 -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=50`,
    ...stereo,
  ]
  const AAC = ['-map', '1', ...stereo]

  it.each([
    ['H.264 to HEVC', H264_AND_AAC, HEVC_AND_AAC, ['avc1', 'mp4a'], ['video']],
    ['HEVC to H.264', HEVC_AND_AAC, H264_AND_AAC, ['avc1', 'mp4a'], []],
    [
      'progressive to interlaced',
      H264_AND_AAC,
      [...H264_AND_AAC, ...INTERLACED],
      ['avc1', 'mp4a'],
      ['video'],
    ],
    ['sound alone to a picture', AAC, H264_AND_AAC, ['avc1', 'mp4a'], []],
  ])('notices without a pause that %s was changed', async (_what, before, after, codecs, encoded) => {
    await using signals = new Signals()
    const inputs = [...picture({ seconds: 8 }), ...tone(8)]
    const [one, two] = [await made([...inputs, ...before]), await made([...inputs, ...after])]
    const port = await freePort()
    const end = signals.send(one, port)
    const { state, cuts } = signals.receive(port)
    await vi.waitFor(() => expect(cuts.length).toBeGreaterThan(1), SIGNAL)
    await end()
    const count = cuts.length
    signals.send(two, port)
    await vi.waitFor(() => {
      expect(cuts.length).toBeGreaterThan(count + 1)
      const codecsOf = cuts.at(-1)?.tracks.map(({ format }) => format.codec.slice(0, 4))
      expect([codecsOf, state.encoded]).toEqual([codecs, encoded])
    }, SIGNAL)
  })

  it('notices that the picture is left out while the sound goes on', async () => {
    await using signals = new Signals()
    const inputs = [...picture({ seconds: 8 }), ...tone(8)]
    const whole = await made([...inputs, ...H264_AND_AAC])
    // The sound keeps the stream id that it had in the file with video.
    const rest = await made([...tone(60), ...stereo, ...commandLine`-streamid 0:257`])
    const port = await freePort()
    const end = signals.send(whole, port)
    const { cuts } = signals.receive(port)
    await vi.waitFor(() => expect(cuts.length).toBeGreaterThan(1), SIGNAL)
    await end()
    await signals.sendBytes(rest, port, 60)
    await vi.waitFor(
      () => expect(cuts.at(-1)?.tracks.map(({ format }) => format.track.kind)).toEqual(['audio']),
      SIGNAL,
    )
  })

  it.each([
    ['noise', async () => randomBytes(300_000)],
    [
      'MPEG-TS of noise',
      async () => {
        const bytes = randomBytes(188 * 2000)
        for (let at = 0; at < bytes.length; at += 188) bytes[at] = 0x47
        return bytes
      },
    ],
  ])('tells of %s, and takes the signal that follows it', async (_what, noise) => {
    await using signals = new Signals()
    const port = await freePort()
    const { state, cuts } = signals.receive(port)
    const socket = createSocket('udp4')
    const bytes = await noise()
    for (let at = 0; at < bytes.length; at += 1316) {
      const sent = Promise.withResolvers<void>()
      socket.send(bytes.subarray(at, at + 1316), port, '127.0.0.1', () => sent.resolve())
      await sent.promise
    }
    socket.close()
    await vi.waitFor(() => expect(state.trouble).not.toBeNull(), SIGNAL)
    expect(cuts).toEqual([])
    signals.send(await made([...picture({ seconds: 8 }), ...tone(8), ...H264, '-g', '50', ...stereo]), port)
    await vi.waitFor(() => expect(cuts.length).toBeGreaterThan(0), SIGNAL)
    expect(state.trouble).toBeNull()
  })

  it('takes subtitles from teletext, each page until the next', async () => {
    await using signals = new Signals()
    const path = await made([...picture({ seconds: 10 }), ...tone(10), ...H264, '-g', '50', ...stereo])
    await addStreams(path, [
      {
        pid: 0x110,
        type: 6,
        descriptors: teletextDescriptor('fre'),
        units: [
          { atSeconds: 1, isSection: false, payload: () => teletextPage(['ça va', 'tout le monde ?']) },
          { atSeconds: 4, isSection: false, payload: () => teletextPage(['Adieu']) },
          { atSeconds: 8, isSection: false, payload: () => teletextPage([]) },
        ],
      },
    ])
    const port = await freePort()
    signals.send(path, port)
    const { state, cuts } = signals.receive(port)
    const texts = () => cuts.flatMap((cut) => cut.texts.map((text) => ({ ...text, cut })))
    await vi.waitFor(
      () =>
        expect(new Set(texts().flatMap(({ cues }) => cues.map(({ text }) => text)))).toEqual(
          new Set(['ça va\ntout le monde ?', 'Adieu']),
        ),
      SIGNAL,
    )
    expect([state.encoded, state.left]).toEqual([[], []])
    for (const { language, captions, cues, cut } of texts()) {
      expect([language, captions]).toEqual(['fra', true])
      const [video] = cut.tracks as [CutTrack]
      for (const { startSeconds, endSeconds } of cues) {
        expect(startSeconds).toBeGreaterThanOrEqual(video.startTicks / 90_000)
        expect(endSeconds).toBeLessThanOrEqual((video.startTicks + video.durationTicks) / 90_000)
      }
    }
  })

  it('takes every page of teletext that the source announces as subtitles, each as a track of its language', async () => {
    await using signals = new Signals()
    const path = await made([...picture({ seconds: 10 }), ...tone(10), ...H264, '-g', '50', ...stereo])
    const shown = (atSeconds: number, line: string, page: number) => ({
      atSeconds,
      isSection: false,
      payload: () => teletextPage([line], page),
    })
    await addStreams(path, [
      {
        pid: 0x110,
        type: 6,
        descriptors: teletextDescriptor(
          ['fre', 1, 0x00],
          ['fre', 5, 0x88],
          ['fre', 2, 0x87],
          ['ger', 2, 0x89],
          ['fre', 2, 0x50],
        ),
        units: [1, 3, 5, 7].flatMap((second) => [
          shown(second, 'Pour les sourds', 0x88),
          shown(second + 0.2, 'Pour tous', 0x87),
          shown(second + 0.4, 'Auf Deutsch', 0x89),
          shown(second + 0.6, 'Autre version', 0x50),
          shown(second + 0.8, 'La une', 0x00),
        ]),
      },
    ])
    const port = await freePort()
    signals.send(path, port)
    const { cuts } = signals.receive(port)
    const found = () =>
      new Set(
        cuts.flatMap(({ texts }) =>
          texts.flatMap(({ id, language, captions, label, cues }) =>
            cues.map(({ text }) => JSON.stringify([id, language, captions, label, text])),
          ),
        ),
      )
    await vi.waitFor(
      () =>
        expect(found()).toEqual(
          new Set(
            [
              ['t-fra-captions', 'fra', true, '', 'Pour les sourds'],
              ['t-fra', 'fra', false, '', 'Pour tous'],
              ['t-deu', 'deu', false, '', 'Auf Deutsch'],
              ['t-fra-2', 'fra', false, '2', 'Autre version'],
            ].map((each) => JSON.stringify(each)),
          ),
        ),
      SIGNAL,
    )
  })

  it('begins a segment at a mark of advertisements that has a key frame, and keeps the mark with it', async () => {
    await using signals = new Signals()
    const gops = commandLine`-g 50 -force_key_frames 17`
    const path = await made([...picture({ seconds: 24 }), ...tone(24), ...H264, ...gops, ...stereo])
    const damaged = Buffer.from(spliceInsert(null).map((byte, index) => (index === 15 ? byte ^ 1 : byte)))
    await addStreams(path, [
      {
        pid: 0x120,
        type: 0x86,
        descriptors: Buffer.alloc(0),
        units: [
          // Announces the splice long before its time.
          { atSeconds: 6, isSection: true, payload: (first) => spliceInsert(first + 17 * 90_000) },
          { atSeconds: 13, isSection: true, payload: () => damaged },
        ],
      },
    ])
    const port = await freePort()
    const { state, cuts } = signals.receive(port)
    await signals.sendBytes(path, port, 24)
    const marked = () => cuts.filter(({ splices }) => splices.length > 0)
    await vi.waitFor(() => expect(marked()).not.toEqual([]), SIGNAL)
    const [{ tracks, splices }] = marked() as [Cut]
    const [video] = tracks as [CutTrack]
    // The segment begins at the splice. All other segments begin at even seconds of the file.
    expect(splices).toHaveLength(1)
    expect((splices[0]?.seconds ?? 0) - video.startTicks / 90_000).toBeCloseTo(0, 2)
    const lengths = cuts.map((cut) => (cut.tracks[0]?.durationTicks ?? 0) / 90_000)
    expect(lengths[cuts.indexOf(marked()[0] as Cut) - 1]).toBeCloseTo(1, 2)
    expect(Buffer.from(splices[0]?.section ?? '', 'base64')).toHaveLength(spliceInsert(0).length)
    expect([state.encoded, state.left]).toEqual([[], []])
    expect(marked()).toHaveLength(1)
  })

  it('names the streams that are left out: subtitles that are pictures, and unknown kinds', async () => {
    await using signals = new Signals()
    const path = await made([...picture({ seconds: 8 }), ...tone(8), ...H264, '-g', '50', ...stereo])
    const subtitling = Buffer.from([0x59, 8, ...Buffer.from('fre'), 0x10, 0, 1, 0, 1])
    await addStreams(path, [
      { pid: 0x111, type: 6, descriptors: subtitling, units: [] },
      { pid: 0x112, type: 0x90, descriptors: Buffer.alloc(0), units: [] },
    ])
    const { state } = await signals.received(path, 2, async (port) => await signals.sendBytes(path, port, 8))
    expect(state.left).toEqual([
      'subtitle dvb_subtitle 0x111 (fra): subtitles that are pictures',
      expect.stringMatching(/ 0x112: not supported$/),
    ])
    expect(state.encoded).toEqual([])
  })
})

/** The signals of one test, and their receivers. Disposal ends all of them. */
class Signals {
  readonly #ending: (() => unknown)[] = []

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ending.splice(0)) await end()
  }

  /** Sends a file repeatedly. @returns a function that stops the sender */
  send(path: string, port: number): () => Promise<void> {
    const words = commandLine`-nostdin -v error -re -stream_loop -1 -i ${path} -map 0 -c copy -copy_unknown -f mpegts udp://127.0.0.1:${port}?pkt_size=1316`
    const sender = spawn('ffmpeg', words, { stdio: 'ignore' })
    const closed = once(sender, 'close')
    const end = async () => {
      sender.kill('SIGKILL')
      await closed
    }
    this.#ending.push(end)
    return end
  }

  /** Sends the bytes of a file. See {@link sendInRealTime}. */
  async sendBytes(
    path: string,
    port: number,
    seconds: number,
    delayMs?: (sentMs: number) => number,
  ): Promise<void> {
    this.#ending.push(sendInRealTime(await readFile(path), port, seconds, delayMs))
  }

  receive(port: number, ladder?: readonly number[]): { state: FeedState; cuts: Cut[] } {
    const stopping = new AbortController()
    const cuts: Cut[] = []
    const source = readSource(`udp://127.0.0.1:${port}`)
    if (source.kind !== 'udp') throw new Error('no UDP')
    const feed = new Feed({
      source,
      ...(ladder && { ladder }),
      open: async () => ({ source }),
      onCut: (cut) => cuts.push(cut),
      onFault: (error) => {
        throw error
      },
      onTeletextFault: (error) => {
        throw error
      },
      now: () => Date.now(),
      signal: stopping.signal,
    })
    const receiving = feed.run()
    this.#ending.push(async () => {
      stopping.abort(new Error('the test is over'))
      await receiving
    })
    return { state: feed.state, cuts }
  }

  /** Sends a file as a signal. @returns the segments received, once `count` of them are continuous */
  async received(
    path: string,
    count = 2,
    sendTo: (port: number) => unknown = (port) => this.send(path, port),
    ladder?: readonly number[],
  ): Promise<{ state: FeedState; cuts: Cut[] }> {
    const port = await freePort()
    sendTo(port)
    const { state, cuts } = this.receive(port, ladder)
    return await vi.waitFor(() => {
      const last = cuts.slice(-count)
      expect(last).toHaveLength(count)
      expect(last.slice(1).map(({ isContinuous }) => isContinuous)).not.toContain(false)
      return { state, cuts: last }
    }, SIGNAL)
  }
}

/** Removes the first part of an MPEG-TS file. */
async function from(path: string, part: number): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(Math.round((bytes.length / 188) * part) * 188))
}

/** Removes the packets of a stream from the first part of an MPEG-TS file. */
async function withoutBeginning(path: string, pid: number, part: number): Promise<void> {
  const bytes = await readFile(path)
  const packets = Array.from({ length: bytes.length / 188 }, (_, index) =>
    bytes.subarray(index * 188, (index + 1) * 188),
  )
  const kept = packets.filter(
    (packet, index) => index > packets.length * part || (packet.readUInt16BE(1) & 0x1fff) !== pid,
  )
  await writeFile(path, Buffer.concat(kept))
}

function isInterlaced(track: CutTrack | undefined): boolean {
  if (!track) throw new Error('no picture')
  const [parameters = Buffer.alloc(0)] = readAvcConfiguration(
    findBox(track.format.track.trak, 'avcC'),
  ).sequences
  return !readSequenceParameters(parameters).framesOnly
}
