import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../command-line.ts'
import { copyable, picture, stereo, tone } from '../test-media.ts'
import { type Cut, type CutTrack, Cutter, PictureChangeError } from './cutter.ts'
import { FragmentReader, type Sample, StreamError, type StreamPart } from './fragments.ts'
import { Splices } from './splices.ts'
import { spliceInsert } from './test-transport-stream.ts'
import { FormatError } from './track-format.ts'

const FRAGMENTS = commandLine`-movflags +empty_moov+delay_moov+default_base_moof+frag_keyframe -frag_duration 500000 -output_ts_offset 10 -use_editlist 0 -video_track_timescale 90000 -f mp4 pipe:1`

/** Returns ffmpeg's output for a live input with these options. */
async function stream(options: string[]): Promise<Buffer> {
  const child = spawn('ffmpeg', ['-nostdin', '-v', 'error', ...options, ...FRAGMENTS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(child, 'close')
  return Buffer.concat(chunks)
}

function partsOf(bytes: Buffer): StreamPart[] {
  return new FragmentReader().push(bytes)
}

function cutAll(parts: readonly StreamPart[], cutter = new Cutter()): Cut[] {
  return parts.flatMap((part) => cutter.push(part))
}

/** Changes every sample of a track. If the callback returns undefined, the sample is lost. */
function changed(
  parts: readonly StreamPart[],
  trackId: number,
  change: (sample: Sample, index: number) => Sample | undefined,
): StreamPart[] {
  let index = 0
  return parts.map((part) => {
    if (part.kind !== 'samples' || part.trackId !== trackId) return part
    return { ...part, samples: part.samples.flatMap((sample) => change(sample, index++) ?? []) }
  })
}

const seconds = ({ durationTicks, format }: CutTrack) => durationTicks / format.track.timescale

const VIDEO = 1
const AUDIO = 2

describe('the cutter of live inputs', () => {
  let bytes: Buffer
  let parts: StreamPart[]
  beforeAll(async () => {
    bytes = await stream([...picture({ seconds: 9 }), ...tone(9), ...copyable, ...stereo])
    parts = partsOf(bytes)
  })

  it('cuts at key frames, and joins all parts of a track without a gap', () => {
    const cuts = cutAll(parts)
    expect(cuts.map(({ isContinuous }) => isContinuous)).toEqual([false, true, true, true])
    for (const { tracks } of cuts) {
      const [video, audio] = tracks as [CutTrack, CutTrack]
      expect(seconds(video)).toBe(2)
      expect(video.samples).toHaveLength(50)
      expect(video.samples[0]?.isSync).toBe(true)
      // The first frame is presented at its decode time, so the segment begins with it.
      expect(video.samples[0]?.offset).toBe(0)
      expect(Math.abs(video.startTicks / 90_000 - audio.startTicks / 48_000)).toBeLessThan(0.03)
    }
    for (const track of [0, 1]) {
      const ends = cuts.map(
        ({ tracks }) => (tracks[track]?.startTicks ?? 0) + (tracks[track]?.durationTicks ?? 0),
      )
      expect(cuts.slice(1).map(({ tracks }) => tracks[track]?.startTicks)).toEqual(ends.slice(0, -1))
    }
  })

  it('ends a segment at the key frame with which a break begins or ends, and not at other key frames', async () => {
    const keys = commandLine`-force_key_frames 0,1,2,3.2,4.4,5.6,7.6,9.6`
    const marked = partsOf(
      await stream([...picture({ seconds: 11 }), ...tone(11), ...copyable, '-g', '1000', ...keys, ...stereo]),
    )
    const startOf = ({ tracks: [video] }: Cut) => (video?.startTicks ?? Number.NaN) / 90_000
    const [begin = Number.NaN] = cutAll(marked).map(startOf)
    const splices = new Splices(begin)
    splices.startTicks = 0
    // The break of 2.4 s begins and ends at a key frame. The next splice is between two key frames.
    splices.push(spliceInsert(3.2 * 90_000, { seconds: 2.4 }))
    splices.push(spliceInsert(8 * 90_000))
    const cuts = cutAll(marked, new Cutter({ subtitles: null, splices }))
    const begins = cuts.map((cut) => startOf(cut) - begin)
    expect(begins).toEqual([0, 2, 3.2, 5.6, 7.6].map((time) => expect.closeTo(time, 3)))
    expect(cuts.map((cut) => cut.splices.map(({ seconds: at }) => at - begin))).toEqual([
      [],
      [],
      [expect.closeTo(3.2, 3)],
      [],
      [expect.closeTo(8, 3)],
    ])
    for (const { tracks } of cuts) expect(tracks[1]?.samples.length).toBeGreaterThan(0)
    expect(cuts.every(({ isContinuous }, index) => isContinuous === index > 0)).toBe(true)
  })

  it('reads the stream in chunks of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), (size) => {
        const reader = new FragmentReader()
        const read: StreamPart[] = []
        for (let at = 0; at < bytes.length; at += size)
          read.push(...reader.push(bytes.subarray(at, at + size)))
        expect(read.length).toBe(parts.length)
      }),
      { numRuns: 10, examples: [[7], [8], [65_536]] },
    )
  })

  it('refuses noise instead of waiting for its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 4096 }), (noise) => {
        try {
          cutAll(partsOf(Buffer.from(noise)))
        } catch (error) {
          expect(error).toBeInstanceOf(StreamError)
        }
      }),
    )
    expect(() => partsOf(Buffer.alloc(64, 0xff))).toThrow(StreamError)
  })

  it('survives a stream with damaged bytes: a named error, or segments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 50 }),
        (damages) => {
          const damaged = Buffer.from(bytes)
          for (const [at, value] of damages) damaged[at] = value
          try {
            for (const { tracks } of cutAll(partsOf(damaged)))
              for (const track of tracks) expect(track.durationTicks).toBeGreaterThan(0)
          } catch (error) {
            expect((error as Error).name).toMatch(/^(Stream|Cut|Format|Avc)Error$/)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('begins anew when the clock of the source jumps, and counts it', () => {
    const cutter = new Cutter()
    const later = (from: StreamPart[], trackId: number, first: number, ticks: number) =>
      changed(from, trackId, (sample, index) =>
        index < first ? sample : { ...sample, decodeTime: sample.decodeTime + ticks },
      )
    const cuts = cutAll(later(later(parts, VIDEO, 90, 450_000), AUDIO, 169, 240_000), cutter)
    expect(cutter.counts.jumps).toBe(1)
    // The media between the last key frame and the jump is dropped.
    expect(cuts.map(({ isContinuous }) => isContinuous)).toEqual([false, false, true])
    const [, second] = cuts
    expect(
      second?.tracks.map((track) => Math.round(track.startTicks / track.format.track.timescale)),
    ).toEqual([9, 9])
  })

  it.each([
    ['with large frames', 1024 * 1024, 3600, /larger than 64 MB/],
    ['with very short frames', 10, 1, /no key frame in 6000 frames/],
    ['for a long time', 10, 3600, /no key frame for 20 s/],
  ])('refuses a source without key frames %s, and keeps no more of it', (_how, bytesEach, ticks, message) => {
    const [header] = parts
    const first = parts.find((part) => part.kind === 'samples' && part.trackId === VIDEO)
    if (header?.kind !== 'header' || first?.kind !== 'samples') throw new Error('no picture')
    const [key] = first.samples as [Sample]
    const data = Buffer.alloc(bytesEach)
    const samples = Array.from({ length: 7000 }, (_, index): Sample => {
      const decodeTime = key.decodeTime + index * ticks
      return { ...key, decodeTime, isSync: index === 0, data: index === 0 ? key.data : data }
    })
    expect(() => cutAll([header, { ...first, samples }])).toThrow(message)
  })

  it('refuses sound that waits for a picture with more than 64 MB', () => {
    const data = Buffer.alloc(1024 * 1024)
    const large = changed(parts, AUDIO, (sample) => ({ ...sample, data }))
    expect(() => cutAll(changed(large, VIDEO, (sample, index) => (index < 10 ? sample : undefined)))).toThrow(
      /larger than 64 MB/,
    )
  })

  it('refuses a picture that is not H.264 any more, but not for one damaged key frame', () => {
    // A slice of HEVC.
    const data = Buffer.from([0, 0, 0, 4, 0x26, 1, 0xaf, 0x80])
    const damaged = changed(parts, VIDEO, (sample, index) => (index === 50 ? { ...sample, data } : sample))
    expect(cutAll(damaged)).toHaveLength(4)
    const cuts: Cut[] = []
    const cutter = new Cutter()
    const other = changed(parts, VIDEO, (sample, index) => (index >= 50 ? { ...sample, data } : sample))
    expect(() => {
      for (const part of other) cuts.push(...cutter.push(part))
    }).toThrow(/not H\.264 any more/)
    expect(cuts).toHaveLength(1)
  })

  it('counts lost frames, and keeps the time of the others', () => {
    const cutter = new Cutter()
    const cuts = cutAll(
      changed(parts, VIDEO, (sample, index) =>
        index === 60 || index === 61 || index === 130 ? undefined : sample,
      ),
      cutter,
    )
    expect(cutter.counts.lostFrames).toBe(3)
    expect(cuts.map(({ tracks: [video] }) => video && seconds(video))).toEqual([2, 2, 2, 2])
    expect(cuts[1]?.tracks[0]?.samples).toHaveLength(48)
  })

  it('puts silence in the place of sound that is lost, so that every segment has sound', () => {
    const cutter = new Cutter()
    const cuts = cutAll(
      changed(parts, AUDIO, (sample, index) => (index > 150 ? undefined : sample)),
      cutter,
    )
    expect(cutter.counts.silentFrames).toBeGreaterThan(100)
    for (const { tracks } of cuts) expect(tracks[1] && seconds(tracks[1])).toBeCloseTo(2, 1)
  })

  it('takes a source without sound, and one without a picture', async () => {
    const silent = cutAll(partsOf(await stream([...picture({ seconds: 5 }), ...copyable])))
    expect(silent.map(({ tracks }) => tracks.map(({ format }) => format.codec))).toEqual([
      [expect.stringMatching(/^avc1\.[0-9a-f]{6}$/)],
      [expect.stringMatching(/^avc1/)],
    ])
    const radio = cutAll(partsOf(await stream([...tone(7), ...stereo])))
    expect(radio.length).toBeGreaterThanOrEqual(2)
    for (const { tracks } of radio) expect(tracks.map(({ format }) => format.codec)).toEqual(['mp4a.40.2'])
    for (const { tracks } of radio) expect(tracks[0] && seconds(tracks[0])).toBeCloseTo(2, 0)
  })

  it('begins a new format when the parameters of the picture change within the stream', async () => {
    const other = partsOf(
      await stream([
        ...picture({ seconds: 5, size: '640x360' }),
        ...tone(5),
        ...copyable,
        ...stereo,
        '-bsf:v',
        'dump_extra=freq=keyframe',
      ]),
    )
    const later = (trackId: number, timescale: number) => (from: StreamPart[]) =>
      changed(from, trackId, (sample) => ({ ...sample, decodeTime: sample.decodeTime + 9 * timescale }))
    const following = later(
      AUDIO,
      48_000,
    )(later(VIDEO, 90_000)(other.filter(({ kind }) => kind === 'samples')))
    const cuts = cutAll([...parts, ...following])
    const sizes = cuts.map(({ tracks: [video] }) => `${video?.format.width}x${video?.format.height}`)
    expect(sizes.slice(0, 4)).toEqual(Array(4).fill('320x180'))
    expect(sizes.at(-1)).toBe('640x360')
    const first = sizes.indexOf('640x360')
    expect(cuts[first]?.isContinuous).toBe(false)
    expect(cuts[first + 1]?.isContinuous ?? true).toBe(true)
  })

  it.each([
    ['fields', commandLine`-flags +ildct+ilme -x264-params tff=1`],
    ['more colours', commandLine`-pix_fmt yuv422p`],
    ['ten bits', commandLine`-pix_fmt yuv420p10le`],
  ])('ends when the picture changes to %s within the stream', async (_what, options) => {
    const other = partsOf(
      await stream([
        ...picture({ seconds: 5 }),
        ...copyable,
        ...options,
        '-bsf:v',
        'dump_extra=freq=keyframe',
      ]),
    )
    const following = changed(
      other.filter(({ kind }) => kind === 'samples'),
      VIDEO,
      (sample) => ({ ...sample, decodeTime: sample.decodeTime + 9 * 90_000 }),
    )
    const cutter = new Cutter()
    const alone = partsOf(await stream([...picture({ seconds: 9 }), ...copyable]))
    cutAll(alone, cutter)
    const before: Cut[] = []
    expect(() => {
      for (const part of following) before.push(...cutter.push(part))
    }).toThrow(PictureChangeError)
    // The segment that ends with the change is complete.
    expect(before).toHaveLength(1)
    const tolerant = new Cutter(undefined, true)
    cutAll(alone, tolerant)
    expect(cutAll(following, tolerant).length).toBeGreaterThan(1)
    // The same parameters from the beginning are for ffmpeg to judge.
    expect(cutAll(other).length).toBeGreaterThan(0)
  })

  it('names a track that has to be encoded', async () => {
    const mpeg2 = partsOf(await stream([...picture({ seconds: 2 }), ...commandLine`-c:v mpeg2video`]))
    expect(() => cutAll(mpeg2)).toThrow(FormatError)
    const ac3 = partsOf(await stream([...tone(2), ...commandLine`-c:a ac3`]))
    expect(() => cutAll(ac3)).toThrow(/ac-3/)
  })
})
