import { findBox, findBoxes, readBoxes } from '../boxes.ts'
import { languageCode } from '../language-codes.ts'

/** A sample of a track, in decoding order. Times are in ticks of the track. */
export interface Sample {
  decodeTime: number
  /** Presentation time minus decode time. */
  offset: number
  /** Duration according to the source. */
  duration: number
  /** Whether decoding can begin here. */
  isSync: boolean
  data: Buffer
}

/** A track of the stream, as its header describes it. */
export interface SourceTrack {
  id: number
  kind: 'video' | 'audio'
  timescale: number
  /** Language by ISO 639-2/T; `und` if the source does not state it. */
  language: string
  /** Whether the track is an audio description: sound for the blind that describes the picture. */
  isDescription: boolean
  /** Payload of the track's `trak` box. */
  trak: Buffer
}

/** A part of the stream that a reader has found. */
export type StreamPart =
  | { kind: 'header'; tracks: SourceTrack[] }
  | { kind: 'samples'; trackId: number; samples: Sample[] }

/** Thrown for a stream that is not fragmented MP4, or that exceeds a limit. */
export class StreamError extends Error {
  override name = 'StreamError'
}

/** Maximum size of a box, in bytes: a fragment of half a second at 500 Mbit/s. */
const LARGEST_BOX = 32 * 1024 * 1024

/** Maximum number of samples in a run. */
const MOST_SAMPLES = 100_000

/** Reads fragmented MP4 as it arrives, in chunks of any size (ISO/IEC 14496-12). */
export class FragmentReader {
  #chunks: Buffer[] = []
  #length = 0
  #moof: Buffer | undefined

  /**
   * Returns the parts that `chunk` completes.
   *
   * @throws StreamError
   */
  push(chunk: Buffer): StreamPart[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const parts: StreamPart[] = []
    for (let box = this.#next(); box !== undefined; box = this.#next()) parts.push(...this.#read(box))
    return parts
  }

  /** Returns the next complete box, with its header. */
  #next(): Buffer | undefined {
    if (this.#length < 8) return undefined
    let [first = Buffer.alloc(0)] = this.#chunks
    if (first.length < 8) first = this.#join()
    const size = first.readUInt32BE(0)
    if (size < 8 || size > LARGEST_BOX) throw new StreamError(`a box of ${size} bytes`)
    if (this.#length < size) return undefined
    const all = first.length >= size ? first : this.#join()
    const rest = all.subarray(size)
    if (this.#chunks[0] === all) this.#chunks.shift()
    if (rest.length > 0) this.#chunks.unshift(rest)
    this.#length -= size
    return all.subarray(0, size)
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }

  #read(box: Buffer): StreamPart[] {
    const type = box.toString('latin1', 4, 8)
    if (type === 'moov') return [{ kind: 'header', tracks: readTracks(box.subarray(8)) }]
    if (type === 'moof') this.#moof = box
    if (type !== 'mdat' || this.#moof === undefined) return []
    const fragment = Buffer.concat([this.#moof, box])
    this.#moof = undefined
    return guarded(() => readFragment(fragment))
  }
}

/** Converts errors from reading beyond the end of a box to StreamError. */
function guarded<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new StreamError(error.message, { cause: error })
    throw error
  }
}

function readTracks(moov: Buffer): SourceTrack[] {
  return guarded(() =>
    readBoxes(moov)
      .filter(({ type }) => type === 'trak')
      .flatMap(({ payload }): SourceTrack[] => {
        const handler = findBox(payload, 'hdlr').toString('latin1', 8, 12)
        if (handler !== 'vide' && handler !== 'soun') return []
        const tkhd = findBox(payload, 'tkhd')
        const mdhd = findBox(payload, 'mdhd')
        const isLong = mdhd[0] === 1
        return [
          {
            id: tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12),
            kind: handler === 'vide' ? 'video' : 'audio',
            timescale: mdhd.readUInt32BE(isLong ? 20 : 12),
            language: languageOf(mdhd.readUInt16BE(isLong ? 32 : 20)),
            isDescription: isDescriptionOf(payload),
            trak: payload,
          },
        ]
      }),
  )
}

/** Unpacks a language code: three letters of five bits each (ISO/IEC 14496-12, section 8.4.2). */
function languageOf(packed: number): string {
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join('')
  return languageCode(letters) ?? 'und'
}

/** Returns whether a track is an audio description, according to its role (ISO/IEC 14496-12, section 8.10.4). */
function isDescriptionOf(trak: Buffer): boolean {
  const kinds = findBoxes(trak, 'udta').flatMap((data) => findBoxes(data, 'kind'))
  return kinds.some((kind) => kind.toString('latin1', 4).split('\0')[1] === 'description')
}

function readFragment(fragment: Buffer): StreamPart[] {
  const [moof] = readBoxes(fragment)
  if (!moof) return []
  return readBoxes(moof.payload)
    .filter(({ type }) => type === 'traf')
    .map(({ payload }) => readTrackFragment(payload, fragment))
}

/** Reads a `traf` whose data offsets count from the start of its `moof` (section 8.8). */
function readTrackFragment(traf: Buffer, fragment: Buffer): StreamPart {
  const header = findBox(traf, 'tfhd')
  const defaults = readDefaults(header)
  const tfdt = findBox(traf, 'tfdt')
  let decodeTime = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
  if (!Number.isSafeInteger(decodeTime)) throw new RangeError('a decode time out of range')
  const samples: Sample[] = []
  for (const run of findBoxes(traf, 'trun')) {
    const flags = run.readUIntBE(1, 3)
    const count = run.readUInt32BE(4)
    if (count > MOST_SAMPLES) throw new RangeError(`a run of ${count} samples`)
    let at = 8
    const next = (): number => run.readUInt32BE((at += 4) - 4)
    let offset = (flags & 0x1) === 0 ? 0 : next()
    const firstFlags = (flags & 0x4) === 0 ? undefined : next()
    for (let index = 0; index < count; index++) {
      const duration = (flags & 0x100) === 0 ? defaults.duration : next()
      const size = (flags & 0x200) === 0 ? defaults.size : next()
      const own = (flags & 0x400) === 0 ? defaults.flags : next()
      const composition = (flags & 0x800) === 0 ? 0 : next() | 0
      if (offset + size > fragment.length) throw new RangeError('a sample ends after its fragment')
      samples.push({
        decodeTime,
        offset: composition,
        duration,
        isSync: ((index === 0 ? (firstFlags ?? own) : own) & 0x10000) === 0,
        data: fragment.subarray(offset, offset + size),
      })
      offset += size
      decodeTime += duration
    }
  }
  return { kind: 'samples', trackId: header.readUInt32BE(4), samples }
}

/** Reads the defaults of a `tfhd`, whose optional fields are in this order (section 8.8.7). */
function readDefaults(header: Buffer): { duration: number; size: number; flags: number } {
  const flags = header.readUIntBE(1, 3)
  let at = 8 + ((flags & 0x1) === 0 ? 0 : 8) + ((flags & 0x2) === 0 ? 0 : 4)
  const next = (flag: number): number => ((flags & flag) === 0 ? 0 : header.readUInt32BE((at += 4) - 4))
  return { duration: next(0x8), size: next(0x10), flags: next(0x20) }
}
