import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, rgb } from '../colour.ts'
import { clamp, mix, noiseAt, noiseTile, randomFrom } from '../random.ts'
import { prerender, shadedPicture } from '../surface.ts'
import type { Stage, World } from '../world.ts'

/** Number of times per second that the paper moves, as in stop-motion animation. */
const EXPOSURES = 12

type Form = 'circle' | 'half' | 'quarter' | 'square' | 'triangle' | 'leaf' | 'ring' | 'bar' | 'wave' | 'star'

/** Position of a piece of paper. `x` and `y` are distances from the middle, as fractions of the height. */
interface Lie {
  readonly x: number
  readonly y: number
  readonly turn: number
  readonly size: number
}

interface Piece {
  readonly form: Form
  readonly colour: string
  readonly scenes: readonly Lie[]
  readonly art: Canvas
  readonly jitter: number
}

const SUN = '#f9c74f'
const RED = '#f94144'
const ORANGE = '#f3722c'
const GREEN = '#90be6d'
const TEAL = '#43aa8b'
const BLUE = '#577590'
const NAVY = '#2b3f5c'
const CREAM = '#fff6e4'
const PINK = '#f4a6a0'

/**
 * Positions of the pieces in each scene: a fish, a boat, a bird, a house, a cat, a garden. All scenes consist of
 * the same pieces.
 */
