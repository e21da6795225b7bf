import type { Sharp } from 'sharp'
import { IMAGE_LIMITS } from '../../../ingest/images.ts'
import { openSharp } from '../../../ingest/sharp.ts'

/** Formats that are sent to browsers. PNG replaces JPEG for transparent pictures. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg'

/**
 * Requested size of a picture, in pixels. With a height alone, the picture keeps its proportions. With a width too, it
 * is cropped to fill the box.
 */
export interface PictureBox {
  height: number
  width?: number | undefined
}

/**
 * Returns an identifier of the encoders and their settings. The bytes of an encoded picture depend only on this
 * identifier, the original, the box and the format. Increment the leading number when you change the settings below.
 */
export async function encoderEdition(): Promise<string> {
  const { versions } = await openSharp()
  return `1.${versions.vips}.${versions.sharp ?? ''}`.replaceAll(/[^\d.]/g, '')
}

/**
 * Scales a picture, but never enlarges it. The work runs in separate threads, not on the event loop.
 *
 * @param original a file of the image store
 */
export async function encodePicture(
  original: string,
  { width, height }: PictureBox,
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
  // At the lowest effort AVIF takes as long as WebP and is a fifth smaller. The next effort takes five times as long.
  avif: (image: Sharp) => image.avif({ quality: 52, effort: 0 }),
  webp: (image: Sharp) => image.webp({ quality: 80, alphaQuality: 90 }),
  jpeg: (image: Sharp) => image.jpeg({ quality: 82, mozjpeg: true }),
  png: (image: Sharp) => image.png({ palette: true }),
}

/** Returns the content type of an encoded picture. */
export function contentTypeOf(format: PictureFormat, body: Buffer): string {
  const isPng = body.subarray(1, 4).toString('latin1') === 'PNG'
  return `image/${isPng ? 'png' : format}`
}
