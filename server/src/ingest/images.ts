import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sharp } from 'sharp'
import { isErrno } from '../is-errno.ts'
import { IngestError } from './reasons.ts'
import { openSharp } from './sharp.ts'

/** A picture in the store. */
export interface StoredImage {
  /** Id derived from the content: 32 hexadecimal digits. */
  id: string
  width: number
  height: number
  /** Mean colour, `#rrggbb`. */
  color: string
}

/**
 * The part of a picture to keep. `upright` has the picture's full height, and contains the most important area.
 */
export type Crop = 'upright'

/** Stores pictures, named by their content. */
export interface ImageStore {
  /**
   * Stores a picture file: JPEG, PNG, WebP, AVIF, GIF (its first frame) or SVG. The stored file is encoded again
   * from the pixels. So scripts, metadata and data that another program could interpret differently do not
   * survive.
   *
   * @param cut the part to keep; by default the whole picture
   * @throws {IngestError} `imageUnreadable`
   */
  store(path: string, cut?: Crop): Promise<StoredImage>
  /**
   * Returns the path of the full picture, within {@link IMAGE_LIMITS}; undefined when the picture does not exist.
   */
  original(id: string): Promise<string | undefined>
  /**
   * Removes a picture. With `before` (milliseconds), keeps a picture that was stored again after that time.
   *
   * @returns whether the picture was removed
   */
  remove(id: string, before?: number): Promise<boolean>
}

export const IMAGE_LIMITS = {
  bytes: 40_000_000,
  vectorBytes: 2_000_000,
  pixels: 100_000_000,
  /** Longest side of a stored picture, in pixels. */
  side: 3840,
  seconds: 30,
} as const

const ID = /^[0-9a-f]{32}$/

const FORMATS = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'svg'])

/** Width of an upright cut divided by its height, as for a poster. */
const UPRIGHT_RATIO = 2 / 3

/** Height of rasterised vector pictures, in pixels. Enough for the largest place where the interface shows one. */
const VECTOR_HEIGHT = 1080
const USUAL_DENSITY = 72
const MAX_DENSITY = 20_000

/** Opens the store in `folder`, and creates the folder if it is missing. */
export function openImageStore(folder: string): ImageStore {
  const homeOf = (id: string): string => {
    if (!ID.test(id)) throw new RangeError(`not the id of a picture: ${id}`)
    return join(folder, id.slice(0, 2), id)
  }
  return {
    store: async (path, cut) => {
      // Loads Sharp outside the `try`, because a failure to load is not the picture's fault.
      await openSharp()
      try {
        return await storeImage(path, homeOf, cut)
      } catch (error) {
        if (error instanceof IngestError) throw error
        throw new IngestError('imageUnreadable', error instanceof Error ? error.message : '', error)
      }
    },
    original: async (id) => {
      const path = originalIn(homeOf(id))
      return (await exists(path)) ? path : undefined
    },
    remove: async (id, before = Number.POSITIVE_INFINITY) => {
      if (!(await isOlder(homeOf(id), before))) return false
      await rm(homeOf(id), { recursive: true, force: true })
      return true
    },
  }
}

async function storeImage(
  path: string,
  homeOf: (id: string) => string,
  cut: Crop | undefined,
): Promise<StoredImage> {
  const { size } = await stat(path)
  if (size > IMAGE_LIMITS.bytes) throw new IngestError('imageUnreadable', `It has ${size} bytes.`)
  const data = await readFile(path)
  const id = createHash('sha256')
    .update(data)
    .update(cut ?? '')
    .digest('hex')
    .slice(0, 32)
  const original = originalIn(homeOf(id))

  if (!(await isKept(original))) {
    const { hasAlpha } = await (await openImage(data)).metadata()
    const source = (await decodePicture(data)).autoOrient()
    const kept = await (cut === undefined ? source : await cutUpright(source))
      .resize({
        width: IMAGE_LIMITS.side,
        height: IMAGE_LIMITS.side,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp(hasAlpha ? { lossless: true } : { quality: 92 })
      .timeout({ seconds: IMAGE_LIMITS.seconds })
      .toBuffer()
    await writeAside(original, kept)
  }
  const sharp = await openSharp()
  const { width, height } = await sharp(original).metadata()
  return { id, width, height, color: await meanColor(original) }
}

/**
 * Crops a wide picture at full height to the upright part that attracts most attention. Returns an upright picture
 * unchanged.
 */
async function cutUpright(source: Sharp): Promise<Sharp> {
  const { data, info } = await source.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true })
  const sharp = await openSharp()
  const width = Math.round(info.height * UPRIGHT_RATIO)
  if (width >= info.width) return sharp(data)
  const cut = await sharp(data)
    .resize({ width, height: info.height, fit: 'cover', position: sharp.strategy.attention })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(cut)
}

function originalIn(home: string): string {
  return join(home, 'original.webp')
}

async function openImage(data: Buffer, density = USUAL_DENSITY): Promise<Sharp> {
  const sharp = await openSharp()
  return sharp(data, { limitInputPixels: IMAGE_LIMITS.pixels, failOn: 'error', density })
}

/**
 * Decodes a file from an outside source. The data is passed as bytes, so that a vector picture cannot refer to other
 * files.
 *
 * @throws {IngestError} `imageUnreadable`, or the fault of the decoder
 */
export async function decodePicture(data: Buffer): Promise<Sharp> {
  const { format, height } = await (await openImage(data)).metadata()
  if (!FORMATS.has(format)) throw new IngestError('imageUnreadable', `It is ${format}.`)
  if (format !== 'svg') return await openImage(data)
  if (data.length > IMAGE_LIMITS.vectorBytes)
    throw new IngestError('imageUnreadable', `It has ${data.length} bytes.`)
  const density = Math.min(MAX_DENSITY, Math.max(1, (USUAL_DENSITY * VECTOR_HEIGHT) / height))
  return await openImage(data, density)
}

/** Returns the mean colour of a picture on a dark background, which is visible through transparent parts. */
async function meanColor(path: string): Promise<string> {
  const sharp = await openSharp()
  const pixel = await sharp(path)
    .flatten({ background: '#080b10' })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
  return `#${pixel.toString('hex', 0, 3)}`
}

/**
 * Returns whether a picture is already stored. If so, sets the modification time of its folder to now, so that the
 * picture counts as just stored.
 */
async function isKept(original: string): Promise<boolean> {
  if (!(await exists(original))) return false
  const now = new Date()
  // A sweep may have removed the picture since the check above.
  const touched = await orMissing(utimes(dirname(original), now, now).then(() => true))
  return touched === true && (await exists(original))
}

async function isOlder(home: string, before: number): Promise<boolean> {
  const found = await orMissing(stat(home))
  return found !== undefined && found.mtimeMs < before
}

/** Returns the result; undefined when the file does not exist. */
async function orMissing<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Writes a file atomically: readers see the whole file or no file. */
async function writeAside(path: string, data: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const aside = `${path}.${randomUUID()}`
  const file = await open(aside, 'wx', 0o640)
  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}
