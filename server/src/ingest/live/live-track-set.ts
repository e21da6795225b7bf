import type { AudioRendition, TrackSet, VideoRendition } from '@ondine/media/track-set'
import { inLanes } from '../../in-lanes.ts'
import { removeTrackSet, type SegmentStore } from '../../segments/segment-store.ts'
import { encryptPicture, encryptSound, type LiveKey } from './cbcs.ts'
import type { Cut, CutTrack } from './cutter.ts'
import { mediaSegment, type PackedSample } from './segment-boxes.ts'
import { initOf, type TrackFormat } from './track-format.ts'

/**
 * A TrackSet that a live input appends to, segment by segment. Its files are encrypted before they are
 * written, and get their names when they are complete. A file never changes.
 */
export class LiveTrackSet {
  readonly id: string
  readonly key: LiveKey
  readonly #store: SegmentStore
  readonly #renditions: Rendition[] = []
  #segments = 0

  constructor(store: SegmentStore, id: string, key: LiveKey) {
    this.id = id
    this.key = key
    this.#store = store
  }

  /** Describes the TrackSet as it is now. */
  get document(): TrackSet {
    return {
      id: this.id,
      encryption: { keyId: this.key.keyId.toString('hex') },
      thumbnails: null,
      renditions: this.#renditions.map((rendition) => rendition.describe()),
    }
  }

  /** Returns whether a segment goes on here: the same formats, and decode times that run on. */
  isContinuedBy({ tracks }: Cut): boolean {
    return (
      tracks.length === this.#renditions.length &&
      tracks.every((track, index) => this.#renditions[index]?.isContinuedBy(track))
    )
  }

  /**
   * Writes the next segment.
   *
   * @param check receives the description with the segment before anything is written. If it throws, the
   * TrackSet cannot be used any more.
   * @throws RangeError if the segment does not continue the one before it
   */
  async append(cut: Cut, check: (document: TrackSet) => Promise<void>): Promise<void> {
    const { tracks } = cut
    const isFirst = this.#renditions.length === 0
    if (isFirst) this.#begin(tracks)
    else if (!this.isContinuedBy(cut)) throw new RangeError('the segment does not continue its TrackSet')
    const number = this.#segments + 1
    const packed = this.#renditions.map((rendition, index) => {
      const track = tracks[index]
      if (!track) throw new RangeError(`segment ${number} lacks a track`)
      return { id: rendition.id, format: track.format, bytes: rendition.pack(number, track, this.key) }
    })
    await check(this.document)
    await inLanes(packed.length, packed, async ({ id, format, bytes }) => {
      if (isFirst) await this.#write(id, 'init.mp4', initOf(format, this.key))
      await this.#write(id, `${number}.m4s`, bytes)
    })
    this.#segments = number
  }

  /** Removes its files. */
  async remove(): Promise<void> {
    await removeTrackSet(this.#store, this.id)
  }

  #begin(tracks: readonly CutTrack[]): void {
    const ids = renditionIds(tracks.map(({ format }) => format))
    const firstSound = tracks.findIndex(({ format }) => format.track.kind === 'audio')
    for (const [index, track] of tracks.entries())
      this.#renditions.push(new Rendition(ids[index] ?? '', track, index === firstSound))
  }

  async #write(rendition: string, name: string, bytes: Buffer): Promise<void> {
    await this.#store.write({ trackSet: this.id, rendition, name }, bytes)
  }
}

function renditionIds(formats: readonly TrackFormat[]): string[] {
  let sounds = 0
  return formats.map(({ track, height }) =>
    track.kind === 'video' ? `v${height}` : `a-${track.language}-${++sounds}`,
  )
}

/** One rendition while it grows. */
class Rendition {
  readonly id: string
  readonly #first: CutTrack
  readonly #isDefault: boolean
  readonly #runs: [ticks: number, count: number][] = []
  #peak = 1
  #bytes = 0
  #ticks = 0

  constructor(id: string, first: CutTrack, isDefault: boolean) {
    this.id = id
    this.#first = first
    this.#isDefault = isDefault
  }

  isContinuedBy({ format, startTicks }: CutTrack): boolean {
    return format === this.#first.format && startTicks === this.#first.startTicks + this.#ticks
  }

  /** Encrypts and writes a segment, and adds it to the description. */
  pack(number: number, { startTicks, durationTicks, samples, format }: CutTrack, key: LiveKey): Buffer {
    const { headers, track } = format
    const packed = samples.map((sample): PackedSample => {
      if (!headers) return { ...sample, data: encryptSound(sample.data, key) }
      return { ...sample, ...encryptPicture(sample.data, key, headers) }
    })
    const bytes = mediaSegment(number, startTicks, packed)
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
      return { ...common, kind, language, label: '', channels, sampleRate, isDefault: this.#isDefault }
    }
    const frameRate = Math.round((samples.length * timescale * 1000) / durationTicks) / 1000
    return { ...common, kind, width: format.width, height: format.height, frameRate }
  }
}
