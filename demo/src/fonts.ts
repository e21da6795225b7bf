import { createRequire } from 'node:module'
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'

const DISPLAY = 'Ondine Display'
const TEXT = 'Ondine Text'

const require = createRequire(import.meta.url)
const files = {
  [DISPLAY]: require.resolve(
    '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2',
  ),
  [TEXT]: require.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
}
for (const [family, file] of Object.entries(files)) {
  if (GlobalFonts.registerFromPath(file, family) === null)
    throw new Error(`The font ${file} could not be read`)
}

/**
 * Sets the heavy display face for titles. `stretch` is its width in percent, from 75 to 100, and `size` is in
 * pixels.
 */
export function useDisplayFace(picture: SKRSContext2D, size: number, stretch = 80, weight = 800): void {
  picture.font = `${weight} ${size}px "${DISPLAY}"`
  picture.fontVariationSettings = `"wdth" ${stretch}, "wght" ${weight}, "opsz" 96`
}

/** Sets the text face for credits and time codes. `size` is in pixels. */
export function useTextFace(picture: SKRSContext2D, size: number, weight = 500): void {
  picture.font = `${weight} ${size}px "${TEXT}"`
  picture.fontVariationSettings = `"wght" ${weight}`
}
