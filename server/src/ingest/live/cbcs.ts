import { createCipheriv, type KeyObject } from 'node:crypto'
import { AvcError, NAL, nalUnits, type SliceHeaders } from './avc.ts'

/** Numbers of clear bytes and of the protected bytes after them (ISO/IEC 23001-7, section 9.5). */
export interface Subsample {
  clear: number
  protected: number
}

/** A content key with its constant initialisation vector. Each has 16 bytes. */
export interface LiveKey {
  keyId: Buffer
  /** The key, prepared once: preparing it for each sample would take longer than encrypting the sample. */
  key: KeyObject
  iv: Buffer
}

const BLOCK = 16
/** The first of every ten blocks of video is encrypted (section 10.4.2). */
export const VIDEO_PATTERN = { crypt: 1, skip: 9 }
const PATTERN_BYTES = (VIDEO_PATTERN.crypt + VIDEO_PATTERN.skip) * BLOCK

/** Bytes of a slice that stay clear if its header cannot be read. In practice, no header is longer. */
const UNREAD_HEADER_BYTES = 256

/** Maximum of `clear` in a subsample. */
const MOST_CLEAR = 0xffff

/**
 * Maximum number of protected slices in a sample; further slices stay clear. The table of a sample has at most 255
 * bytes (`saiz`). Each slice takes six bytes of the table.
 */
const MOST_PROTECTED = 32

/**
 * Encrypts a sample in place (section 10.4.3): for video, the protected bytes of the subsamples; for sound, all whole
 * blocks.
 *
 * @param subsamples of a video frame; undefined for sound
 */
export function encryptSample(
  data: Buffer,
  subsamples: readonly Subsample[] | undefined,
  key: LiveKey,
): void {
  if (!subsamples) {
    const whole = data.length - (data.length % BLOCK)
    encrypt(data.subarray(0, whole), key).copy(data)
    return
  }
  let at = 0
  for (const { clear, protected: guarded } of subsamples) {
    at += clear
    if (guarded > 0) encryptPattern(data.subarray(at, at + guarded), key)
    at += guarded
  }
}

/**
 * Returns which parts of a sample of H.264 are encrypted. The headers of NAL units and of slices stay clear, as do
 * NAL units without a picture.
 *
 * @throws AvcError for a sample that does not consist of NAL units
 */
export function subsamplesOf(sample: Buffer, headers: SliceHeaders): Subsample[] {
  const subsamples: Subsample[] = []
  let clearFrom = 0
  for (const unit of nalUnits(sample)) {
    if (unit.type < NAL.slice || unit.type > NAL.idr || subsamples.length >= MOST_PROTECTED) continue
    const from = protectedFrom(sample, unit, headers)
    if (unit.end - from < BLOCK) continue
    addSubsamples(subsamples, from - clearFrom, unit.end - from)
    clearFrom = unit.end
  }
  if (clearFrom < sample.length) addSubsamples(subsamples, sample.length - clearFrom, 0)
  return subsamples
}

function protectedFrom(
  sample: Buffer,
  unit: ReturnType<typeof nalUnits>[number],
  headers: SliceHeaders,
): number {
  try {
    // The reader does not support the headers of data partitions (types 2 to 4).
    if (unit.type === NAL.slice || unit.type === NAL.idr)
      return Math.min(headers.endOf(sample, unit), unit.end)
  } catch (error) {
    if (!(error instanceof AvcError)) throw error
  }
  return Math.min(unit.start + UNREAD_HEADER_BYTES, unit.end)
}

function addSubsamples(subsamples: Subsample[], clear: number, guarded: number): void {
  let left = clear
  for (; left > MOST_CLEAR; left -= MOST_CLEAR) subsamples.push({ clear: MOST_CLEAR, protected: 0 })
  subsamples.push({ clear: left, protected: guarded })
}

/**
 * Encrypts one of every ten blocks. The encrypted blocks form one chain, which begins with the initialisation
 * vector.
 */
function encryptPattern(data: Buffer, key: LiveKey): void {
  const count = Math.floor((data.length - BLOCK) / PATTERN_BYTES) + 1
  const blocks = Buffer.allocUnsafe(count * BLOCK)
  for (let index = 0; index < count; index++)
    data.copy(blocks, index * BLOCK, index * PATTERN_BYTES, index * PATTERN_BYTES + BLOCK)
  const encrypted = encrypt(blocks, key)
  for (let index = 0; index < count; index++)
    encrypted.copy(data, index * PATTERN_BYTES, index * BLOCK, index * BLOCK + BLOCK)
}

function encrypt(blocks: Buffer, { key, iv }: LiveKey): Buffer {
  // The last block is whole, so there is nothing to pad.
  return createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(blocks)
}
