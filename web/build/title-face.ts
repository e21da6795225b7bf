import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const TITLE_FACE = new URL('../src/design/tokens/faces/bricolage-grotesque-title.woff2', import.meta.url)

/** The weight and width of all titles (`--font-title`). */
const TITLE_AXES = { wght: 800, wdth: 80 }

/** The `unicode-range` of the file in `design/tokens/fonts.css`. */
const RANGES = [
  [0x00, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
  [0xfeff, 0xfeff],
  [0xfffd, 0xfffd],
] as const

const text = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
).join('')
const whole = readFileSync(
  fileURLToPath(
    import.meta.resolve(
      '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wdth-normal.woff2',
    ),
  ),
)
const face = await subsetFont(whole, text, { targetFormat: 'woff2', variationAxes: TITLE_AXES })
writeFileSync(TITLE_FACE, face)
console.log(`${fileURLToPath(TITLE_FACE)}: ${face.length} of ${whole.length} bytes`)
