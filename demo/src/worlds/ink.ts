import { clamp, hills, mix, noiseAt, noiseTile, randomFrom, smooth } from '../random.ts'
import { PixelLayer } from '../surface.ts'
import type { Stage, World } from '../world.ts'

/** Fraction of the picture's size at which paintings are stored. They are enlarged with interpolation. */
const SCALE = 0.5

/** A brush stroke with its path, time and wetness. */
interface Stroke {
  /** Points of the path, as fractions of the painting's height. `x` counts from the middle of the painting. */
  readonly points: readonly (readonly [number, number])[]
  readonly width: (share: number) => number
  /** Start of the stroke, as a fraction of the painting's time. `to` is the end of the stroke. */
  readonly from: number
  readonly to: number
  /** Darkness from 0 (pale wash) to 1 (full black). */
  readonly strength: number
  readonly red?: boolean
  /** Distance that the ink spreads into the paper. */
  readonly bleed: number
}

interface Painting {
  /**
   * Time at which ink reaches each pixel: the fraction of the painting's time, scaled to 65535. 65535 means never.
   */
  readonly arrival: Uint16Array
  readonly density: Uint8Array
  readonly red: Uint8Array
}

/**
 * Draws a book whose pages paint themselves: mountains, bamboo, a carp, a crane, a red sun. Each page dries and is
 * turned.
 */
export function ink({ width, height, seed }: Stage): World {
  const layer = new PixelLayer(width, height)
  const columns = Math.ceil(width * SCALE) + 1
  const rows = Math.ceil(height * SCALE) + 1
  const fibres = noiseTile(`${seed} fibres`, 32, 3)
  const blots = noiseTile(`${seed} blots`, 12, 5)
  const paper = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grain = noiseAt(fibres, x * 0.5, y * 0.16) + noiseAt(fibres, y * 0.11 + 80, x * 0.3)
      const away = Math.hypot((x - width / 2) / width, (y - height / 2) / height)
      paper[y * width + x] = 1 - (grain - 1) * 0.05 - Math.max(0, away - 0.3) * 0.2
    }
  }
  const makers = [mountains, bamboo, carp, crane, moonBranch]
  const pages = new Map<number, Painting>()
  const pageAt = (index: number) => {
    const known = pages.get(index)
    if (known !== undefined) return known
    const strokes = makers[index]!(randomFrom(`${seed} page ${index}`), width / height)
    const painting = paint(strokes, columns, rows, blots)
    pages.clear()
    pages.set(index, painting)
    return painting
  }
  const mask = new Float32Array(columns * rows)
  const reds = new Float32Array(columns * rows)

  /** Fills the two half-size masks of a page, at the fraction `share` of its time. */
  const develop = (painting: Painting, share: number, fade: number) => {
    const now = share * 65535
    const soft = 65535 * 0.035
    for (let at = 0; at < mask.length; at++) {
      const since = now - painting.arrival[at]!
      if (since <= 0) {
        mask[at] = 0
        reds[at] = 0
        continue
      }
      const wet = since < soft ? since / soft : 1
      // Fresh ink is darker than dry ink.
      const fresh = since < soft * 5 ? 1.16 - 0.16 * (since / (soft * 5)) : 1
      const value = (painting.density[at]! / 255) * wet * fresh * fade
      mask[at] = value
      reds[at] = painting.red[at]! / 255
    }
  }

  const compose = (tone: number) => {
    const { pixels } = layer
    let at = 0
    for (let y = 0; y < height; y++) {
      const row = (y >> 1) * columns
      const below = (y & 1) === 1 && (y >> 1) + 1 < rows ? row + columns : row
      for (let x = 0; x < width; x++) {
        const left = x >> 1
        const right = (x & 1) === 1 ? left + 1 : left
        const value =
          (mask[row + left]! + mask[row + right]! + mask[below + left]! + mask[below + right]!) * 0.25
        const light = paper[y * width + x]! * tone
        if (value <= 0.004) {
          pixels[at] = 243 * light
          pixels[at + 1] = 235 * light
          pixels[at + 2] = 219 * light
        } else {
          const red = reds[row + left]!
          const rest = value > 1 ? 0 : 1 - value
          pixels[at] = (243 * rest + (26 + red * 152) * (1 - rest)) * light
          pixels[at + 1] = (235 * rest + (28 - red * 2) * (1 - rest)) * light
          pixels[at + 2] = (219 * rest + (40 + red * 2) * (1 - rest)) * light
        }
        at += 4
      }
    }
  }

  return {
    draw(picture, { seconds, progress }) {
      const position = clamp(progress, 0, 0.9999) * makers.length
      const index = Math.floor(position)
      const share = position - index
      const leaving = smooth((share - 0.9) / 0.1)
      develop(pageAt(index), clamp(share / 0.84), 1 - leaving)
      compose(1 + 0.006 * Math.sin(seconds * 0.7))
      layer.put(picture)
    },
  }
}

