import { blend, type Rgb } from '../colour.ts'
import { clamp } from '../random.ts'
import { type PixelLayer, word } from '../surface.ts'

const BANDS = 22
/** Number of steps from a crest down to the trough, in the table of colours. */
const SHADES = 64
/** Number of steps of sunlight, in the table of colours. */
const LIGHTS = 32
/** Distance in pixels between the computed points of a crest. Straight lines connect these points. */
const STEP = 4
/** Number of frames until the colours of a band are computed again. The colours change slowly. */
const TABLE_FRAMES = 11

/** A row of waves. Bands follow each other from the horizon to the foreground. */
export interface Band {
  /** Distance from 0 (horizon) to 1 (foreground). */
  readonly depth: number
  readonly y: number
  readonly amplitude: number
  readonly reach: number
  readonly waves: readonly { turn: number; speed: number; phase: number; weight: number }[]
}

/** The colours of the light on the water. */
export interface SeaLight {
  readonly far: Rgb
  readonly near: Rgb
  /** Colour of light that shines through the top of a wave. */
  readonly crest: Rgb
  /** Colour of the sun's reflection on the crests. */
  readonly spark: Rgb
  /** Strength of the sunlight, from 0 to 1. */
  readonly light: number
}

/** The sea. Bands of waves are drawn column by column into a layer, with colours from a table. */
export class WaveField {
  readonly bands: readonly Band[]
  readonly #layer: PixelLayer
  readonly #horizon: number
  readonly #unit: number
  readonly #table = new Uint32Array(BANDS * LIGHTS * SHADES)
  readonly #sun: Uint8Array
  readonly #crests: Float32Array
  readonly #slopes: Float32Array
  #frame = -1
  #last = Number.NEGATIVE_INFINITY

  constructor(
    layer: PixelLayer,
    options: { horizon: number; unit: number; sunX: number; random: () => number },
  ) {
    const { horizon, unit, sunX, random } = options
    this.#layer = layer
    this.#horizon = Math.floor(horizon)
    this.#unit = unit
    const depthOf = (index: number) => index / (BANDS - 1)
    const yOf = (index: number) => horizon + (layer.height - horizon) * (0.006 + depthOf(index) ** 1.6 * 0.92)
    this.bands = Array.from({ length: BANDS }, (_, index) => {
      const depth = depthOf(index)
      const amplitude = unit * (0.0008 + depth ** 1.35 * 0.02)
      return {
        depth,
        y: yOf(index),
        amplitude,
        reach: (index + 1 < BANDS ? yOf(index + 1) - yOf(index) : layer.height - yOf(index)) + amplitude * 3,
        waves: [0, 1, 2, 3].map((wave) => ({
          turn: (6.283 * (wave * 0.95 + 1) ** 1.15) / (unit * (0.06 + depth * 0.62) * (1 + random() * 0.6)),
          speed: (0.45 + random() * 0.5) * (random() < 0.25 ? -0.6 : 1) * (1 + wave * 0.35),
          phase: random() * 7,
          weight: 1 / (wave + 1) ** 1.3,
        })),
      }
    })
    this.#sun = new Uint8Array(BANDS * layer.width)
    this.#crests = new Float32Array(BANDS * layer.width)
    this.#slopes = new Float32Array(BANDS * layer.width)
    for (const [index, band] of this.bands.entries()) {
      const spread = unit * (0.07 + band.depth * 0.3)
      for (let x = 0; x < layer.width; x++) {
        const offset = (x - sunX) / spread
        this.#sun[index * layer.width + x] =
          (LIGHTS - 1) * 0.62 * (0.8 * Math.exp(-offset * offset) + 0.2 / (1 + offset * offset * 0.3))
      }
    }
  }

  /** Returns the vertical position in the picture of a band's crest at `x`. */
  crest(band: Band, x: number, seconds: number): number {
    let sum = 0
    for (const wave of band.waves) {
      const angle = x * wave.turn + wave.phase + seconds * wave.speed
      // Real waves have narrow crests and wide troughs.
      sum += (Math.sin(angle) - 0.22 * Math.cos(angle * 2)) * wave.weight
    }
    return band.y - sum * band.amplitude
  }

