/** Bytes of the length field before each NAL unit in a sample, as ffmpeg writes samples. */
const LENGTH_BYTES = 4

/** Types of NAL units (ITU-T H.264, table 7-1). */
export const NAL = { slice: 1, idr: 5, sequenceParameters: 7, pictureParameters: 8 } as const

/** Thrown for a stream that breaks the syntax of H.264, or that uses an unsupported part of it. */
export class AvcError extends Error {
  override name = 'AvcError'
}

/** A NAL unit within a sample. `start` is the offset of its header byte. */
export interface NalUnit {
  type: number
  start: number
  end: number
}

/** Returns the NAL units of a sample. @throws AvcError if a length leads out of the sample */
export function nalUnits(sample: Buffer): NalUnit[] {
  const units: NalUnit[] = []
  let at = 0
  while (at < sample.length) {
    const start = at + LENGTH_BYTES
    if (start >= sample.length) throw new AvcError('a NAL unit without a header')
    const end = start + sample.readUInt32BE(at)
    if (end > sample.length || end === start) throw new AvcError('a NAL unit that leads out of its sample')
    units.push({ type: (sample[start] ?? 0) & 31, start, end })
    at = end
  }
  return units
}

/** Returns whether a sample contains a slice of H.264, and nothing that cannot be H.264. */
export function isAvcPicture(sample: Buffer): boolean {
  try {
    const units = nalUnits(sample)
    // The first bit of a NAL unit is 0. In HEVC, no header byte looks like one of these types.
    return (
      units.every(({ start }) => (sample[start] ?? 0) < 0x80) &&
      units.some(({ type }) => type === NAL.slice || type === NAL.idr)
    )
  } catch (error) {
    if (error instanceof AvcError) return false
    throw error
  }
}

/** Reads bits of a NAL unit without its emulation prevention bytes (section 7.4.1). */
class BitReader {
  readonly #bytes: Buffer
  /** Offset of the byte that is being read. */
  #at: number
  #bit = 0

  /** @param start offset of the first byte after the header of the NAL unit */
  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes
    this.#at = start
  }

  /** Returns the offset of the first byte that is still entirely unread. */
  get nextByte(): number {
    return this.#at + (this.#bit > 0 ? 1 : 0)
  }

  bit(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new AvcError('the data ends within a field')
    const value = (byte >> (7 - this.#bit)) & 1
    if (++this.#bit === 8) {
      this.#bit = 0
      this.#at++
      const isPrevention = this.#bytes[this.#at] === 3
      if (isPrevention && this.#bytes[this.#at - 1] === 0 && this.#bytes[this.#at - 2] === 0) this.#at++
    }
    return value
  }

  bits(count: number): number {
    let value = 0
    for (let index = 0; index < count; index++) value = value * 2 + this.bit()
    return value
  }

  /** Reads an unsigned Exp-Golomb code. */
  ue(): number {
    let zeros = 0
    while (this.bit() === 0) if (++zeros > 32) throw new AvcError('a number of more than 32 bits')
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** Reads a signed Exp-Golomb code. */
  se(): number {
    const code = this.ue()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}

/** The fields of a sequence parameter set that slice headers and formats depend on. */
export interface SequenceParameters {
  id: number
  width: number
  height: number
  separateColours: boolean
  chromaArrayType: number
  /** Bit depth: the larger of luma and chroma. */
  bitDepth: number
  frameNumberBits: number
  orderType: number
  orderBits: number
  orderAlwaysZero: boolean
  framesOnly: boolean
}

const HIGH_PROFILES: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])

/** Reads a sequence parameter set (section 7.3.2.1). @throws AvcError */
export function readSequenceParameters(unit: Buffer): SequenceParameters {
  const reader = new BitReader(unit, 1)
  const profile = reader.bits(8)
  reader.bits(16)
  const id = reader.ue()
  let chroma = 1
  let separateColours = false
  let bitDepth = 8
  if (HIGH_PROFILES.has(profile)) {
    chroma = reader.ue()
    if (chroma === 3) separateColours = reader.bit() === 1
    bitDepth = 8 + Math.max(reader.ue(), reader.ue())
    reader.bit()
    if (reader.bit() === 1) {
      for (let list = 0; list < (chroma === 3 ? 12 : 8); list++)
        if (reader.bit() === 1) skipScalingList(reader, list < 6 ? 16 : 64)
    }
  }
  const frameNumberBits = reader.ue() + 4
  const orderType = reader.ue()
  let orderBits = 0
  let orderAlwaysZero = false
  if (orderType === 0) orderBits = reader.ue() + 4
  else if (orderType === 1) {
    orderAlwaysZero = reader.bit() === 1
    reader.se()
    reader.se()
    for (let left = Math.min(reader.ue(), 255); left > 0; left--) reader.se()
  }
  reader.ue()
  reader.bit()
  const columns = reader.ue() + 1
  const rows = reader.ue() + 1
  const framesOnly = reader.bit() === 1
  if (!framesOnly) reader.bit()
  reader.bit()
  const crop = reader.bit() === 1 ? [reader.ue(), reader.ue(), reader.ue(), reader.ue()] : [0, 0, 0, 0]
  const [left = 0, right = 0, top = 0, bottom = 0] = crop
  const fields = framesOnly ? 1 : 2
  const chromaArrayType = separateColours ? 0 : chroma
  const cropWidth = chromaArrayType === 1 || chromaArrayType === 2 ? 2 : 1
  const cropHeight = (chromaArrayType === 1 ? 2 : 1) * fields
  return {
    id,
    width: columns * 16 - (left + right) * cropWidth,
    height: rows * 16 * fields - (top + bottom) * cropHeight,
    separateColours,
    chromaArrayType,
    bitDepth,
    frameNumberBits,
    orderType,
    orderBits,
    orderAlwaysZero,
    framesOnly,
  }
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8
  let next = 8
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + reader.se() + 256) % 256
    if (next !== 0) last = next
  }
}