/** Computes for each pixel when the ink of the strokes reaches it, and how much ink remains there. */
function paint(strokes: readonly Stroke[], columns: number, rows: number, blots: Float32Array): Painting {
  const arrival = new Uint16Array(columns * rows).fill(65535)
  const density = new Uint8Array(columns * rows)
  const red = new Uint8Array(columns * rows)
  for (const [number, stroke] of strokes.entries()) {
    const path = resample(stroke.points, rows, columns)
    for (const [step, [x, y]] of path.entries()) {
      const share = step / Math.max(1, path.length - 1)
      const radius = Math.max(0.6, stroke.width(share) * rows)
      const reach = radius * (1 + stroke.bleed)
      const time = mix(stroke.from, stroke.to, share)
      for (let py = Math.max(0, Math.floor(y - reach)); py <= Math.min(rows - 1, y + reach); py++) {
        for (let px = Math.max(0, Math.floor(x - reach)); px <= Math.min(columns - 1, x + reach); px++) {
          const distance = Math.hypot(px - x, py - y)
          const ragged = noiseAt(blots, px * 0.9 + number * 31, py * 0.9)
          const edge = radius * (1 + stroke.bleed * (ragged - 0.35) * 1.6)
          if (distance > edge) continue
          const across = distance / edge
          const at = py * columns + px
          // A wash is darker at its rim, and a dry brush leaves streaks.
          const rim = stroke.bleed > 0.3 ? 0.72 + 0.28 * across ** 4 : 1
          const dry = 0.82 + 0.36 * (noiseAt(blots, px * 2.2, py * 2.2) - 0.5)
          const fine = across > 0.86 ? (1 - across) / 0.14 : 1
          const amount = stroke.strength * rim * dry * fine * 255
          const when = Math.min(65534, (time + across * 0.02 * (1 + stroke.bleed * 3)) * 65535)
          if (when < arrival[at]!) arrival[at] = when
          if (amount > density[at]!) {
            density[at] = amount
            red[at] = stroke.red === true ? 255 : 0
          }
        }
      }
    }
  }
  return { arrival, density, red }
}

/** Returns points along a smooth line through `points`, at intervals of one or two pixels. */
function resample(points: Stroke['points'], rows: number, columns: number): [number, number][] {
  const out: [number, number][] = []
  for (let index = 0; index + 1 < points.length; index++) {
    const a = points[Math.max(0, index - 1)]!
    const b = points[index]!
    const c = points[index + 1]!
    const d = points[Math.min(points.length - 1, index + 2)]!
    const length = Math.hypot(c[0] - b[0], c[1] - b[1]) * rows
    const steps = Math.max(1, Math.ceil(length / 1.6))
    for (let step = 0; step < steps; step++) {
      const t = step / steps
      const along = (axis: 0 | 1) =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t * t +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t ** 3)
      out.push([columns / 2 + along(0) * rows, along(1) * rows])
    }
  }
  if (out.length === 0 && points[0] !== undefined)
    out.push([columns / 2 + points[0][0] * rows, points[0][1] * rows])
  return out
}

