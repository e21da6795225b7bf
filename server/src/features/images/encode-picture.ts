import type { Sharp } from 'sharp'
import { IMAGE_LIMITS } from '../../ingest/images.ts'
import { openSharp } from '../../ingest/sharp.ts'

/** What a browser can be sent. PNG stands in for JPEG where a picture is transparent. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg'

/** The size that a picture is wanted in, in pixels: by its height alone, or cut to fill a box. */
export interface Box {
  height: number
  width?: number | undefined
}

/**
 * What the bytes depend on besides the picture, its box and its format: the encoders and how they are set. Change the
 * number in front with the settings below.
 */
export async function encoderEdition(): Promise<string> {
  const { versions } = await openSharp()
  return `1.${versions.vips}.${versions.sharp ?? ''}`.replaceAll(/[^\d.]/g, '')
}

/**
 * Draws a picture at a size, never larger than it is. It runs on threads of its own, not on the event loop.
 *
 * @param original a file of the image store
 */
export async function encodePicture(
  original: string,
  { width, height }: Box,
  format: PictureFormat,
): Promise<Buffer> {
  const sharp = await openSharp()
  const { hasAlpha } = await sharp(original).metadata()
  const image = sharp(original)
    .resize(
      width === undefined
        ? { height, withoutEnlargement: true }
        : { width, height, fit: 'cover', withoutEnlargement: true },
    )
    .timeout({ seconds: IMAGE_LIMITS.seconds })
  return await encodings[format === 'jpeg' && hasAlpha ? 'png' : format](image).toBuffer()
}

const encodings = {
  // At the least effort AVIF takes as long as WebP and is a fifth smaller; a step more takes five times as long.
  avif: (image: Sharp) => image.avif({ quality: 52, effort: 0 }),
  webp: (image: Sharp) => image.webp({ quality: 80, alphaQuality: 90 }),
  jpeg: (image: Sharp) => image.jpeg({ quality: 82, mozjpeg: true }),
  png: (image: Sharp) => image.png({ palette: true }),
}

/** What a picture that was encoded here is to be sent as. */
export function contentTypeOf(format: PictureFormat, body: Buffer): string {
  const isPng = body.subarray(1, 4).toString('latin1') === 'PNG'
  return `image/${isPng ? 'png' : format}`
}
