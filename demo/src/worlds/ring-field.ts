import type { Canvas } from '@napi-rs/canvas'
import { ramp } from '../colour.ts'
import { clamp } from '../random.ts'
import { SoftField } from '../surface.ts'

/** Outer radius of the rings, in radii of the planet. */
export const RING_REACH = 3.8
/** Height of the rings' ellipses divided by their width. It determines the viewing angle. */
export const FLATNESS = 0.3

const INNER = 1.26
/** Number of angles in a ring. It is a power of two, so that a bit mask wraps angles. */
const ANGLES = 4096
/** Fraction of the picture's size at which the rings are computed. */
const SCALE = 0.72

/** Rings of dust. Each ring turns at its own speed. As in reality, inner rings are faster. */
export class RingField {
  readonly #field: SoftField
  /** Density of the dust, by ring and angle. */
  readonly #dust: Uint8Array
  readonly #rings: number
  /** Index of the ring at each pixel; -1 outside of the rings. */
  readonly #ringOf: Int16Array
  readonly #angleOf: Uint16Array
  readonly #speeds: Float32Array
  #canvas: Canvas

  constructor(radius: number, random: () => number) {
    const reach = radius * RING_REACH * SCALE
    this.#field = new SoftField(reach * 2, reach * 2 * FLATNESS)
    const { width, height, pixels } = this.#field
    const inner = radius * INNER * SCALE
    this.#rings = Math.ceil(reach - inner)
    this.#dust = this.#scatter(random)
    this.#speeds = Float32Array.from(
      { length: this.#rings },
      (_, ring) => (0.3 * ANGLES) / 6.283 / (1 + ring / inner) ** 1.5,
    )
    this.#ringOf = new Int16Array(width * height).fill(-1)
    this.#angleOf = new Uint16Array(width * height)
    const tone = ramp([
      [0, '#ffe9c4'],
      [0.3, '#ffc27a'],
      [0.55, '#d98f5a'],
      [0.8, '#86c0b4'],
      [1, '#5f86d0'],
    ])
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const dx = x + 0.5 - width / 2
        const dy = (y + 0.5 - height / 2) / FLATNESS
        const ring = Math.round(Math.hypot(dx, dy) - inner)
        if (ring < 0 || ring >= this.#rings) continue
        const at = y * width + x
        this.#ringOf[at] = ring
        this.#angleOf[at] =
          Math.floor(((Math.atan2(dy, dx) + Math.PI) / (Math.PI * 2)) * ANGLES) & (ANGLES - 1)
        pixels.set(tone(ring / this.#rings), at * 4)
      }
    }
    this.#canvas = this.#field.update()
  }

  /** The picture from the last call of {@link turn}. It is as wide as the rings, and flattened. */
  get canvas(): Canvas {
    return this.#canvas
  }

  /** Paints the rings at `seconds`. */
  turn(seconds: number): void {
    const { pixels } = this.#field
    const turned = Int32Array.from(this.#speeds, (speed) => Math.floor(ANGLES * 64 - speed * seconds))
    for (let at = 0; at < this.#ringOf.length; at++) {
      const ring = this.#ringOf[at]!
      if (ring < 0) continue
      pixels[at * 4 + 3] = this.#dust[ring * ANGLES + ((this.#angleOf[at]! + turned[ring]!) & (ANGLES - 1))]!
    }
    this.#canvas = this.#field.update()
  }

  #scatter(random: () => number): Uint8Array {
    const rings = this.#rings
    const strength = new Float32Array(rings * ANGLES)
    const lines = 58
    for (let line = 0; line < lines; line++) {
      const share = line / lines
      // The large gap between the rings, where a moon has removed the dust.
      if (share > 0.45 && share < 0.52) continue
      const middle = share * rings + random() * 3
      const width = rings * (0.002 + random() ** 2.2 * 0.017)
      const bright = (0.3 + random() * 0.7) * (1 - share * 0.4)
      for (let arc = 0; arc < 2; arc++) {
        const from = random() * ANGLES
        const length = ANGLES * (0.22 + random() * 0.5)
        for (
          let ring = Math.max(0, Math.floor(middle - width * 3));
          ring < Math.min(rings, middle + width * 3);
          ring++
        ) {
          const across = Math.exp(-(((ring - middle) / width) ** 2)) * bright
          for (let step = 0; step < length; step++) {
            // Arcs of dust fade in and out at their ends.
            const edge = clamp(Math.min(step, length - step) / (ANGLES * 0.05))
            const at = ring * ANGLES + ((Math.floor(from) + step) & (ANGLES - 1))
            strength[at] = strength[at]! + across * edge
          }
        }
      }
    }
    return Uint8Array.from(strength, (value, at) => {
      const ring = Math.floor(at / ANGLES)
      const veil = 0.07 * (1 - ring / rings)
      return 255 * clamp(value * 0.85 + veil) * clamp((rings - ring) / 12) * clamp((ring + 1) / 5)
    })
  }
}
