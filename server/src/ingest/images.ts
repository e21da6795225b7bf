import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sharp } from 'sharp'
import { IngestError } from './reasons.ts'
import { openSharp } from './sharp.ts'

/** A picture in the store. */
export interface StoredImage {
  /** Names its content: 32 hexadecimal digits. */
  id: string
  width: number
  height: number
  /** Mean colour, `#rrggbb`. */
  color: string
}

/** Pictures as they came in, named by their content. */
export interface ImageStore {
  /**
   * Takes a picture file: JPEG, PNG, WebP, AVIF, GIF (its first frame) or SVG. What is kept is made anew from its
   * pixels, so that nothing else of the file survives: no script, no metadata, no second meaning.
   *
   * @throws {IngestError} `imageUnreadable`
   */
  store(path: string): Promise<StoredImage>
  /** The picture in full, as a file that {@link IMAGE_LIMITS} holds for; undefined when there is no such picture. */
  original(id: string): Promise<string | undefined>
  /** The ids of pictures, and of what a kill has left of them, that nobody has stored since `before` (milliseconds). */
  storedBefore(before: number): Promise<string[]>
  /** Forgets a picture. With `before`, only if nobody has stored it since. @returns whether it is gone */
  remove(id: string, before?: number): Promise<boolean>
}

export const IMAGE_LIMITS = {
  bytes: 40_000_000,
  vectorBytes: 2_000_000,
  pixels: 100_000_000,
  /** Longest side of what is kept. */
  side: 3840,
  seconds: 30,
} as const

const ID = /^[0-9a-f]{32}$/

const FORMATS = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'svg'])

/** Vector pictures become this high, enough for the largest place that shows one. */
const VECTOR_HEIGHT = 1080
const USUAL_DENSITY = 72
const MAX_DENSITY = 20_000

/** Opens the store in `folder`, which is made when it is missing. */
export function openImageStore(folder: string): ImageStore {
  const homeOf = (id: string): string => {
    if (!ID.test(id)) throw new RangeError(`not the id of a picture: ${id}`)
    return join(folder, id.slice(0, 2), id)
  }
  return {
    store: async (path) => {
      // Its own fault, and no picture's.
      await openSharp()
      try {
        return await storeImage(path, homeOf)
      } catch (error) {
        if (error instanceof IngestError) throw error
        throw new IngestError('imageUnreadable', error instanceof Error ? error.message : '', error)
      }
    },
    original: async (id) => {
      const path = originalIn(homeOf(id))
      return (await exists(path)) ? path : undefined
    },
    storedBefore: async (before) => {
      const found: string[] = []
      for (const shelf of await namesIn(folder)) {
        for (const id of await namesIn(join(folder, shelf))) {
          if (ID.test(id) && (await isOlder(homeOf(id), before))) found.push(id)
        }
      }
      return found
    },
    remove: async (id, before = Number.POSITIVE_INFINITY) => {
      if (!(await isOlder(homeOf(id), before))) return false
      await rm(homeOf(id), { recursive: true, force: true })
      return true
    },
  }
}

async function storeImage(path: string, homeOf: (id: string) => string): Promise<StoredImage> {
  const { size } = await stat(path)
  if (size > IMAGE_LIMITS.bytes) throw new IngestError('imageUnreadable', `It has ${size} bytes.`)
  const data = await readFile(path)
  const id = createHash('sha256').update(data).digest('hex').slice(0, 32)
  const original = originalIn(homeOf(id))

  if (!(await isKept(original))) {
    const { hasAlpha } = await (await openImage(data)).metadata()
    const kept = await (await openSource(data))
      .autoOrient()
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

function originalIn(home: string): string {
  return join(home, 'original.webp')
}

async function openImage(data: Buffer, density = USUAL_DENSITY): Promise<Sharp> {
  const sharp = await openSharp()
  return sharp(data, { limitInputPixels: IMAGE_LIMITS.pixels, failOn: 'error', density })
}

/** Decodes a file that somebody else made. It is handed over as bytes: a vector picture then has no place to read from. */
async function openSource(data: Buffer): Promise<Sharp> {
  const { format, height } = await (await openImage(data)).metadata()
  if (!FORMATS.has(format)) throw new IngestError('imageUnreadable', `It is ${format}.`)
  if (format !== 'svg') return await openImage(data)
  if (data.length > IMAGE_LIMITS.vectorBytes)
    throw new IngestError('imageUnreadable', `It has ${data.length} bytes.`)
  const density = Math.min(MAX_DENSITY, Math.max(1, (USUAL_DENSITY * VECTOR_HEIGHT) / height))
  return await openImage(data, density)
}

/** The mean colour as the eye takes it on a dark ground, where transparent parts show the ground. */
async function meanColor(path: string): Promise<string> {
  const sharp = await openSharp()
  const pixel = await sharp(path)
    .flatten({ background: '#080b10' })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
  return `#${pixel.toString('hex', 0, 3)}`
}

/** Whether a picture is there already; its folder then says that it was stored just now. */
async function isKept(original: string): Promise<boolean> {
  if (!(await exists(original))) return false
  const now = new Date()
  // Who sweeps may have been quicker.
  const touched = await orMissing(utimes(dirname(original), now, now).then(() => true))
  return touched === true && (await exists(original))
}

async function isOlder(home: string, before: number): Promise<boolean> {
  const found = await orMissing(stat(home))
  return found !== undefined && found.mtimeMs < before
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orMissing(readdir(folder))) ?? []
}

/** What a look at a file gives; undefined when there is none. */
async function orMissing<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file that is seen whole or not at all. */
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
