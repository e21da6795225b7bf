import sharp from 'sharp'
import { escapeMarkup } from './markup.ts'
import type { TelevisionApp } from './television-app.ts'

type Look = Pick<TelevisionApp, 'icon' | 'background' | 'name'>

interface Size {
  width: number
  height: number
}

/** Resolution at which vector icons are drawn before they are scaled down, in dots per inch. */
const DENSITY = 600

/** Draws the icon in the middle of a picture, on the service's background. */
export async function iconPicture({ icon, background }: Look, { width, height }: Size): Promise<Buffer> {
  return await sharp(icon, { density: DENSITY })
    .resize(width, height, { fit: 'contain', background })
    .flatten({ background })
    .png()
    .toBuffer()
}

/** Draws the icon and the name of the service, one above the other in the middle of a picture. */
export async function namedPicture(look: Look, { width, height }: Size): Promise<Buffer> {
  const { icon, background, name } = look
  const side = Math.round(height * 0.44)
  // A letter of a bold face is on average 0.6 times as wide as the font size.
  const letters = Math.round(Math.min(height * 0.17, (width * 0.88) / (name.length * 0.6)))
  const drawn = await sharp(icon, { density: DENSITY })
    .resize(side, side, { fit: 'contain', background: '#0000' })
    .png()
    .toBuffer()
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="50%" y="${height * 0.82}" text-anchor="middle" font-family="Figtree, sans-serif" font-weight="700" font-size="${letters}" fill="${readableOn(background)}">${escapeMarkup(name)}</text></svg>`
  return await sharp({ create: { width, height, channels: 3, background } })
    .composite([
      { input: drawn, left: Math.round((width - side) / 2), top: Math.round(height * 0.14) },
      { input: Buffer.from(text), left: 0, top: 0 },
    ])
    .png()
    .toBuffer()
}

/** Returns black or white, whichever has more contrast on a colour (WCAG 2.2, relative luminance). */
export function readableOn(background: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(background.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