const tapered = (width: number) => (share: number) =>
  width * Math.sin(Math.PI * clamp(share * 0.94 + 0.05)) ** 0.6
const even = (width: number) => () => width

function sun(x: number, y: number, size: number, from: number): Stroke {
  return { points: [[x, y]], width: even(size), from, to: from, strength: 0.92, red: true, bleed: 0.06 }
}

/** Returns the painter's seal, a small red square of short strokes. */
function seal(x: number, y: number, from: number): Stroke[] {
  return [0, 1, 2, 3].map((row) => ({
    points: [
      [x, y + row * 0.011],
      [x + 0.04, y + row * 0.011],
    ],
    width: even(0.0066),
    from: from + row * 0.006,
    to: from + row * 0.006 + 0.004,
    strength: 0.9,
    red: true,
    bleed: 0.1,
  }))
}

function mountains(random: () => number, aspect: number): Stroke[] {
  const half = aspect / 2
  const strokes: Stroke[] = []
  for (let range = 0; range < 4; range++) {
    const shape = hills(random, 5)
    const base = 0.44 + range * 0.13
    const ridge = (x: number) => base - 0.13 * Math.abs(shape(x * 2.2 + range * 3)) - 0.05 * shape(x * 5)
    const points = Array.from({ length: 26 }, (_, index): [number, number] => {
      const x = -half - 0.1 + (index / 25) * (aspect + 0.2)
      return [x, ridge(x)]
    })
    const from = 0.04 + range * 0.17
    strokes.push({
      points,
      width: (share) => 0.006 + 0.006 * Math.sin(share * 23 + range),
      from,
      to: from + 0.16,
      strength: 0.42 + range * 0.16,
      bleed: 0.25,
    })
    // Mist below each ridge: a wash that becomes paler downwards.
    for (let wash = 1; wash < 5; wash++) {
      strokes.push({
        points: points.map(([x, y]): [number, number] => [x, y + wash * 0.024]),
        width: even(0.022),
        from: from + 0.03 + wash * 0.012,
        to: from + 0.18 + wash * 0.012,
        strength: (0.3 + range * 0.12) * (1 - wash / 5),
        bleed: 0.75,
      })
    }
  }
  strokes.push(sun(half * 0.42, 0.2, 0.088, 0.7))
  for (let bird = 0; bird < 5; bird++) {
    const x = -half * 0.45 + bird * 0.07 + random() * 0.03
    const y = 0.2 + random() * 0.07
    strokes.push({
      points: [
        [x - 0.022, y - 0.008],
        [x - 0.01, y - 0.014],
        [x, y],
        [x + 0.012, y - 0.014],
        [x + 0.024, y - 0.006],
      ],
      width: tapered(0.0032),
      from: 0.78 + bird * 0.02,
      to: 0.8 + bird * 0.02,
      strength: 0.85,
      bleed: 0.1,
    })
  }
  return [...strokes, ...seal(half * 0.78, 0.84, 0.93)]
}

