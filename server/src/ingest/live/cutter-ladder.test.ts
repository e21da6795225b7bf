import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../command-line.ts'
import { copyable, ffmpeg, picture, stereo, temporaryFolder, tone } from '../test-media.ts'
import { type Cut, type CutTrack, Cutter, PictureChangeError } from './cutter.ts'
import { FragmentReader, type Sample, type StreamPart } from './fragments.ts'
import { type OutputPlan, outputArguments } from './output-plan.ts'

/** Key frames that come regularly at first, and then not. */
const KEY_FRAMES = commandLine`-force_key_frames 0,2,4.4,6.8 -g 1000`
const RATE = { numerator: 25, denominator: 1 }
const SMALL = { rate: RATE, width: 160, height: 90, bitRate: 100_000 }
const SMALLEST = { ...SMALL, width: 128, height: 72 }
const LARGE = { ...SMALL, width: 320, height: 180, deinterlace: false }
const LOWER = [SMALL, SMALLEST]

const [TOP, MIDDLE, LOWEST] = [1, 2, 3]

const planOf = (how: NonNullable<OutputPlan['picture']>): OutputPlan => ({
  picture: how,
  sounds: [{ index: 1, isEncoded: false }],
  teletext: null,
  splices: null,
})

/** Returns what ffmpeg makes of a file by a plan. */
async function planned(source: string, plan: OutputPlan): Promise<StreamPart[]> {
  const output = outputArguments(plan).map((word) => (word === 'pipe:5' ? '/dev/null' : word))
  const words = ['-nostdin', '-v', 'error', '-y', '-i', source, ...output]
  const child = spawn('ffmpeg', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(child, 'close')
  return new FragmentReader().push(Buffer.concat(chunks))
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

function later(parts: readonly StreamPart[], seconds: number): StreamPart[] {
  return parts.flatMap((part): StreamPart[] => {
    if (part.kind !== 'samples') return []
    const ticks = seconds * (part.trackId > LOWEST ? 48_000 : 90_000)
    const samples = part.samples.map((sample) => ({ ...sample, decodeTime: sample.decodeTime + ticks }))
    return [{ ...part, samples }]
  })
}

const cutAll = (parts: readonly StreamPart[], cutter = new Cutter()): Cut[] =>
  parts.flatMap((part) => cutter.push(part))
const picturesOf = ({ tracks }: Cut) => tracks.filter(({ format }) => format.track.kind === 'video')
const heightsOf = (cut: Cut) => picturesOf(cut).map(({ format }) => format.height)
const timesOf = ({ samples }: CutTrack) =>
  samples.map(({ decodeTime, offset }) => decodeTime + offset).toSorted((a, b) => a - b)

/** Expects that all pictures of each segment have the same times, and that each joins the next one without a gap. */
function expectAligned(cuts: readonly Cut[]): void {
  for (const cut of cuts) {
    const [top, ...lower] = picturesOf(cut)
    for (const { startTicks, durationTicks, samples } of lower) {
      expect([startTicks, durationTicks]).toEqual([top?.startTicks, top?.durationTicks])
      expect(samples[0]).toMatchObject({ isSync: true, decodeTime: startTicks, offset: 0 })
      const decoded = samples.reduce((time, sample) => {
        expect(sample.decodeTime).toBe(time)
        expect(sample.duration).toBeGreaterThan(0)
        return time + sample.duration
      }, startTicks)
      expect(decoded).toBe(startTicks + durationTicks)
    }
  }
}

describe('issue 19: a live input with several renditions of its picture', { timeout: 60_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let source: string
  /** The copied picture has B frames, and so have the encoded ones. */
  let parts: StreamPart[]
  beforeAll(async () => {
    folder = await temporaryFolder()
    source = join(folder.path, 'source.ts')
    await ffmpeg([...picture({ seconds: 9 }), ...tone(9), ...copyable, ...KEY_FRAMES, ...stereo, source])
    parts = await planned(source, planOf({ index: 0, encoding: null, lower: LOWER }))
  })
  afterAll(async () => await folder[Symbol.asyncDispose]())

  it('cuts all of them at the key frames of the copied one, with the same frames', () => {
    const cuts = cutAll(parts)
    expect(cuts.map(heightsOf)).toEqual([
      [180, 90, 72],
      [180, 90, 72],
      [180, 90, 72],
    ])
    expect(cuts.map(({ tracks: [top] }) => (top?.durationTicks ?? 0) / 90_000)).toEqual([2, 2.4, 2.4])
    expect(cuts.map(({ isContinuous }) => isContinuous)).toEqual([false, true, true])
    expectAligned(cuts)
    for (const cut of cuts) {
      const [top, ...lower] = picturesOf(cut).map(timesOf)
      for (const times of lower) expect(times).toEqual(top)
    }
    expect(cuts.map(({ tracks }) => tracks.length)).toEqual([4, 4, 4])
  })

  it('cuts encoded ones alike', async () => {
    const encoded = await planned(source, planOf({ index: 0, encoding: LARGE, lower: LOWER }))
    const cuts = cutAll(encoded)
    expect(cuts.map(heightsOf)).toEqual(cuts.map(() => [180, 90, 72]))
    expect(cuts.map(({ tracks: [top] }) => top?.durationTicks)).toEqual([180_000, 180_000, 180_000, 180_000])
    expectAligned(cuts)
  })

  it('goes on without a rendition that ends, and tries it again after a minute', () => {
    const cutter = new Cutter()
    // The source again and again. The smallest rendition is missing in the second round.
    const rounds = Array.from({ length: 24 }, (_, round) => {
      const media = later(parts, round * 9)
      return round === 1 ? changed(media, LOWEST, () => undefined) : media
    })
    const [header] = parts
    if (header?.kind !== 'header') throw new Error('no header')
    const cuts = cutAll([header, ...rounds.flat()], cutter)
    expectAligned(cuts)
    const counts = cuts.map((cut) => picturesOf(cut).length)
    const [first, last] = [counts.indexOf(2), counts.lastIndexOf(2)]
    expect(first).toBeGreaterThanOrEqual(3)
    expect(counts.slice(first, last + 1)).toEqual(Array(31).fill(2))
    expect(counts.slice(last + 1).length).toBeGreaterThan(10)
    expect(cuts.slice(1).every(({ isContinuous }) => isContinuous)).toBe(true)
    expect(cutter.missing).toEqual([])
  })

  it('waits for a late rendition, but not longer than 3 s', () => {
    const at = (seconds: number) => seconds * 25
    const late = changed(parts, LOWEST, (sample, index) => (index < at(2.2) ? sample : undefined))
    const cutter = new Cutter()
    const [header] = parts
    if (header?.kind !== 'header') throw new Error('no header')
    let newest = 0
    const arrivals: { newest: number; heights: number[] }[] = []
    for (const part of late) {
      const cuts = cutter.push(part)
      newest = cutter.newestSeconds ?? newest
      arrivals.push(...cuts.map((cut) => ({ newest: newest - 10, heights: heightsOf(cut) })))
    }
    expect(arrivals.map(({ heights }) => heights)).toEqual([
      [180, 90, 72],
      [180, 90],
      [180, 90],
    ])
    // The second segment ends at 4.4 s.
    expect(arrivals[1]?.newest).toBeGreaterThan(7.3)
    expect(arrivals[1]?.newest).toBeLessThan(9.1)
    expect(cutter.missing).toEqual(['128x72'])
  })

  it('leaves a rendition that begins late out of the first segment', () => {
    const lacking = changed(parts, MIDDLE, (sample, index) => (index < 10 ? undefined : sample))
    expect(cutAll(lacking).map(heightsOf)).toEqual([
      [180, 72],
      [180, 90, 72],
      [180, 90, 72],
    ])
  })

  it('leaves a rendition out that lacks a key frame', () => {
    const lacking = changed(parts, MIDDLE, (sample) =>
      sample.isSync && sample.decodeTime > 14 * 90_000 ? { ...sample, isSync: false } : sample,
    )
    const cutter = new Cutter()
    expect(cutAll(lacking, cutter).map(heightsOf)).toEqual([
      [180, 90, 72],
      [180, 72],
      [180, 72],
    ])
    expect(cutter.missing).toEqual(['160x90'])
  })

  it('begins all of them anew after a jump of the clock', () => {
    const jumped = [TOP, MIDDLE, LOWEST].reduce(
      (media, track) =>
        changed(media, track, (sample, index) =>
          index < 110 ? sample : { ...sample, decodeTime: sample.decodeTime + 450_000 },
        ),
      parts,
    )
    const [header] = parts
    if (header?.kind !== 'header') throw new Error('no header')
    const cutter = new Cutter()
    const cuts = cutAll([...jumped, ...later(parts, 14)], cutter)
    expect(cutter.counts.jumps).toBe(1)
    expectAligned(cuts)
    const afterwards = cuts.findLastIndex(({ isContinuous }) => !isContinuous)
    expect(afterwards).toBeGreaterThan(0)
    expect(cuts.slice(afterwards).map(heightsOf)).toContainEqual([180, 90, 72])
    expect(heightsOf(cuts.at(-1) as Cut)).toEqual([180, 90, 72])
  })

  it('asks for another plan if the size of the copied picture changes', async () => {
    const other = join(folder.path, 'other.ts')
    const size = picture({ seconds: 5, size: '160x90' })
    await ffmpeg([...size, ...tone(5), ...copyable, ...stereo, other])
    const copied = planOf({ index: 0, encoding: null })
    const smaller = changed(
      later(
        (await planned(other, copied)).filter(({ kind }) => kind === 'samples'),
        9,
      ),
      TOP,
      (sample) => sample,
    )
    const following = [...(await planned(source, copied)), ...smaller]
    // MPEG-TS repeats the parameter sets before each key frame.
    expect(() => cutAll(following, new Cutter(undefined, false, true))).toThrow(PictureChangeError)
    expect(cutAll(following).length).toBeGreaterThan(3)
    expect(cutAll(following, new Cutter(undefined, true, true)).length).toBeGreaterThan(3)
  })
})
