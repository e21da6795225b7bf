import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { type Box, findBox, findBoxes, readBoxes } from './boxes.ts'
import type { MediaKey } from './package.ts'

/** The current key of a file, and its replacement. */
export interface KeyChange {
  from: Pick<MediaKey, 'keyId' | 'key'>
  to: Pick<MediaKey, 'keyId' | 'key'>
}

/** How the samples of a track are encrypted (`cbcs`, ISO/IEC 23001-7, section 10.4). */
interface Protection {
  /** Lengths of the alternating runs of encrypted and clear blocks. Both are 0 if all whole blocks are encrypted. */
  crypt: number
  skip: number
  /** Constant initialisation vector. */
  iv: Buffer
}

const BLOCK = 16

/** Returns a copy of an init segment with another key id. The initialisation vector stays the same. */
export function rekeyInit(init: Buffer, { from, to }: KeyChange): Buffer {
  const changed = Buffer.from(init)
  // `tenc` and each `pssh` contain the id. Its 16 random bytes occur nowhere else.
  for (let at = changed.indexOf(from.keyId); at >= 0; at = changed.indexOf(from.keyId, at + BLOCK))
    to.keyId.copy(changed, at)
  return changed
}

/**
 * Returns a copy of a media segment, encrypted with another key. Its length and structure stay the same.
 *
 * @param init init segment of the rendition, with either key
 * @throws RangeError for a segment whose encryption is not supported
 */
export function rekeySegment(segment: Buffer, init: Buffer, keys: KeyChange): Buffer {
  const protection = protectionOf(init)
  // Prepares the keys once, because preparing a key takes longer than encrypting a sample.
  const [from, to] = [createSecretKey(keys.from.key), createSecretKey(keys.to.key)]
  const changed = Buffer.from(segment)
  for (const moof of readBoxes(changed).filter(({ type }) => type === 'moof'))
    for (const data of protectedParts(changed, moof)) rekeyPart(data, protection, from, to)
  return changed
}

function protectionOf(init: Buffer): Protection {
  if (findBox(init, 'schm').toString('latin1', 4, 8) !== 'cbcs') throw new RangeError('not encrypted as cbcs')
  const tenc = findBox(init, 'tenc')
  const [version, pattern = 0, isProtected, ivBytes, constantBytes = 0] = [
    tenc[0],
    tenc[5],
    tenc[6],
    tenc[7],
    tenc[24],
  ]
  if (isProtected !== 1 || ivBytes !== 0) throw new RangeError('no constant initialisation vector')
  const iv = Buffer.alloc(BLOCK)
  tenc.copy(iv, 0, 25, 25 + constantBytes)
  return version === 0 ? { crypt: 0, skip: 0, iv } : { crypt: pattern >> 4, skip: pattern & 15, iv }
}

/** Returns the protected parts of all samples of a fragment, as views of `segment`. */
function protectedParts(segment: Buffer, { payload }: Box): Buffer[] {
  const base = payload.byteOffset - segment.byteOffset - 8
  return findBoxes(payload, 'traf').flatMap((traf) => {
    const boxes = readBoxes(traf)
    if (
      boxes.some(({ type, payload: group }) => type === 'sgpd' && group.toString('latin1', 4, 8) === 'seig')
    )
      throw new RangeError('the key changes inside a segment')
    const samples = samplesOf(segment, base, boxes)
    const senc = boxes.find(({ type }) => type === 'senc')?.payload
    const hasSubsamples = senc !== undefined && (senc.readUIntBE(1, 3) & 2) !== 0
    return hasSubsamples ? partsOf(samples, senc) : samples
  })
}

/** Returns the samples of a fragment (ISO/IEC 14496-12, sections 8.8.7 and 8.8.8). */
function samplesOf(segment: Buffer, base: number, boxes: readonly Box[]): Buffer[] {
  const usualSize = usualSizeOf(boxes)
  const samples: Buffer[] = []
  let at: number | undefined
  for (const { payload: run } of boxes.filter(({ type }) => type === 'trun')) {
    const flags = run.readUIntBE(1, 3)
    if ((flags & 0x1) !== 0) at = base + run.readInt32BE(8)
    if (at === undefined) throw new RangeError('a run of samples without its place')
    const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0)
    let field = 8 + ((flags & 0x1) === 0 ? 0 : 4) + ((flags & 0x4) === 0 ? 0 : 4)
    const count = run.readUInt32BE(4)
    for (let sample = 0; sample < count; sample++, field += fields.length * 4) {
      const size = (flags & 0x200) === 0 ? usualSize : run.readUInt32BE(field + fields.indexOf(0x200) * 4)
      if (size === undefined || at + size > segment.length) throw new RangeError('a sample without its data')
      samples.push(segment.subarray(at, at + size))
      at += size
    }
  }
  return samples
}

function usualSizeOf(boxes: readonly Box[]): number | undefined {
  const header = boxes.find(({ type }) => type === 'tfhd')?.payload
  if (!header) throw new RangeError('no tfhd box')
  const flags = header.readUIntBE(1, 3)
  if ((flags & 0x1) !== 0) throw new RangeError('samples are placed in the file')
  if ((flags & 0x10) === 0) return undefined
  return header.readUInt32BE(8 + ((flags & 0x2) === 0 ? 0 : 4) + ((flags & 0x8) === 0 ? 0 : 4))
}

/**
 * Returns the protected parts of samples, according to the subsamples in `senc`. `senc` contains no initialisation
 * vectors, because the vector is constant.
 */
function partsOf(samples: readonly Buffer[], senc: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let field = 8
  for (const sample of samples) {
    const count = senc.readUInt16BE(field)
    field += 2
    let at = 0
    for (let index = 0; index < count; index++, field += 6) {
      const from = at + senc.readUInt16BE(field)
      at = from + senc.readUInt32BE(field + 2)
      parts.push(sample.subarray(from, at))
    }
    if (at > sample.length) throw new RangeError('a subsample beyond its sample')
    // A sample without subsamples is protected as a whole.
    if (count === 0) parts.push(sample)
  }
  return parts
}

/**
 * Decrypts a protected part with `from` and encrypts it with `to`, in place. The constant initialisation vector
 * applies to the beginning of each part.
 */
function rekeyPart(data: Buffer, { crypt, skip, iv }: Protection, from: KeyObject, to: KeyObject): void {
  const whole = data.length - (data.length % BLOCK)
  const step = crypt === 0 && skip === 0 ? whole : (crypt + skip) * BLOCK
  const length = crypt === 0 && skip === 0 ? whole : crypt * BLOCK
  const views: Buffer[] = []
  for (let at = 0; at < whole; at += step) views.push(data.subarray(at, Math.min(at + length, whole)))
  if (views.length === 0) return
  const clear = createDecipheriv('aes-128-cbc', from, iv).setAutoPadding(false).update(Buffer.concat(views))
  const changed = createCipheriv('aes-128-cbc', to, iv).setAutoPadding(false).update(clear)
  let done = 0
  for (const view of views) done += changed.copy(view, 0, done, done + view.length)
}