function bamboo(random: () => number, aspect: number): Stroke[] {
  const half = aspect / 2
  const strokes: Stroke[] = []
  const stems = [
    [-0.36, 1, 0.017],
    [-0.16, 0.5, 0.012],
    [0.12, 0.8, 0.02],
    [0.34, 0.34, 0.01],
  ] as const
  for (const [stem, [place, strength, width]] of stems.entries()) {
    const x = place * half * 1.7
    const lean = (random() - 0.5) * 0.16
    const joints = 6
    for (let joint = 0; joint < joints; joint++) {
      const bottom = 1.04 - (joint / joints) * 1.1
      const top = bottom - 1.1 / joints + 0.012
      const at = (y: number) => x + lean * (1 - y)
      const from = 0.03 + stem * 0.12 + joint * 0.02
      strokes.push({
        points: [
          [at(bottom), bottom],
          [at((bottom + top) / 2) + 0.003, (bottom + top) / 2],
          [at(top), top],
        ],
        width: (share) => width * (1 - 0.16 * Math.sin(Math.PI * share)),
        from,
        to: from + 0.02,
        strength: strength * 0.82,
        bleed: 0.12,
      })
      strokes.push({
        points: [
          [at(top) - width * 1.1, top - 0.005],
          [at(top), top - 0.009],
          [at(top) + width * 1.1, top - 0.004],
        ],
        width: tapered(0.004),
        from: from + 0.02,
        to: from + 0.025,
        strength: strength * 0.95,
        bleed: 0.1,
      })
    }
    for (let leaf = 0; leaf < 11; leaf++) {
      const y = 0.1 + random() * 0.6
      const rootX = x + lean * (1 - y) + (random() - 0.5) * 0.03
      const side = random() < 0.5 ? -1 : 1
      const long = 0.1 + random() * 0.12
      const drop = 0.02 + random() * 0.12
      const from = 0.54 + stem * 0.07 + leaf * 0.007
      strokes.push({
        points: [
          [rootX, y],
          [rootX + side * long * 0.45, y + drop * 0.2],
          [rootX + side * long, y + drop],
        ],
        width: (share) => 0.015 * Math.sin(Math.PI * clamp(share * 1.02)) ** 0.8 * (1 - share * 0.35),
        from,
        to: from + 0.018,
        strength: strength * (0.6 + random() * 0.4),
        bleed: 0.08,
      })
    }
  }
  strokes.push(sun(half * 0.5, 0.24, 0.07, 0.9))
  return [...strokes, ...seal(-half * 0.84, 0.82, 0.93)]
}

function carp(random: () => number, aspect: number): Stroke[] {
  const half = aspect / 2
  const strokes: Stroke[] = []
  for (let ring = 0; ring < 4; ring++) {
    const radius = 0.16 + ring * 0.1
    const points = Array.from({ length: 22 }, (_, index): [number, number] => {
      const angle = -2.6 + (index / 21) * 4.9
      return [0.04 + Math.cos(angle) * radius * 1.5, 0.52 + Math.sin(angle) * radius * 0.72]
    })
    strokes.push({
      points,
      width: tapered(0.005),
      from: 0.02 + ring * 0.05,
      to: 0.12 + ring * 0.06,
      strength: 0.28,
      bleed: 0.5,
    })
  }
  const fishes = [
    { x: -0.12, y: 0.46, size: 1, turn: -0.4, red: true, from: 0.26 },
    { x: 0.26, y: 0.62, size: 0.78, turn: 2.6, red: false, from: 0.52 },
  ]
  for (const { x, y, size, turn, red, from } of fishes) {
    const at = (along: number, across: number): [number, number] => {
      const bend = along * along * 0.9
      const px = along * size
      const py = (across + bend) * size
      return [x + px * Math.cos(turn) - py * Math.sin(turn), y + px * Math.sin(turn) + py * Math.cos(turn)]
    }
    const body = Array.from({ length: 9 }, (_, index) => at(0.16 - index * 0.045, 0))
    strokes.push({
      points: body,
      width: (share) => size * 0.05 * Math.sin(Math.PI * clamp(0.12 + share * 0.86)) ** 0.7,
      from,
      to: from + 0.1,
      strength: 0.8,
      red,
      bleed: 0.12,
    })
    for (const side of [-1, 1]) {
      strokes.push({
        points: [at(0.06, side * 0.045), at(0.01, side * 0.085), at(-0.04, side * 0.1)],
        width: tapered(size * 0.014),
        from: from + 0.1,
        to: from + 0.13,
        strength: 0.6,
        red,
        bleed: 0.2,
      })
      strokes.push({
        points: [at(-0.19, 0), at(-0.25, side * 0.03), at(-0.31, side * 0.07)],
        width: tapered(size * 0.016),
        from: from + 0.13,
        to: from + 0.17,
        strength: 0.7,
        red,
        bleed: 0.18,
      })
    }
    for (let scale = 0; scale < 9; scale++) {
      const along = 0.07 - scale * 0.023
      strokes.push({
        points: [at(along, -0.024), at(along - 0.012, 0), at(along, 0.024)],
        width: tapered(size * 0.0032),
        from: from + 0.16 + scale * 0.005,
        to: from + 0.17 + scale * 0.005,
        strength: 1,
        bleed: 0.05,
      })
    }
    strokes.push({
      points: [at(0.135, -0.016)],
      width: even(size * 0.007),
      from: from + 0.21,
      to: from + 0.21,
      strength: 1,
      bleed: 0,
    })
  }
  for (let pad = 0; pad < 5; pad++) {
    const x = (random() - 0.5) * aspect * 0.92
    const y = pad % 2 === 0 ? 0.12 + random() * 0.08 : 0.86 + random() * 0.08
    const points = Array.from({ length: 14 }, (_, index): [number, number] => {
      const angle = 0.5 + (index / 13) * 5.5
      return [x + Math.cos(angle) * 0.05, y + Math.sin(angle) * 0.02]
    })
    strokes.push({
      points,
      width: even(0.022),
      from: 0.76 + pad * 0.02,
      to: 0.79 + pad * 0.02,
      strength: 0.34 + random() * 0.2,
      bleed: 0.3,
    })
  }
  return [...strokes, ...seal(half * 0.8, 0.84, 0.94)]
}

