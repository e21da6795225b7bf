import { blend, type Rgb, rgb } from '../colour.ts'
import { randomFrom, smooth } from '../random.ts'
import { PixelLayer, word } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

/** Tempo of the music in beats per minute. The brightness pulses with the beat. */
const TEMPO = 120
/** Number of steps by which the picture darkens towards its corners. */
const SHADES = 12
/** Number of steps in a line's strength. */
const LEVELS = 16

interface Placing {
  /** Position as fractions of the picture's height. */
  readonly x: number
  readonly y: number
  readonly turn: number
  readonly scale: number
}

interface Movement {
  readonly ground: string
  readonly first: string
  readonly second: string
  readonly both: string
  /**
   * Returns the phase of the lines at a point, as an angle. The strength of a line is the sine of its phase.
   * Coordinates are fractions of the height.
   */
  readonly angle: (x: number, y: number) => number
  readonly near: (seconds: number) => Placing
  readonly far: (seconds: number) => Placing
}

const MOVEMENTS: readonly Movement[] = [
  {
    ground: '#0b0a24',
    first: '#ff3d7f',
    second: '#2f7bff',
    both: '#ffd9f0',
    angle: (x, y) => Math.sqrt(x * x + y * y) * 170,
    near: (t) => ({ x: Math.sin(t * 0.31) * 0.3, y: Math.cos(t * 0.23) * 0.16, turn: 0, scale: 1 }),
    far: (t) => ({
      x: -Math.sin(t * 0.22) * 0.2,
      y: Math.sin(t * 0.17) * 0.1,
      turn: 0,
      scale: 1 + Math.sin(t * 0.2) * 0.04,
    }),
  },
  {
    ground: '#140b2a',
    first: '#ffb03c',
    second: '#8a5cff',
    both: '#ffe9f4',
    angle: (x, y) => Math.atan2(y, x) * 64,
    near: (t) => ({ x: Math.sin(t * 0.27) * 0.2, y: Math.sin(t * 0.19 + 1) * 0.1, turn: t * 0.03, scale: 1 }),
    far: (t) => ({
      x: -Math.sin(t * 0.21) * 0.14,
      y: -Math.cos(t * 0.23) * 0.08,
      turn: -t * 0.018,
      scale: 1,
    }),
  },
  {
    ground: '#04181c',
    first: '#cfff5e',
    second: '#1fb6e0',
    both: '#f4fff0',
    angle: (x, y) => Math.sqrt(x * x + y * y) * 150 + Math.atan2(y, x) * 5,
    near: (t) => ({
      x: Math.sin(t * 0.22) * 0.07,
      y: Math.cos(t * 0.29) * 0.05,
      turn: -t * 0.2,
      scale: 1.03 + Math.sin(t * 0.26) * 0.05,
    }),
    far: (t) => ({ x: 0, y: 0, turn: t * 0.14, scale: 1 }),
  },
  {
    ground: '#1c0a18',
    first: '#ff5fa8',
    second: '#ffc27a',
    both: '#fff6e6',
    angle: (x, y) => (y + Math.sin(x * 5.2) * 0.045) * 165,
    near: (t) => ({
      x: Math.sin(t * 0.21) * 0.1,
      y: t * 0.012,
      turn: 0.05 + Math.sin(t * 0.17) * 0.11,
      scale: 1.02,
    }),
    far: (t) => ({ x: -t * 0.01, y: 0, turn: -0.04 + Math.sin(t * 0.13) * 0.07, scale: 1 }),
  },
]