/** The fields of a picture parameter set that slice headers depend on. */
export interface PictureParameters {
  id: number
  sequenceId: number
  isCabac: boolean
  hasBottomOrder: boolean
  references: [number, number]
  weighted: boolean
  weightedBoth: number
  hasDeblocking: boolean
  hasRedundantPictures: boolean
}

/** Reads a picture parameter set (section 7.3.2.2). @throws AvcError */
function readPictureParameters(unit: Buffer): PictureParameters {
  const reader = new BitReader(unit, 1)
  const id = reader.ue()
  const sequenceId = reader.ue()
  const isCabac = reader.bit() === 1
  const hasBottomOrder = reader.bit() === 1
  if (reader.ue() > 0) throw new AvcError('slice groups are not supported')
  const references: [number, number] = [reader.ue() + 1, reader.ue() + 1]
  const weighted = reader.bit() === 1
  const weightedBoth = reader.bits(2)
  reader.se()
  reader.se()
  reader.se()
  const hasDeblocking = reader.bit() === 1
  reader.bit()
  const hasRedundantPictures = reader.bit() === 1
  return {
    id,
    sequenceId,
    isCabac,
    hasBottomOrder,
    references,
    weighted,
    weightedBoth,
    hasDeblocking,
    hasRedundantPictures,
  }
}

/** The parameter sets of a stream, in the form of its `avcC` box. */
export interface ParameterSets {
  sequences: Buffer[]
  pictures: Buffer[]
}

/** Reads the payload of an `avcC` box (ISO/IEC 14496-15, section 5.3.3.1). @throws AvcError */
export function readAvcConfiguration(avcC: Buffer): ParameterSets {
  if (avcC.length < 7 || ((avcC[4] ?? 0) & 3) !== LENGTH_BYTES - 1) {
    throw new AvcError('a configuration that is not supported')
  }
  let at = 5
  const list = (count: number): Buffer[] =>
    Array.from({ length: count }, () => {
      if (at + 2 > avcC.length) throw new AvcError('a configuration that is too short')
      const length = avcC.readUInt16BE(at)
      at += 2 + length
      if (at > avcC.length || length < 4) throw new AvcError('a configuration that is too short')
      return avcC.subarray(at - length, at)
    })
  const sequences = list((avcC[at++] ?? 0) & 31)
  const pictures = list(avcC[at++] ?? 0)
  if (sequences.length === 0 || pictures.length === 0)
    throw new AvcError('a configuration without parameters')
  return { sequences, pictures }
}

/** Writes the payload of an `avcC` box. */
export function writeAvcConfiguration({ sequences, pictures }: ParameterSets): Buffer {
  const [first = Buffer.alloc(4)] = sequences
  const list = (units: readonly Buffer[]): Buffer[] =>
    units.flatMap((unit) => [Buffer.from([unit.length >> 8, unit.length & 255]), unit])
  return Buffer.concat([
    Buffer.from([1]),
    first.subarray(1, 4),
    Buffer.from([0xfc | (LENGTH_BYTES - 1), 0xe0 | sequences.length]),
    ...list(sequences),
    Buffer.from([pictures.length]),
    ...list(pictures),
  ])
}

