/** A box of ISO/IEC 14496-12: its four-character type and its payload, after the header. */
export interface Box {
  type: string
  payload: Buffer
}

/** Offset of the child boxes in a box's payload. Types that are not listed have no relevant children. */
const CHILDREN: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  sinf: 0,
  schi: 0,
  moof: 0,
  traf: 0,
  stsd: 8,
  // Sample entries consist of fixed fields, then boxes (sections 12.1.3 and 12.2.3).
  avc1: 78,
  encv: 78,
  mp4a: 28,
  enca: 28,
}

/**
 * Returns the sibling boxes in `data`. The list ends at the first incomplete box, because `data` may contain only
 * a file's first bytes.
 */
export function readBoxes(data: Buffer): Box[] {
  const boxes: Box[] = []
  let offset = 0
  while (offset + 8 <= data.length) {
    const small = data.readUInt32BE(offset)
    const header = small === 1 ? 16 : 8
    if (offset + header > data.length) break
    const size =
      small === 0 ? data.length - offset : small === 1 ? Number(data.readBigUInt64BE(offset + 8)) : small
    if (size < header || offset + size > data.length) break
    boxes.push({
      type: data.toString('latin1', offset + 4, offset + 8),
      payload: data.subarray(offset + header, offset + size),
    })
    offset += size
  }
  return boxes
}

/** Returns the payloads of all boxes of `type` at any depth, in the order in which the boxes begin. */
export function findBoxes(data: Buffer, type: string): Buffer[] {
  return readBoxes(data).flatMap((box) => {
    const children = CHILDREN[box.type]
    return [
      ...(box.type === type ? [box.payload] : []),
      ...(children === undefined ? [] : findBoxes(box.payload.subarray(children), type)),
    ]
  })
}

/** Returns the payload of the first box of `type` at any depth. @throws RangeError if no such box exists */
export function findBox(data: Buffer, type: string): Buffer {
  const [box] = findBoxes(data, type)
  if (box === undefined) throw new RangeError(`no ${type} box`)
  return box
}

/** Returns the ticks per second of an init segment's only track. */
export function readTimescale(init: Buffer): number {
  const header = findBox(init, 'mdhd')
  return header.readUInt32BE(header[0] === 1 ? 20 : 12)
}

/**
 * Returns the RFC 6381 codec string of the only track of an init segment, encrypted or not: `avc1.640028`, `mp4a.40.2`.
 */
export function readCodec(init: Buffer): string {
  const [avc] = findBoxes(init, 'avcC')
  if (avc !== undefined) return `avc1.${avc.toString('hex', 1, 4)}`
  return `mp4a.40.${audioObjectType(findBox(init, 'esds'))}`
}

/**
 * Returns the audio object type: the first five bits of the AudioSpecificConfig (ISO/IEC 14496-3), which is in
 * descriptor 5 of the esds box.
 */
function audioObjectType(esds: Buffer): number {
  // Skips version and flags. Each descriptor begins with a tag, and a length in groups of seven bits.
  let offset = 4
  while (offset < esds.length) {
    const tag = esds[offset]
    offset += 1
    while (((esds[offset] ?? 0) & 0x80) !== 0) offset += 1
    offset += 1
    if (tag === 5) return (esds[offset] ?? 0) >> 3
    // The child descriptors follow an identifier and flags (3 bytes) in an ES descriptor, and 13 bytes in a
    // decoder configuration.
    offset += tag === 3 ? 3 : 13
  }
  throw new RangeError('no AudioSpecificConfig')
}

/** The times in a media segment, in its track's ticks. */
export interface SegmentTiming {
  decodeTime: number
  duration: number
}

/** Adds up the sample durations of a media segment's fragments. `head` must contain all `moof` boxes. */
export function readSegmentTiming(head: Buffer): SegmentTiming {
  const fragments = findBoxes(head, 'traf')
  const first = fragments[0]
  if (first === undefined) throw new RangeError('no fragment')
  const decode = findBox(first, 'tfdt')
  return {
    decodeTime: decode[0] === 1 ? Number(decode.readBigUInt64BE(4)) : decode.readUInt32BE(4),
    duration: fragments.reduce((sum, fragment) => sum + fragmentDuration(fragment), 0),
  }
}

function fragmentDuration(fragment: Buffer): number {
  const usual = defaultDuration(findBox(fragment, 'tfhd'))
  return findBoxes(fragment, 'trun').reduce((sum, run) => sum + runDuration(run, usual), 0)
}

/** Returns the default sample duration. Flags indicate which optional fields precede it (section 8.8.7). */
function defaultDuration(header: Buffer): number {
  const flags = header.readUIntBE(1, 3)
  if ((flags & 0x8) === 0) return 0
  return header.readUInt32BE(8 + ((flags & 0x1) === 0 ? 0 : 8) + ((flags & 0x2) === 0 ? 0 : 4))
}

/** Returns the total duration of the samples in a `trun` box (section 8.8.8). */
function runDuration(run: Buffer, usual: number): number {
  const flags = run.readUIntBE(1, 3)
  const samples = run.readUInt32BE(4)
  if ((flags & 0x100) === 0) return samples * usual
  const size = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4
  const begin = 8 + ((flags & 0x1) === 0 ? 0 : 4) + ((flags & 0x4) === 0 ? 0 : 4)
  let sum = 0
  for (let sample = 0; sample < samples; sample++) sum += run.readUInt32BE(begin + sample * size)
  return sum
}