function crane(random: () => number, aspect: number): Stroke[] {
  const half = aspect / 2
  const strokes: Stroke[] = [sun(half * 0.22, 0.36, 0.2, 0.03)]
  const x = -0.1
  const y = 0.5
  // Each feather of the wings is a stroke.
  for (let feather = 0; feather < 13; feather++) {
    const share = feather / 12
    const angle = -2.75 + share * 0.95
    const long = 0.34 + 0.12 * Math.sin(share * Math.PI)
    strokes.push({
      points: [
        [x, y],
        [x + Math.cos(angle) * long * 0.5, y + Math.sin(angle) * long * 0.5 - 0.03],
        [x + Math.cos(angle) * long, y + Math.sin(angle) * long],
      ],
      width: tapered(0.013),
      from: 0.16 + feather * 0.012,
      to: 0.18 + feather * 0.012,
      strength: feather < 6 ? 0.95 : 0.4,
      bleed: 0.08,
    })
    const other = -0.5 - share * 0.8
    strokes.push({
      points: [
        [x + 0.03, y],
        [x + Math.cos(other) * long * 0.5, y + Math.sin(other) * long * 0.5 - 0.03],
        [x + Math.cos(other) * long * 0.96, y + Math.sin(other) * long * 0.96],
      ],
      width: tapered(0.013),
      from: 0.32 + feather * 0.012,
      to: 0.34 + feather * 0.012,
      strength: feather < 6 ? 0.9 : 0.36,
      bleed: 0.08,
    })
  }
  strokes.push({
    points: [
      [x - 0.1, y + 0.07],
      [x, y + 0.02],
      [x + 0.1, y + 0.02],
    ],
    width: tapered(0.045),
    from: 0.48,
    to: 0.52,
    strength: 0.3,
    bleed: 0.3,
  })
  strokes.push({
    points: [
      [x + 0.09, y + 0.02],
      [x + 0.17, y - 0.01],
      [x + 0.24, y + 0.03],
      [x + 0.31, y + 0.02],
    ],
    width: (share) => 0.011 - share * 0.006,
    from: 0.53,
    to: 0.58,
    strength: 0.95,
    bleed: 0.06,
  })
  strokes.push({
    points: [
      [x + 0.31, y + 0.02],
      [x + 0.36, y + 0.034],
    ],
    width: tapered(0.003),
    from: 0.58,
    to: 0.6,
    strength: 0.9,
    bleed: 0,
  })
  strokes.push({
    points: [[x + 0.306, y + 0.013]],
    width: even(0.006),
    from: 0.6,
    to: 0.6,
    strength: 1,
    red: true,
    bleed: 0.1,
  })
  for (const leg of [0, 0.012]) {
    strokes.push({
      points: [
        [x - 0.1, y + 0.07 + leg],
        [x - 0.2, y + 0.12 + leg],
        [x - 0.33, y + 0.15 + leg * 2],
      ],
      width: tapered(0.0045),
      from: 0.61,
      to: 0.65,
      strength: 0.9,
      bleed: 0.04,
    })
  }
  for (let reed = 0; reed < 30; reed++) {
    const root = -half + random() * aspect
    const tall = 0.1 + random() * 0.24
    const bend = 0.02 + random() * 0.09
    const from = 0.66 + reed * 0.008
    strokes.push({
      points: [
        [root, 1.02],
        [root + bend * 0.3, 1 - tall * 0.6],
        [root + bend, 1 - tall],
      ],
      width: (share) => 0.0055 * (1 - share * 0.8),
      from,
      to: from + 0.02,
      strength: 0.35 + random() * 0.6,
      bleed: 0.08,
    })
  }
  return [...strokes, ...seal(half * 0.8, 0.8, 0.94)]
}

