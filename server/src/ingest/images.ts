import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { IngestError } from './reasons.ts'

/** A picture in the store. */
export interface StoredImage {
  /** Names its content: 32 hexadecimal digits. */
  id: string
  width: number
  height: number
  /** Mean colour, `#rrggbb`. */
  color: string
}

/** What a browser can be sent. PNG stands in for JPEG where a picture is transparent. */
export type ImageFormat = 'avif' | 'webp' | 'jpeg'

export interface ImageFile {
  /** Absolute. */
  path: string
  contentType: 'image/avif' | 'image/webp' | 'image/jpeg' | 'image/png'
}

/** Pictures, named by their content, with what they are scaled to. */
export interface ImageStore {
  /**
   * Takes a picture file: JPEG, PNG, WebP, AVIF, GIF (its first frame) or SVG. What is kept is made anew from its
   * pixels, so that nothing else of the file survives: no script, no metadata, no second meaning.
   *
   * @throws {IngestError} `imageUnreadable`
   */
  store(path: string): Promise<StoredImage>
  /**
   * The picture at `height` pixels, or at its own height if that is less. Made the first time it is asked for, once.
   *
   * @returns undefined when there is no such picture.
   */
  scaled(id: string, height: number, format: ImageFormat): Promise<ImageFile | undefined>
  /** Forgets a picture and all that was made of it. */
  remove(id: string): Promise<void>
}

export const IMAGE_LIMITS = {
  bytes: 40_000_000,
  vectorBytes: 2_000_000,
  pixels: 100_000_000,
  /** Longest side of what is kept. */
  side: 3840,
  seconds: 30,
} as const

const FORMATS = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'svg'])

/** Vector pictures become this high, enough for the largest place that shows one. */
const VECTOR_HEIGHT = 1080
const USUAL_DENSITY = 72
const MAX_DENSITY = 20_000

/** Opens the store in `folder`, which is made when it is missing. */
export function openImageStore(folder: string): ImageStore {
  const underWay = new Map<string, Promise<ImageFile | undefined>>()
  const homeOf = (id: string): string => {
    if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError(`not the id of a picture: ${id}`)
    return join(folder, id.slice(0, 2), id)
  }
  return {
    store: async (path) => {
      try {
        return await storeImage(path, homeOf)
      } catch (error) {
        if (error instanceof IngestError) throw error
        throw new IngestError('imageUnreadable', error instanceof Error ? error.message : '', error)
      }
    },
    scaled: async (id, height, format) => {
      const key = `${id}/${height}/${format}`
      let making = underWay.get(key)
      if (making === undefined) {
        making = scaleImage(homeOf(id), height, format).finally(() => underWay.delete(key))
        underWay.set(key, making)
      }
      return await making
    },
    remove: async (id) => await rm(homeOf(id), { recursive: true, force: true }),
  }
}

async function storeImage(path: string, homeOf: (id: string) => string): Promise<StoredImage> {
  const { size } = await stat(path)
  if (size > IMAGE_LIMITS.bytes) throw new IngestError('imageUnreadable', `It has ${size} bytes.`)
  const data = await readFile(path)
  const id = createHash('sha256').update(data).digest('hex').slice(0, 32)
  const original = join(homeOf(id), 'original.webp')

  if (!(await exists(original))) {
    const { hasAlpha } = await openImage(data).metadata()
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
  const image = sharp(original)
  const { width, height } = await image.metadata()
  return { id, width, height, color: await meanColor(original) }
}

function openImage(data: Buffer, density = USUAL_DENSITY): Sharp {
  return sharp(data, { limitInputPixels: IMAGE_LIMITS.pixels, failOn: 'error', density })
}

/** Decodes a file that somebody else made. It is handed over as bytes: a vector picture then has no place to read from. */
async function openSource(data: Buffer): Promise<Sharp> {
  const { format, height } = await openImage(data).metadata()
  if (!FORMATS.has(format)) throw new IngestError('imageUnreadable', `It is ${format}.`)
  if (format !== 'svg') return openImage(data)
  if (data.length > IMAGE_LIMITS.vectorBytes)
    throw new IngestError('imageUnreadable', `It has ${data.length} bytes.`)
  const density = Math.min(MAX_DENSITY, Math.max(1, (USUAL_DENSITY * VECTOR_HEIGHT) / height))
  return openImage(data, density)
}

/** The mean colour as the eye takes it on a dark ground, where transparent parts show the ground. */
async function meanColor(path: string): Promise<string> {
  const pixel = await sharp(path)
    .flatten({ background: '#080b10' })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
  return `#${pixel.toString('hex', 0, 3)}`
}

async function scaleImage(home: string, height: number, format: ImageFormat): Promise<ImageFile | undefined> {
  const original = join(home, 'original.webp')
  if (!(await exists(original))) return undefined
  const image = sharp(original)
    .resize({ height, withoutEnlargement: true })
    .timeout({ seconds: IMAGE_LIMITS.seconds })
  const { hasAlpha } = await sharp(original).metadata()
  const kind = format === 'jpeg' && hasAlpha ? 'png' : format
  const path = join(home, `${height}.${kind}`)
  if (!(await exists(path))) await writeAside(path, await encodings[kind](image).toBuffer())
  return { path, contentType: `image/${kind}` }
}

const encodings = {
  avif: (image: Sharp) => image.avif({ quality: 55, effort: 2 }),
  webp: (image: Sharp) => image.webp({ quality: 80, alphaQuality: 90 }),
  jpeg: (image: Sharp) => image.jpeg({ quality: 82, mozjpeg: true }),
  png: (image: Sharp) => image.png({ palette: true }),
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