/** Finds the ends of slice headers. Encryption leaves the headers clear. */
export class SliceHeaders {
  readonly #sequences = new Map<number, SequenceParameters>()
  readonly #pictures = new Map<number, PictureParameters>()

  /** @throws AvcError */
  constructor({ sequences, pictures }: ParameterSets) {
    for (const unit of sequences) {
      const read = readSequenceParameters(unit)
      this.#sequences.set(read.id, read)
    }
    for (const unit of pictures) {
      const read = readPictureParameters(unit)
      this.#pictures.set(read.id, read)
    }
  }

  /**
   * Returns the offset of the first byte after the header of a slice (section 7.3.3).
   *
   * @throws AvcError
   */
  endOf(sample: Buffer, { type, start, end }: NalUnit): number {
    const isReference = ((sample[start] ?? 0) & 0x60) !== 0
    const isIdr = type === NAL.idr
    const reader = new BitReader(sample.subarray(0, end), start + 1)
    reader.ue()
    const sliceType = reader.ue() % 5
    const [isP, isB, isSp, isSi] = [sliceType === 0, sliceType === 1, sliceType === 3, sliceType === 4]
    const isIntra = sliceType === 2 || isSi
    const picture = this.#pictures.get(reader.ue())
    const sequence = picture && this.#sequences.get(picture.sequenceId)
    if (!picture || !sequence) throw new AvcError('a slice of unknown parameters')
    if (sequence.separateColours) reader.bits(2)
    reader.bits(sequence.frameNumberBits)
    let isField = false
    if (!sequence.framesOnly) {
      isField = reader.bit() === 1
      if (isField) reader.bit()
    }
    if (isIdr) reader.ue()
    if (sequence.orderType === 0) {
      reader.bits(sequence.orderBits)
      if (picture.hasBottomOrder && !isField) reader.se()
    } else if (sequence.orderType === 1 && !sequence.orderAlwaysZero) {
      reader.se()
      if (picture.hasBottomOrder && !isField) reader.se()
    }
    if (picture.hasRedundantPictures) reader.ue()
    if (isB) reader.bit()
    let [first, second] = picture.references
    if (!isIntra && reader.bit() === 1) {
      first = reader.ue() + 1
      if (isB) second = reader.ue() + 1
    }
    if (Math.max(first, second) > 32) throw new AvcError('more than 32 reference pictures')
    if (!isIntra) {
      skipListModification(reader)
      if (isB) skipListModification(reader)
    }
    if ((picture.weighted && (isP || isSp)) || (picture.weightedBoth === 1 && isB)) {
      const hasColour = sequence.chromaArrayType !== 0
      reader.ue()
      if (hasColour) reader.ue()
      skipWeights(reader, first, hasColour)
      if (isB) skipWeights(reader, second, hasColour)
    }
    if (isReference) skipReferenceMarking(reader, isIdr)
    if (picture.isCabac && !isIntra) reader.ue()
    reader.se()
    if (isSp) reader.bit()
    if (isSp || isSi) reader.se()
    if (picture.hasDeblocking && reader.ue() !== 1) {
      reader.se()
      reader.se()
    }
    return reader.nextByte
  }
}

function skipListModification(reader: BitReader): void {
  if (reader.bit() === 0) return
  for (let left = 66; left > 0; left--) {
    if (reader.ue() === 3) return
    reader.ue()
  }
  throw new AvcError('a list of references without an end')
}

function skipWeights(reader: BitReader, count: number, hasColour: boolean): void {
  for (let index = 0; index < count; index++) {
    if (reader.bit() === 1) skipCodes(reader, 2)
    if (hasColour && reader.bit() === 1) skipCodes(reader, 4)
  }
}

function skipCodes(reader: BitReader, count: number): void {
  for (let index = 0; index < count; index++) reader.ue()
}

function skipReferenceMarking(reader: BitReader, isIdr: boolean): void {
  if (isIdr) {
    reader.bits(2)
    return
  }
  if (reader.bit() === 0) return
  for (let left = 66; left > 0; left--) {
    const operation = reader.ue()
    if (operation === 0) return
    if (operation !== 5) reader.ue()
    if (operation === 3) reader.ue()
  }
  throw new AvcError('a list of markings without an end')
}