function moonBranch(random: () => number, aspect: number): Stroke[] {
  const half = aspect / 2
  const strokes: Stroke[] = []
  const circle = Array.from({ length: 30 }, (_, index): [number, number] => {
    const angle = -0.6 + (index / 29) * 6.1
    return [Math.cos(angle) * 0.31 + 0.05, 0.46 + Math.sin(angle) * 0.31]
  })
  // The circle is a single stroke, wet at first and dry at the end.
  strokes.push({
    points: circle,
    width: (share) => 0.03 * (1 - share * 0.62),
    from: 0.03,
    to: 0.3,
    strength: 0.88,
    bleed: 0.2,
  })
  const limb: [number, number][] = [
    [-half - 0.05, 0.2],
    [-half * 0.6, 0.3],
    [-half * 0.25, 0.28],
    [0.05, 0.4],
    [0.24, 0.38],
  ]
  strokes.push({
    points: limb,
    width: (share) => 0.02 * (1 - share * 0.75),
    from: 0.36,
    to: 0.5,
    strength: 0.9,
    bleed: 0.14,
  })
  for (let twig = 0; twig < 9; twig++) {
    const share = 0.2 + (twig / 9) * 0.75
    const place = limb[Math.min(limb.length - 1, Math.floor(share * limb.length))]!
    const x = place[0] + (random() - 0.5) * 0.16
    const y = place[1] + (random() - 0.5) * 0.03
    const up = random() < 0.6 ? -1 : 1
    const tip: [number, number] = [x + 0.06 + random() * 0.08, y + up * (0.05 + random() * 0.09)]
    const from = 0.5 + twig * 0.015
    strokes.push({
      points: [[x, y], [(x + tip[0]) / 2 + 0.01, (y + tip[1]) / 2], tip],
      width: (part) => 0.006 * (1 - part * 0.7),
      from,
      to: from + 0.02,
      strength: 0.85,
      bleed: 0.08,
    })
    for (let blossom = 0; blossom < 3; blossom++) {
      const bx = mix(x, tip[0], 0.4 + blossom * 0.3) + (random() - 0.5) * 0.02
      const by = mix(y, tip[1], 0.4 + blossom * 0.3) + (random() - 0.5) * 0.02
      for (let petal = 0; petal < 5; petal++) {
        const angle = (petal / 5) * 6.283 + random()
        const open = 0.66 + twig * 0.02 + blossom * 0.008
        strokes.push({
          points: [[bx + Math.cos(angle) * 0.009, by + Math.sin(angle) * 0.009]],
          width: even(0.0075),
          from: open + petal * 0.004,
          to: open + petal * 0.004,
          strength: 0.55 + random() * 0.35,
          red: true,
          bleed: 0.4,
        })
      }
    }
  }
  for (let petal = 0; petal < 9; petal++) {
    strokes.push({
      points: [[-0.3 + random() * 0.8, 0.6 + random() * 0.32]],
      width: even(0.006),
      from: 0.86 + petal * 0.008,
      to: 0.86 + petal * 0.008,
      strength: 0.6,
      red: true,
      bleed: 0.4,
    })
  }
  return [...strokes, ...seal(half * 0.76, 0.84, 0.95)]
}
