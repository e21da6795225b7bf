import { psshBoxes } from '@ondine/media/pssh'
import { readBoxes } from '../boxes.ts'
import { encryptSample, type LiveKey, type Subsample, VIDEO_PATTERN } from './cbcs.ts'
import type { Sample, SourceTrack } from './fragments.ts'

/** Writes a box of ISO/IEC 14496-12. */
function box(type: string, ...payload: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(
    payload.reduce((sum, { length }) => sum + length, 8),
    0,
  )
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...payload])
}

/** Writes 32-bit numbers. */
function words(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) buffer.writeUInt32BE(number >>> 0, index * 4)
  return buffer
}

/** Writes the version and flags of a full box. */
function full(version: number, flags: number): Buffer {
  return words(version * 0x1000000 + flags)
}

/** The video format of a track after a change during the stream. */
export interface PictureChange {
  avcC: Buffer
  width: number
  height: number
}

/** The id of the only track in each init segment. */
const TRACK_ID = 1

/**
 * Writes the init segment of a track: the source's description of the track, with encryption signalled (ISO/IEC
 * 23001-7).
 */
export function initSegment(
  { trak, kind, timescale }: Pick<SourceTrack, 'trak' | 'kind' | 'timescale'>,
  key: Pick<LiveKey, 'keyId' | 'iv'>,
  picture?: PictureChange,
): Buffer {
  const mvhd = Buffer.concat([
    full(0, 0),
    words(0, 0, timescale, 0, 0x10000, 0x1000000, 0, 0),
    matrix(),
    words(0, 0, 0, 0, 0, 0, TRACK_ID + 1),
  ])
  const trex = Buffer.concat([full(0, 0), words(TRACK_ID, 1, 0, 0, 0)])
  const { common, widevine, fairPlay } = psshBoxes(key.keyId.toString('hex'))
  return Buffer.concat([
    box('ftyp', Buffer.from('iso6\0\0\0\0iso6cmfcdash', 'latin1')),
    box(
      'moov',
      box('mvhd', mvhd),
      box('trak', rewrite(trak, kind, key, picture)),
      box('mvex', box('trex', trex)),
      // For some players, these boxes are the only source of the key's id.
      Buffer.concat([common, widevine, fairPlay]),
    ),
  ])
}

function matrix(): Buffer {
  return words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
}

/** Boxes of a track that are not copied: they describe the source's file, or its place in a presentation. */
const LEFT_OUT: ReadonlySet<string> = new Set(['edts', 'udta', 'tref', 'meta', 'btrt'])
const CONTAINERS: ReadonlySet<string> = new Set(['mdia', 'minf', 'stbl'])

/** Copies the boxes of a track. Changes the boxes that concern encryption or a changed picture. */
function rewrite(
  payload: Buffer,
  kind: SourceTrack['kind'],
  key: Pick<LiveKey, 'keyId' | 'iv'>,
  picture: PictureChange | undefined,
): Buffer {
  return Buffer.concat(
    readBoxes(payload)
      .filter(({ type }) => !LEFT_OUT.has(type))
      .map((each) => {
        if (CONTAINERS.has(each.type)) return box(each.type, rewrite(each.payload, kind, key, picture))
        if (each.type === 'tkhd') return box('tkhd', trackHeader(each.payload, picture))
        if (each.type !== 'stsd') return box(each.type, each.payload)
        return box('stsd', full(0, 0), words(1), sampleEntry(each.payload.subarray(8), kind, key, picture))
      }),
  )
}

function trackHeader(payload: Buffer, picture: PictureChange | undefined): Buffer {
  const header = Buffer.from(payload)
  header.writeUInt32BE(TRACK_ID, header[0] === 1 ? 20 : 12)
  if (picture) {
    header.writeUInt32BE(picture.width * 0x10000, header.length - 8)
    header.writeUInt32BE(picture.height * 0x10000, header.length - 4)
  }
  return header
}

/** Length of the fixed fields of a sample entry. */
const ENTRY_FIELDS = { video: 78, audio: 28 }

