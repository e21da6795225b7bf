import { createHash } from 'node:crypto'
import { findBox, findBoxes } from '../boxes.ts'
import {
  AvcError,
  NAL,
  nalUnits,
  readAvcConfiguration,
  readSequenceParameters,
  SliceHeaders,
  writeAvcConfiguration,
} from './avc.ts'
import type { LiveKey } from './cbcs.ts'
import type { SourceTrack } from './fragments.ts'
import { initSegment, type PictureChange } from './segment-boxes.ts'

/** Encoding of a track. It changes only between TrackSets. */
export interface TrackFormat {
  track: SourceTrack
  /** RFC 6381 codec string. */
  codec: string
  /** Width and height in pixels; 0 for sound. */
  width: number
  height: number
  /** Channels and sample rate; 0 for video. */
  channels: number
  sampleRate: number
  /**
   * Whether the parameters of the picture allow only progressive pictures of 8 bits and 4:2:0, which every browser
   * decodes. Undefined for sound.
   */
  isPlain?: boolean
  /** Reader of slice headers; undefined for sound. */
  headers?: SliceHeaders
  /** The changed picture, if the picture differs from the source's description. */
  picture?: PictureChange
  /** Digest of the format. Equal formats have equal digests. */
  digest: string
}

/** Thrown for a track that must be encoded, because it is unsuitable as it is. */
export class FormatError extends Error {
  override name = 'FormatError'
  readonly kind: SourceTrack['kind']

  constructor(kind: SourceTrack['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Maximum ticks per second: ffmpeg uses at most the double of AAC's highest sample rate. */
const HIGHEST_TIMESCALE = 192_000

/** Reads the format of a track from the header of the stream. @throws FormatError */
export function formatOf(track: SourceTrack): TrackFormat {
  try {
    if (track.timescale < 1000 || track.timescale > HIGHEST_TIMESCALE)
      throw new RangeError('has an unusual timescale')
    return track.kind === 'video' ? pictureFormat(track) : soundFormat(track)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof AvcError)) throw error
    const entry = findBoxes(track.trak, 'stsd')[0]?.toString('latin1', 12, 16) ?? 'none'
    throw new FormatError(track.kind, `the format ${entry}: ${error.message}`, { cause: error })
  }
}

function pictureFormat(track: SourceTrack): TrackFormat {
  return ofPicture(track, findBox(track.trak, 'avcC'))
}

function ofPicture(track: SourceTrack, avcC: Buffer, isChange = false): TrackFormat {
  const sets = readAvcConfiguration(avcC)
  const [first = Buffer.alloc(0)] = sets.sequences
  const { width, height, framesOnly, chromaArrayType, bitDepth } = readSequenceParameters(first)
  return {
    track,
    codec: `avc1.${avcC.toString('hex', 1, 4)}`,
    width,
    height,
    channels: 0,
    sampleRate: 0,
    isPlain: framesOnly && chromaArrayType === 1 && bitDepth === 8,
    headers: new SliceHeaders(sets),
    ...(isChange && { picture: { avcC, width, height } }),
    digest: digestOf(avcC),
  }
}

/** AAC object types that browsers play: LC, SBR and PS. */
const AAC: ReadonlySet<number> = new Set([2, 5, 29])

function soundFormat(track: SourceTrack): TrackFormat {
  const [entry] = findBoxes(track.trak, 'stsd')
  if (entry?.toString('latin1', 12, 16) !== 'mp4a') throw new RangeError('is not AAC')
  const esds = findBox(track.trak, 'esds')
  const objectType = aacObjectType(esds)
  if (objectType === undefined || !AAC.has(objectType)) throw new RangeError('is not AAC')
  return {
    track,
    codec: `mp4a.40.${objectType}`,
    width: 0,
    height: 0,
    channels: entry.readUInt16BE(8 + 8 + 16),
    sampleRate: entry.readUInt16BE(8 + 8 + 24),
    digest: digestOf(esds),
  }
}

/** Returns the AAC object type of an `esds` box; undefined for other codecs. */
function aacObjectType(esds: Buffer): number | undefined {
  // Skips version and flags. Each descriptor begins with a tag, and a length in groups of seven bits.
  let at = 4
  while (at < esds.length) {
    const tag = esds[at++]
    while (((esds[at] ?? 0) & 0x80) !== 0) at++
    at++
    if (tag === 4 && esds[at] !== 0x40) return undefined
    if (tag === 5) return (esds[at] ?? 0) >> 3
    at += tag === 3 ? 3 : 13
  }
  return undefined
}

/**
 * Returns the format of the picture from the key frame `sample` on, if its parameter sets differ from those of
 * `format`; undefined otherwise. An encoder sends new parameter sets with a key frame when its settings change.
 *
 * @throws AvcError
 */
export function changedFormat(format: TrackFormat, sample: Buffer): TrackFormat | undefined {
  const units = nalUnits(sample)
  const ofType = (wanted: number): Buffer[] =>
    units.filter(({ type }) => type === wanted).map(({ start, end }) => sample.subarray(start, end))
  const [sequences, pictures] = [ofType(NAL.sequenceParameters), ofType(NAL.pictureParameters)]
  if (sequences.length === 0 || pictures.length === 0) return undefined
  const avcC = writeAvcConfiguration({ sequences: unlike(sequences), pictures: unlike(pictures) })
  if (digestOf(avcC) === format.digest) return undefined
  const known = readAvcConfiguration(format.picture?.avcC ?? findBox(format.track.trak, 'avcC'))
  // Compares in the form of `writeAvcConfiguration`, because the source's own `avcC` may contain further fields.
  if (digestOf(writeAvcConfiguration(known)) === digestOf(avcC)) return undefined
  return ofPicture(format.track, avcC, true)
}

/** Removes duplicates: an encoder may send the same parameter set twice. */
function unlike(units: readonly Buffer[]): Buffer[] {
  return units.filter((unit, index) => units.findIndex((other) => other.equals(unit)) === index)
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Writes the init segment of a format. */
export function initOf({ track, picture }: TrackFormat, key: Pick<LiveKey, 'keyId' | 'iv'>): Buffer {
  return initSegment(track, key, picture)
}