/** Draws two sheets of lines that slide over each other. The visible motion is the interference of their lines. */
export function moire({ width, height, seed }: Stage): World {
  const drift = randomFrom(seed)() * 6
  const side = Math.ceil(Math.hypot(width, height) * 1.5)
  const layer = new PixelLayer(width, height)
  const shades = new Uint16Array(width * height)
  const reach = Math.hypot(width, height) / 2
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - width / 2, y - height / 2) / reach
      shades[y * width + x] = Math.min(SHADES - 1, Math.floor(smooth((away - 0.2) / 0.85) * SHADES)) << 8
    }
  }
  const sheets = new Map<number, Uint8Array>()
  const sheetOf = (index: number) => {
    const known = sheets.get(index)
    if (known !== undefined) return known
    const sheet = paintSheet(MOVEMENTS[index]!, side, Math.min(height, width))
    sheets.set(index, sheet)
    return sheet
  }
  const palette = new Uint32Array(SHADES * 256)

  const mixPalette = (movement: Movement, pulse: number) => {
    const ground = rgb(movement.ground)
    const [first, second, both] = [rgb(movement.first), rgb(movement.second), rgb(movement.both)]
    for (let shade = 0; shade < SHADES; shade++) {
      const dark = 1 - (shade / SHADES) * 0.72
      for (let a = 0; a < LEVELS; a++) {
        for (let b = 0; b < LEVELS; b++) {
          const left = a / (LEVELS - 1)
          const right = b / (LEVELS - 1)
          let colour: Rgb = blend(blend(ground, first, left * 0.92), second, right * 0.86 * (1 - left * 0.45))
          colour = blend(colour, both, left * right * (0.14 + pulse * 0.5 * (1 - shade / SHADES)))
          palette[(shade << 8) | (a << 4) | b] = word(colour[0] * dark, colour[1] * dark, colour[2] * dark)
        }
      }
    }
  }

  /** Draws a movement of the film into the layer, either inside or outside of a circle around the middle. */
  const write = (index: number, { seconds }: Moment, radius: number, outside: boolean) => {
    const movement = MOVEMENTS[index]!
    const sheet = sheetOf(index)
    const beat = (seconds * TEMPO) / 60
    mixPalette(movement, (1 - (beat % 1)) ** 3)
    const near = matrix(movement.near(seconds + drift), height, side)
    const far = matrix(movement.far(seconds + drift), height, side)
    const { words } = layer
    for (let y = 0; y < height; y++) {
      const dy = y - height / 2
      const half = Math.sqrt(Math.max(0, radius * radius - dy * dy))
      const middle = width / 2
      const spans: [number, number][] = outside
        ? [
            [0, Math.max(0, Math.floor(middle - half))],
            [Math.min(width, Math.ceil(middle + half)), width],
          ]
        : [[Math.max(0, Math.floor(middle - half)), Math.min(width, Math.ceil(middle + half))]]
      for (const [from, to] of spans) {
        let nearX = near.x + dy * -near.sin + (from - middle) * near.cos
        let nearY = near.y + dy * near.cos + (from - middle) * near.sin
        let farX = far.x + dy * -far.sin + (from - middle) * far.cos
        let farY = far.y + dy * far.cos + (from - middle) * far.sin
        const row = y * width
        for (let x = from; x < to; x++) {
          const a = sheet[(nearY | 0) * side + (nearX | 0)]!
          const b = sheet[(farY | 0) * side + (farX | 0)]!
          words[row + x] = palette[shades[row + x]! | (a << 4) | b]!
          nearX += near.cos
          nearY += near.sin
          farX += far.cos
          farY += far.sin
        }
      }
    }
  }

  return {
    draw(picture, moment) {
      const position = moment.progress * MOVEMENTS.length
      const index = Math.min(MOVEMENTS.length - 1, Math.floor(position))
      const opening = (position - index) / 0.07
      const wide = reach * 1.1
      // Each movement of the film opens from the middle, over the previous movement.
      if (index > 0 && opening < 1) {
        const radius = smooth(opening) * wide
        write(index - 1, moment, radius, true)
        write(index, moment, radius, false)
      } else {
        write(index, moment, wide, false)
      }
      layer.put(picture)
    },
  }
}

function paintSheet(movement: Movement, side: number, height: number): Uint8Array {
  const sheet = new Uint8Array(side * side)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const across = (x - side / 2) / height
      const down = (y - side / 2) / height
      const wave = Math.sin(movement.angle(across, down))
      // A steep sine gives lines with soft edges of one or two pixels. They look smooth wherever they are sampled.
      const line = 0.5 + 0.5 * Math.max(-1, Math.min(1, wave * 2.2 - 0.25))
      // Fades the lines near the middle, where they are too fine to draw.
      const clear = smooth((Math.sqrt(across * across + down * down) - 0.015) / 0.06)
      sheet[y * side + x] = Math.round(line * clear * (LEVELS - 1))
    }
  }
  return sheet
}

/**
 * Returns the point of a sheet that is in the middle of the picture, and the step on the sheet for each pixel to
 * the right.
 */
function matrix({ x, y, turn, scale }: Placing, height: number, side: number) {
  return {
    x: side / 2 - x * height * 0.5,
    y: side / 2 - y * height * 0.5,
    cos: Math.cos(turn) / scale,
    sin: Math.sin(turn) / scale,
  }
}