function sampleEntry(
  entries: Buffer,
  kind: SourceTrack['kind'],
  key: Pick<LiveKey, 'keyId' | 'iv'>,
  picture: PictureChange | undefined,
): Buffer {
  const [entry] = readBoxes(entries)
  if (!entry) throw new RangeError('no sample entry')
  const fields = Buffer.from(entry.payload.subarray(0, ENTRY_FIELDS[kind]))
  if (picture) {
    fields.writeUInt16BE(picture.width, 24)
    fields.writeUInt16BE(picture.height, 26)
  }
  const inside = readBoxes(entry.payload.subarray(ENTRY_FIELDS[kind]))
    .filter(({ type }) => !LEFT_OUT.has(type))
    .map(({ type, payload }) => box(type, type === 'avcC' && picture ? picture.avcC : payload))
  const pattern = kind === 'video' ? VIDEO_PATTERN.crypt * 16 + VIDEO_PATTERN.skip : 0
  const protection = box(
    'sinf',
    box('frma', Buffer.from(entry.type, 'latin1')),
    box('schm', full(0, 0), Buffer.from('cbcs', 'latin1'), words(0x10000)),
    box(
      'schi',
      box(
        'tenc',
        full(1, 0),
        Buffer.from([0, pattern, 1, 0]),
        key.keyId,
        Buffer.from([key.iv.length]),
        key.iv,
      ),
    ),
  )
  return box(kind === 'video' ? 'encv' : 'enca', fields, ...inside, protection)
}

/** A sample before its encryption. */
export interface PackedSample extends Pick<Sample, 'duration' | 'offset' | 'isSync' | 'data'> {
  /** Clear and protected parts of a video frame. Undefined for sound, whose samples are encrypted as a whole. */
  subsamples?: Subsample[]
}

const SYNC_SAMPLE = 0x2000000
const OTHER_SAMPLE = 0x1010000

/**
 * Writes a media segment of one fragment (ISO/IEC 14496-12, section 8.8), and encrypts its samples.
 *
 * @param decodeTime in ticks of the track
 */
export function mediaSegment(
  number: number,
  decodeTime: number,
  samples: readonly PackedSample[],
  key: LiveKey,
): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(decodeTime))
  const before = [box('tfhd', full(0, 0x20000), words(TRACK_ID)), box('tfdt', full(1, 0), time)]
  const auxiliary = subsampleBoxes(samples)
  const headerBytes = 8 + 16 + 8 + lengthOf(before)
  const runBytes = 8 + 4 + 4 + 4 + samples.length * 16
  const auxiliaryBytes = auxiliary ? lengthOf([auxiliary.saiz, auxiliary.senc]) + SAIO_BYTES : 0
  const dataAt = headerBytes + runBytes + auxiliaryBytes + 8
  const run = box(
    'trun',
    full(1, 0xf01),
    words(
      samples.length,
      dataAt,
      ...samples.flatMap(({ duration, data, isSync, offset }) => [
        duration,
        data.length,
        isSync ? SYNC_SAMPLE : OTHER_SAMPLE,
        offset,
      ]),
    ),
  )
  const after = auxiliary
    ? [
        auxiliary.saiz,
        // Offset of the data in `senc`, after its header and count.
        box('saio', full(0, 0), words(1, headerBytes + runBytes + auxiliary.saiz.length + SAIO_BYTES + 16)),
        auxiliary.senc,
      ]
    : []
  const data = samples.map((sample) => sample.data)
  // Copies the samples into the segment, and encrypts them there, so that they are copied only once.
  const segment = Buffer.concat([
    box('styp', Buffer.from('msdh\0\0\0\0msdhcmfs', 'latin1')),
    box('moof', box('mfhd', full(0, 0), words(number)), box('traf', ...before, run, ...after)),
    words(8 + lengthOf(data)),
    Buffer.from('mdat', 'latin1'),
    ...data,
  ])
  let at = segment.length - lengthOf(data)
  for (const { data: clear, subsamples } of samples) {
    encryptSample(segment.subarray(at, at + clear.length), subsamples, key)
    at += clear.length
  }
  return segment
}

const SAIO_BYTES = 20

function lengthOf(boxes: readonly Buffer[]): number {
  return boxes.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Writes the subsamples of each sample (ISO/IEC 23001-7, section 7). Undefined if samples are protected as a
 * whole.
 */
function subsampleBoxes(samples: readonly PackedSample[]): { saiz: Buffer; senc: Buffer } | undefined {
  if (samples.every(({ subsamples }) => subsamples === undefined)) return undefined
  const entries = samples.map(({ subsamples = [] }) => {
    const entry = Buffer.alloc(2 + subsamples.length * 6)
    entry.writeUInt16BE(subsamples.length, 0)
    for (const [index, { clear, protected: guarded }] of subsamples.entries()) {
      entry.writeUInt16BE(clear, 2 + index * 6)
      entry.writeUInt32BE(guarded, 4 + index * 6)
    }
    return entry
  })
  return {
    saiz: box(
      'saiz',
      full(0, 0),
      Buffer.from([0]),
      words(samples.length),
      Buffer.from(entries.map(({ length }) => length)),
    ),
    senc: box('senc', full(0, 2), words(samples.length), ...entries),
  }
}