const LIES: readonly (readonly [
  Form,
  string,
  number,
  ...(readonly (readonly [number, number, number])[]),
])[] = [
  [
    'circle',
    ORANGE,
    0.42,
    [-0.06, 0.02, 0],
    [0.5, -0.26, 0],
    [0.02, 0.02, 0],
    [0.52, -0.3, 0],
    [0, 0.12, 0],
    [-0.46, -0.16, 0],
  ],
  [
    'half',
    RED,
    0.46,
    [-0.07, -0.03, 0],
    [-0.02, 0.2, Math.PI],
    [-0.03, 0.02, 2.7],
    [-0.16, -0.1, 0],
    [0.0, 0.27, 0],
    [0.44, 0.28, 0],
  ],
  [
    'triangle',
    RED,
    0.3,
    [0.25, 0.03, -1.57],
    [0.13, -0.12, 0.06],
    [-0.31, 0.1, -2.1],
    [0.2, -0.14, 0],
    [-0.13, -0.13, -0.35],
    [0.16, 0.02, 0],
  ],
  [
    'triangle',
    SUN,
    0.24,
    [0.36, 0.03, -1.57],
    [-0.1, -0.06, -0.04],
    [-0.4, 0.16, -2.3],
    [0.2, -0.14, 0],
    [0.13, -0.13, 0.35],
    [0.16, -0.12, 0],
  ],
  [
    'circle',
    CREAM,
    0.13,
    [-0.18, -0.05, 0],
    [-0.38, -0.3, 0],
    [0.16, -0.12, 0],
    [-0.44, -0.3, 0],
    [-0.09, 0.06, 0],
    [-0.46, -0.16, 0],
  ],
  [
    'circle',
    NAVY,
    0.06,
    [-0.19, -0.05, 0],
    [-0.02, 0.2, 0],
    [0.175, -0.12, 0],
    [0.06, 0.2, 0],
    [-0.085, 0.07, 0],
    [0.2, 0.2, 0],
  ],
  [
    'circle',
    CREAM,
    0.13,
    [-0.5, -0.26, 0],
    [-0.28, -0.34, 0],
    [0.5, -0.3, 0],
    [-0.34, -0.34, 0],
    [0.09, 0.06, 0],
    [-0.08, -0.3, 0],
  ],
  [
    'circle',
    NAVY,
    0.06,
    [-0.5, -0.27, 0],
    [0.12, 0.2, 0],
    [0.5, -0.3, 0],
    [0.34, 0.2, 0],
    [0.085, 0.07, 0],
    [-0.24, 0.24, 0],
  ],
  [
    'leaf',
    TEAL,
    0.34,
    [0.02, -0.22, 0.5],
    [0.58, 0.34, 1.2],
    [-0.08, -0.2, -0.5],
    [-0.56, 0.2, 0.3],
    [0.28, 0.3, 0.7],
    [-0.3, 0.18, -0.4],
  ],
  [
    'leaf',
    GREEN,
    0.3,
    [-0.02, 0.24, 2.4],
    [-0.58, 0.36, -1.1],
    [0.04, -0.24, -0.1],
    [-0.5, 0.24, -0.4],
    [0.36, 0.22, 0.3],
    [-0.14, 0.2, 0.5],
  ],
  [
    'bar',
    BLUE,
    0.5,
    [0, 0.4, 0.03],
    [0.0, 0.02, 1.57],
    [0.02, 0.42, 0.02],
    [0.2, 0.12, 1.57],
    [0, 0.42, 0],
    [0, 0.42, 0],
  ],
  [
    'square',
    SUN,
    0.32,
    [0.52, 0.34, 0.3],
    [-0.58, -0.28, 0.2],
    [-0.56, 0.36, 0.2],
    [0.2, 0.16, 0],
    [-0.56, 0.24, 0.2],
    [0.16, 0.22, 0],
  ],
  [
    'square',
    PINK,
    0.36,
    [-0.56, 0.36, -0.2],
    [0.6, 0.12, 0.4],
    [0.6, 0.34, -0.3],
    [-0.16, 0.12, 0],
    [0.58, -0.2, 0.3],
    [0.44, 0.16, 0],
  ],
  [
    'quarter',
    TEAL,
    0.26,
    [0.08, 0.09, 0.4],
    [-0.26, 0.14, 2],
    [-0.1, 0.06, 2.9],
    [-0.16, 0.2, 0],
    [-0.22, 0.3, 0.2],
    [0.02, 0.36, 0],
  ],
  [
    'ring',
    BLUE,
    0.18,
    [-0.4, -0.12, 0],
    [0.32, 0.18, 0],
    [-0.5, -0.24, 0],
    [0.56, 0.1, 0],
    [0.46, 0.34, 0],
    [0.5, -0.26, 0],
  ],
  [
    'ring',
    TEAL,
    0.11,
    [-0.46, -0.3, 0],
    [0.44, 0.2, 0],
    [-0.36, -0.32, 0],
    [0.46, 0.02, 0],
    [0.54, 0.26, 0],
    [0.62, -0.16, 0],
  ],
  [
    'wave',
    BLUE,
    1.3,
    [-0.4, 0.42, 0],
    [-0.36, 0.34, 0],
    [-0.4, 0.46, 0],
    [-0.4, 0.42, 0.02],
    [-0.46, 0.46, 0],
    [-0.4, 0.46, 0],
  ],
  [
    'wave',
    TEAL,
    1.3,
    [0.36, 0.46, 0],
    [0.4, 0.39, 0],
    [0.42, 0.48, 0],
    [0.4, 0.46, -0.02],
    [0.5, 0.48, 0],
    [0.4, 0.48, 0],
  ],
  [
    'triangle',
    ORANGE,
    0.1,
    [-0.3, 0.05, 1.57],
    [0.3, -0.34, 0],
    [0.3, -0.09, 1.57],
    [-0.06, -0.4, 0],
    [0, 0.14, 3.14],
    [0.36, -0.06, 0],
  ],
  [
    'star',
    SUN,
    0.16,
    [0.54, -0.3, 0],
    [-0.2, -0.4, 0.3],
    [-0.1, 0.3, 0.2],
    [-0.6, -0.14, 0.4],
    [-0.36, -0.32, 0],
    [-0.08, -0.3, 0.2],
  ],
  [
    'star',
    RED,
    0.12,
    [0.42, -0.38, 0.3],
    [0.16, -0.4, 0],
    [0.3, 0.24, 0.1],
    [-0.24, -0.38, 0.2],
    [0.4, -0.36, 0.4],
    [-0.62, 0.1, 0],
  ],
]

const GROUNDS = ['#bfe3e0', '#cfe6f2', '#fbe3c2', '#f9d9c9', '#dfe9cf', '#f6ead2'] as const

