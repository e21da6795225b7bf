import {
  type AudioRendition,
  DESCRIPTION_LABEL,
  type Splice,
  type TextRendition,
  type TrackSet,
  type VideoRendition,
} from '@ondine/media/track-set'
import { inLanes } from '../../in-lanes.ts'
import { discardTrackSet, type SegmentStore } from '../../segments/segment-store.ts'
import { segmentText } from '../subtitle-segments.ts'
import { type LiveKey, subsamplesOf } from './cbcs.ts'
import type { Cut, CutText, CutTrack } from './cutter.ts'
import { mediaSegment, type PackedSample } from './segment-boxes.ts'
import { initOf, type TrackFormat } from './track-format.ts'

/**
 * A TrackSet that a live input appends to, segment by segment. Each file is encrypted before it is written, gets
 * its name only when it is complete, and never changes.
 */
export class LiveTrackSet {
  readonly id: string
  readonly key: LiveKey
  readonly #store: SegmentStore
  readonly #renditions: Rendition[] = []
  /** The subtitle tracks. */
  #texts: Omit<CutText, 'cues'>[] = []
  #splices: Splice[] = []
  #segments = 0

  constructor(store: SegmentStore, id: string, key: LiveKey) {
    this.id = id
    this.key = key
    this.#store = store
  }

  /** The description of the TrackSet as it is now. */
  get document(): TrackSet {
    return {
      id: this.id,
      encryption: { keyId: this.key.keyId.toString('hex'), iv: this.key.iv.toString('hex') },
      thumbnails: null,
      ...(this.#splices.length > 0 && { splices: [...this.#splices] }),
      renditions: [...this.#renditions.map((rendition) => rendition.describe()), ...this.#subtitles()],
    }
  }

  /** Describes the subtitles. Their segments are those of the first rendition. */
  #subtitles(): TextRendition[] {
    const [clock] = this.#renditions
    if (!clock) return []
    const { timescale, segments, startTicks = 0 } = clock.describe()
    return this.#texts.map((text) => ({
      kind: 'text',
      ...text,
      forced: false,
      timescale,
      segments,
      startTicks,
    }))
  }

  /**
   * Returns whether a segment continues this TrackSet: the formats are the same, and the decode times follow on.
   */
  isContinuedBy({ tracks, texts }: Cut): boolean {
    return (
      texts.length === this.#texts.length &&
      texts.every(({ id }, index) => this.#texts[index]?.id === id) &&
      tracks.length === this.#renditions.length &&
      tracks.every((track, index) => this.#renditions[index]?.isContinuedBy(track))
    )
  }

  /**
   * Writes the next segment. If the first segment cannot be written, removes what was written of it.
   *
   * @param check called before anything is written, with the description that includes the segment. If it throws,
   * the TrackSet must not be used any more.
   * @returns the result of `check`
   * @throws RangeError if the segment does not continue the previous one; any error of the store
   */
  async append<Result>(cut: Cut, check: (document: TrackSet) => Promise<Result>): Promise<Result> {
    const { tracks } = cut
    const isFirst = this.#renditions.length === 0
    if (isFirst) this.#begin(cut)
    else if (!this.isContinuedBy(cut)) throw new RangeError('the segment does not continue its TrackSet')
    const number = this.#segments + 1
    this.#splices = [...this.#splices, ...cut.splices].slice(0, MOST_SPLICES)
    const packed = this.#renditions.map((rendition, index) => {
      const track = tracks[index]
      if (!track) throw new RangeError(`segment ${number} lacks a track`)
      return { id: rendition.id, format: track.format, bytes: rendition.pack(number, track, this.key) }
    })
    const result = await check(this.document)
    try {
      await inLanes(packed.length, packed, async ({ id, format, bytes }) => {
        if (isFirst) await this.#write(id, 'init.mp4', initOf(format, this.key))
        await this.#write(id, `${number}.m4s`, bytes)
      })
      for (const { id, cues } of cut.texts)
        await this.#write(id, `${number}.vtt`, Buffer.from(segmentText(cues)))
    } catch (error) {
      if (isFirst) await this.remove()
      throw error
    }
    this.#segments = number
    return result
  }

  /** Removes the files of a TrackSet that has no row, as far as the store allows. Never fails. */
  async remove(): Promise<void> {
    // Files that remain go into quarantine, like all media that no row names.
    await discardTrackSet(this.#store, this.id).catch(() => undefined)
  }

  #begin({ tracks, texts }: Cut): void {
    this.#texts = texts.map(({ cues: _cues, ...text }) => text)
    const names = namesOf(tracks.map(({ format }) => format))
    const firstSound = tracks.findIndex(({ format }) => format.track.kind === 'audio')
    for (const [index, track] of tracks.entries())
      this.#renditions.push(new Rendition(names[index] ?? { id: '', label: '' }, track, index === firstSound))
  }

  async #write(rendition: string, name: string, bytes: Buffer): Promise<void> {
    await this.#store.write({ trackSet: this.id, rendition, name }, bytes)
  }
}