  paint(seconds: number, light: SeaLight): void {
    const jumped = Math.abs(seconds - this.#last) > 0.2
    this.#last = seconds
    this.#frame = (this.#frame + 1) % TABLE_FRAMES
    const width = this.#layer.width
    for (const [index, band] of this.bands.entries()) {
      if (jumped || index % TABLE_FRAMES === this.#frame) this.#mixColours(index, band, light)
      const start = index * width
      let before = this.crest(band, 0, seconds)
      let lean = before - this.crest(band, -STEP, seconds)
      for (let x = 0; x < width; x += STEP) {
        const next = this.crest(band, x + STEP, seconds)
        const slope = (next - before) / STEP
        const bend = (next - before - lean) / STEP
        const end = Math.min(STEP, width - x)
        for (let offset = 0; offset < end; offset++) {
          this.#crests[start + x + offset] = before + slope * offset
          this.#slopes[start + x + offset] = (lean + bend * offset) / STEP
        }
        lean = next - before
        before = next
      }
    }
    this.#write()
  }

  #mixColours(index: number, band: Band, { far, near, crest, spark, light }: SeaLight): void {
    const base = blend(far, near, band.depth ** 0.55)
    for (let level = 0; level < LIGHTS; level++) {
      const sun = (level / (LIGHTS - 1)) ** 1.5 * light
      for (let shade = 0; shade < SHADES; shade++) {
        const down = shade / SHADES
        const pixelsDown = down * band.reach
        const glass = Math.exp(-down * 5) * (0.16 + 0.3 * (level / LIGHTS)) * (1 - band.depth * 0.35)
        const dark = 1 - 0.34 * down ** 0.8
        const line = Math.exp(-pixelsDown / (this.#unit * (0.0012 + band.depth * 0.0024)))
        const glare = clamp(sun * (0.95 * line + 0.34 * Math.exp(-down * 3.2)) + line * 0.05)
        let value = blend(base, crest, glass)
        value = [value[0] * dark, value[1] * dark, value[2] * dark]
        value = blend(value, spark, glare)
        this.#table[(index * LIGHTS + level) * SHADES + shade] = word(value[0], value[1], value[2])
      }
    }
  }

  /**
   * Draws the columns. In each column, draws from the horizon to the foreground, and blends each crest into the
   * water behind it.
   */
  #write(): void {
    const { width, height, words } = this.#layer
    const table = this.#table
    const crests = this.#crests
    const scales = this.bands.map((band) => SHADES / band.reach)
    const tilts = this.bands.map((band) => 6.75 / (1.2 + band.depth * 1.6) + 0.6)
    const haze = table[SHADES - 1]!
    for (let x = 0; x < width; x++) {
      const first = Math.min(height, Math.ceil(crests[x]!))
      for (let y = this.#horizon; y < first; y++) words[y * width + x] = haze
      for (let band = 0; band < BANDS; band++) {
        const at = band * width + x
        const top = crests[at]!
        const bottom = band + 1 < BANDS ? Math.min(height, Math.ceil(crests[at + width]!)) : height
        const start = Math.ceil(top)
        // A slope that faces the sun is bright. A slope that faces away from the sun is in the shade.
        let level = (this.#sun[at]! * (1 + this.#slopes[at]! * tilts[band]!) + 0.5) | 0
        if (level >= LIGHTS) level = LIGHTS - 1
        else if (level < 0) level = 0
        const colours = (band * LIGHTS + level) * SHADES
        if (start > this.#horizon && start <= height) {
          const edge = (start - 1) * width + x
          words[edge] = over(words[edge]!, table[colours]!, start - top)
        }
        const scale = scales[band]!
        let shade = (start - top) * scale
        let write = start * width + x
        for (let y = start; y < bottom; y++) {
          words[write] = table[colours + (shade < SHADES ? shade | 0 : SHADES - 1)]!
          shade += scale
          write += width
        }
      }
    }
  }
}

/** Blends two packed opaque colours. `front` covers the fraction `share` of the pixel. */
function over(behind: number, front: number, share: number): number {
  const weight = (share * 256) | 0
  const rest = 256 - weight
  const redBlue = (((front & 0xff00ff) * weight + (behind & 0xff00ff) * rest) >>> 8) & 0xff00ff
  const green = (((front & 0xff00) * weight + (behind & 0xff00) * rest) >>> 8) & 0xff00
  return (0xff000000 | redBlue | green) >>> 0
}