/** Draws pieces of coloured paper that form a fish, a boat, a bird, a house, a cat and a garden in turn. */
export function cutouts({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  // Scenes are 1.5 times as wide as high. On a poster they are slightly smaller.
  const unit = portrait ? width * 0.74 : height
  const fibre = noiseTile(`${seed} fibre`, 48, 3)
  const pieces: Piece[] = LIES.map(([form, colour, size, ...places], index) => ({
    form,
    colour,
    art: paperPiece(form, colour, size * unit, fibre, randomFrom(`${seed} piece ${index}`)),
    jitter: random() * 100,
    scenes: places.map(([x, y, turn]) => ({ x, y: portrait ? y * 1.12 : y, turn, size: 1 })),
  }))
  const count = GROUNDS.length
  const grounds = GROUNDS.map((colour, index) => {
    const [red, green, blue] = rgb(colour)
    return shadedPicture(width, height, (x, y, out) => {
      const grain = (noiseAt(fibre, x * 0.6 + index * 40, y * 0.6) - 0.5) * 15
      const away = Math.hypot(x / width - 0.46, y / height - 0.42)
      const light = 1.03 - away * 0.16
      out[0] = red * light + grain
      out[1] = green * light + grain
      out[2] = blue * light + grain
    })
  })

  const table = createCanvas(width, height)
  const tablePicture = table.getContext('2d')
  let shown = Number.NaN

  /** Draws the pieces in their positions at the exposure with this number. */
  const expose = (picture: SKRSContext2D, exposure: number, progress: number) => {
    const seconds = exposure / EXPOSURES
    const position = clamp(progress, 0, 0.9999) * count
    const scene = Math.floor(position)
    const share = position - scene
    const next = Math.min(count - 1, scene + 1)
    const turning = scene === next ? 0 : clamp((share - 0.72) / 0.28)
    drawGround(picture, grounds, scene, next, turning, width, height)
    for (const [index, piece] of pieces.entries()) {
      // The pieces leave one after the other. On arrival they move slightly too far, and back.
      const delay = (index / pieces.length) * 0.45
      const run = overshoot(clamp((turning - delay) / 0.55))
      const from = piece.scenes[scene]!
      const to = piece.scenes[next]!
      const hop = Math.sin(clamp((turning - delay) / 0.55) * Math.PI) * 0.09
      // In stop-motion animation, each exposure is slightly displaced.
      const tremble = Math.sin(exposure * 12.9898 + piece.jitter) * 0.0012
      const breathe = Math.sin(seconds * 1.6 + piece.jitter) * 0.006
      const x = width / 2 + (mix(from.x, to.x, run) + tremble) * unit
      const y = height * (portrait ? 0.42 : 0.49) + (mix(from.y, to.y, run) - hop + breathe) * unit
      const turn = mix(from.turn, to.turn, run) + Math.sin(seconds * 1.1 + piece.jitter) * 0.025
      const opening = overshoot(clamp((progress * count - index * 0.012 + 0.02) / 0.12))
      if (opening <= 0.01) continue
      picture.save()
      picture.translate(x, y)
      picture.rotate(turn)
      if (opening !== 1) picture.scale(opening, opening)
      picture.drawImage(piece.art, -piece.art.width / 2, -piece.art.height / 2)
      picture.restore()
    }
  }

  return {
    draw(picture, { seconds, progress }) {
      const exposure = Math.floor(seconds * EXPOSURES + 1e-6)
      if (exposure !== shown) {
        expose(tablePicture, exposure, progress)
        shown = exposure
      }
      picture.drawImage(table, 0, 0)
    },
  }
}

function drawGround(
  picture: SKRSContext2D,
  grounds: readonly Canvas[],
  scene: number,
  next: number,
  turning: number,
  width: number,
  height: number,
): void {
  picture.drawImage(grounds[scene]!, 0, 0)
  if (turning <= 0) return
  // The next sheet of paper moves in from the right.
  const edge = Math.round(width * (1 - overshoot(clamp(turning * 1.15)) * 1))
  if (edge >= width) return
  const from = Math.max(0, edge)
  picture.fillStyle = 'rgba(60,40,20,.2)'
  picture.fillRect(from - 5, 0, 5, height)
  picture.drawImage(grounds[next]!, 0, 0, width - from, height, from, 0, width - from, height)
}

function overshoot(share: number): number {
  const back = 1.1
  const x = share - 1
  return 1 + (back + 1) * x ** 3 + back * x ** 2
}

/**
 * Draws a piece of paper with a soft shadow. The shadow consists of several faint shadows, because a blur is slow.
 */
function paperPiece(
  form: Form,
  colour: string,
  size: number,
  fibre: Float32Array,
  random: () => number,
): Canvas {
  const wide = form === 'wave' ? size * 1.1 : form === 'bar' ? size : size
  const margin = Math.max(10, size * 0.06)
  const side = Math.ceil(wide * 1.1 + margin * 2)
  const tall =
    form === 'wave'
      ? Math.ceil(size * 0.4 + margin * 2)
      : form === 'bar'
        ? Math.ceil(size * 0.12 + margin * 2)
        : side
  return prerender(side, tall, (picture) => {
    picture.translate(side / 2, tall / 2)
    for (let shadow = 9; shadow >= 1; shadow--) {
      picture.save()
      picture.translate(size * 0.006 + 1, size * 0.012 + shadow * 0.75)
      picture.fillStyle = 'rgba(52,28,8,.034)'
      outline(picture, form, size / 2 + shadow * 0.55 - 2, randomFrom(`${form} ${colour} ${size}`))
      picture.fill()
      picture.restore()
    }
    const paper = rgb(colour)
    const light = picture.createLinearGradient(-size / 2, -size / 2, size / 2, size / 2)
    light.addColorStop(0, css(blend(paper, [255, 255, 255], 0.1)))
    light.addColorStop(1, css(blend(paper, [40, 20, 20], 0.07)))
    picture.fillStyle = light
    outline(picture, form, size / 2, randomFrom(`${form} ${colour} ${size}`))
    picture.fill()
    picture.save()
    picture.clip()
    const flecks = Math.min(900, Math.round(size * 2.2))
    for (let fleck = 0; fleck < flecks; fleck++) {
      const x = (random() - 0.5) * side
      const y = (random() - 0.5) * side
      const tone = noiseAt(fibre, x, y)
      picture.fillStyle = tone > 0.5 ? 'rgba(255,255,255,.07)' : 'rgba(40,20,0,.06)'
      picture.fillRect(x, y, 1 + random() * 3, 1)
    }
    picture.restore()
    // The cut edge reflects the light from above.
    picture.strokeStyle = 'rgba(255,255,255,.4)'
    picture.lineWidth = 1.1
    outline(picture, form, size / 2 - 0.6, randomFrom(`${form} ${colour} ${size}`))
    picture.stroke()
  })
}

/** Draws the outline of a piece as a slightly uneven path, as if cut by hand. */
function outline(picture: SKRSContext2D, form: Form, radius: number, random: () => number): void {
  const wobble = () => 1 + (random() - 0.5) * 0.035
  picture.beginPath()
  const polygon = (points: readonly (readonly [number, number])[]) => {
    for (const [x, y] of points) picture.lineTo(x * radius * wobble(), y * radius * wobble())
    picture.closePath()
  }
  const arc = (from: number, to: number, size: number, steps: number) => {
    for (let step = 0; step <= steps; step++) {
      const angle = from + ((to - from) * step) / steps
      picture.lineTo(
        Math.cos(angle) * size * radius * (1 + (random() - 0.5) * 0.014),
        Math.sin(angle) * size * radius * (1 + (random() - 0.5) * 0.014),
      )
    }
  }
  switch (form) {
    case 'circle':
      arc(0, Math.PI * 2, 1, 34)
      return picture.closePath()
    case 'half':
      arc(Math.PI, Math.PI * 2, 1, 20)
      return picture.closePath()
    case 'quarter':
      picture.lineTo(0, 0)
      arc(0, Math.PI / 2, 1.1, 12)
      return picture.closePath()
    case 'square':
      return polygon([
        [-0.74, -0.74],
        [0.74, -0.74],
        [0.74, 0.74],
        [-0.74, 0.74],
      ])
    case 'triangle':
      return polygon([
        [0, -0.8],
        [0.92, 0.72],
        [-0.92, 0.72],
      ])
    case 'bar':
      return polygon([
        [-1, -0.07],
        [1, -0.07],
        [1, 0.07],
        [-1, 0.07],
      ])
    case 'star':
      return polygon(
        Array.from({ length: 10 }, (_, index): [number, number] => {
          const size = index % 2 === 0 ? 1 : 0.46
          const angle = (index / 10) * Math.PI * 2 - Math.PI / 2
          return [Math.cos(angle) * size, Math.sin(angle) * size]
        }),
      )
    case 'leaf':
      picture.moveTo(0, -radius)
      picture.bezierCurveTo(radius * 0.62, -radius * 0.5, radius * 0.56, radius * 0.5, 0, radius)
      picture.bezierCurveTo(-radius * 0.56, radius * 0.5, -radius * 0.62, -radius * 0.5, 0, -radius)
      return picture.closePath()
    case 'ring':
      arc(0, Math.PI * 2, 1, 30)
      picture.closePath()
      picture.moveTo(radius * 0.56, 0)
      picture.arc(0, 0, radius * 0.56, 0, Math.PI * 2, true)
      return picture.closePath()
    case 'wave': {
      for (let step = 0; step <= 40; step++)
        picture.lineTo((step / 20 - 1) * radius, -0.1 * radius + Math.sin(step * 0.78) * radius * 0.045)
      picture.lineTo(radius, radius * 0.3)
      picture.lineTo(-radius, radius * 0.3)
      return picture.closePath()
    }
  }
}