/** Maximum number of splices that a TrackSet keeps. */
const MOST_SPLICES = 200

/** Fields that tell the renditions of a TrackSet apart. */
interface Naming {
  id: string
  label: string
}

/**
 * Names the tracks. The second sound of a language has the number 2, and so on, and so has a picture with the height of
 * another one.
 */
function namesOf(formats: readonly TrackFormat[]): Naming[] {
  const sounds = new Map<string, number>()
  const pictures = new Map<number, number>()
  return formats.map(({ track, height }) => {
    if (track.kind === 'video') {
      const place = (pictures.get(height) ?? 0) + 1
      pictures.set(height, place)
      return { id: `v${height}${place === 1 ? '' : `-${place}`}`, label: '' }
    }
    const place = (sounds.get(track.language) ?? 0) + 1
    sounds.set(track.language, place)
    const [id, number] = place === 1 ? ['', ''] : [`-${place}`, `${place}`]
    return { id: `a-${track.language}${id}`, label: track.isDescription ? DESCRIPTION_LABEL : number }
  })
}

/** A rendition that still grows. */
class Rendition {
  readonly id: string
  readonly #label: string
  readonly #first: CutTrack
  readonly #isDefault: boolean
  readonly #runs: [ticks: number, count: number][] = []
  #peak = 1
  #bytes = 0
  #ticks = 0

  constructor({ id, label }: Naming, first: CutTrack, isDefault: boolean) {
    this.id = id
    this.#label = label
    this.#first = first
    this.#isDefault = isDefault
  }

  isContinuedBy({ format, startTicks }: CutTrack): boolean {
    return format === this.#first.format && startTicks === this.#first.startTicks + this.#ticks
  }

  /** Returns a segment in encrypted form, and adds it to the description. */
  pack(number: number, { startTicks, durationTicks, samples, format }: CutTrack, key: LiveKey): Buffer {
    const { headers, track } = format
    const packed = samples.map(
      (sample): PackedSample =>
        headers ? { ...sample, subsamples: subsamplesOf(sample.data, headers) } : sample,
    )
    const bytes = mediaSegment(number, startTicks, packed, key)
    const run = this.#runs.at(-1)
    if (run?.[0] === durationTicks) run[1]++
    else this.#runs.push([durationTicks, 1])
    this.#peak = Math.max(this.#peak, Math.ceil((bytes.length * 8 * track.timescale) / durationTicks))
    this.#bytes += bytes.length
    this.#ticks += durationTicks
    return bytes
  }

  describe(): VideoRendition | AudioRendition {
    const { format, startTicks, samples, durationTicks } = this.#first
    const { timescale, language, kind } = format.track
    const common = {
      id: this.id,
      timescale,
      segments: this.#runs.map(([ticks, count]): [number, number] => [ticks, count]),
      startTicks,
      codec: format.codec,
      bandwidth: this.#peak,
      averageBandwidth: Math.max(1, Math.ceil((this.#bytes * 8 * timescale) / Math.max(1, this.#ticks))),
    }
    if (kind === 'audio') {
      const { channels, sampleRate } = format
      return {
        ...common,
        kind,
        language,
        label: this.#label,
        channels,
        sampleRate,
        isDefault: this.#isDefault,
        ...(format.track.isDescription && !this.#isDefault && { addition: 'description' }),
      }
    }
    const frameRate = Math.round((samples.length * timescale * 1000) / durationTicks) / 1000
    return { ...common, kind, width: format.width, height: format.height, frameRate }
  }
}
