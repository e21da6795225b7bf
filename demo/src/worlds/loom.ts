import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, type Rgb, rgb } from '../colour.ts'
import { clamp, mix, randomFrom, smooth } from '../random.ts'
import { prerender } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

/** Seconds from one throw of the shuttle to the next. The loom in the music knocks at the same rate. */
const PICK_SECONDS = 0.375
/** Rows that are woven per second during an episode's opening, before the loom reaches its full speed. */
const OPENING_ROWS = 7
const OPENING_SECONDS = 8

/** The threads and the pattern of a cloth. */
interface Design {
  readonly ground: string
  readonly warp: readonly string[]
  readonly weft: readonly string[]
  readonly wood: string
  /** Colour of the light from the window. */
  readonly light: string
  readonly warps: number
  /** Returns the colour of the weft at a crossing, as an index of `weft`. `column` counts from the middle. */
  readonly motif: (column: number, row: number) => number
}

const WAVE_FISH = ['....xx....x', '..xxxxxx.xx', '.xoxxxxxxxx', '..xxxxxx.xx', '....xx....x']
const BIRD = ['x.........x', 'xx...x...xx', '.xxx.xx.xx.', '..xxxxxxx..', '....xxx....', '...x..x....']
const HAND = ['.x.x.x.', '.x.x.x.', '.x.x.xx', 'xxxxxxx', 'xxxxxx.', '.xxxx..', '.xxxx..']

function stamp(bitmap: readonly string[], column: number, row: number): boolean {
  return bitmap[row]?.[column] !== undefined && bitmap[row][column] !== '.'
}

function wrap(value: number, size: number): number {
  return ((value % size) + size) % size
}

const DESIGNS: readonly Design[] = [
  {
    ground: '#1b0f12',
    warp: ['#f7ede2', '#e8d5bd', '#cdb497'],
    weft: ['#29335c', '#e4572e', '#f3a712', '#669bbc', '#f7ede2'],
    wood: '#6b3f26',
    light: '#ffcf8f',
    warps: 104,
    motif: (column, row) => {
      const crest = Math.abs(wrap(column + 8, 32) - 16)
      const level = wrap(row + crest, 22)
      return level < 3 ? 1 : level < 5 ? 4 : level < 9 ? 3 : level === 12 ? 2 : 0
    },
  },
  {
    ground: '#120f1c',
    warp: ['#d9d2c4', '#b9b0a2'],
    weft: ['#3b1f4a', '#c1486b', '#f3a712', '#f7ede2', '#7a3b69'],
    wood: '#5a3350',
    light: '#ffb0c0',
    warps: 96,
    motif: (column, row) => {
      const diamond = Math.abs(wrap(column, 24) - 12) + Math.abs(wrap(row, 24) - 12)
      if (diamond < 3) return 2
      if (diamond < 5) return 3
      if (diamond < 9) return 1
      return wrap(diamond, 6) < 1 ? 4 : 0
    },
  },
  {
    ground: '#0b1417',
    warp: ['#e6eee6', '#c3d3c9'],
    weft: ['#12454a', '#f3a712', '#a8c686', '#f7ede2', '#1f6f6b'],
    wood: '#4d4a2f',
    light: '#cff2dc',
    warps: 110,
    motif: (column, row) => {
      const band = Math.floor(row / 16)
      const local = wrap(row, 16)
      const across = wrap(column + band * 9, 18)
      if (local < 2) return 2
      if (local === 3 || local === 15) return 4
      return stamp(WAVE_FISH, across - 3, local - 6) ? (wrap(band, 2) === 0 ? 1 : 3) : 0
    },
  },
  {
    ground: '#140d0a',
    warp: ['#f0e2cf', '#d9c4a8'],
    weft: ['#5c1a1b', '#e4572e', '#f7ede2', '#f3a712', '#8c2f28'],
    wood: '#70421f',
    light: '#ffb46a',
    warps: 92,
    motif: (column, row) => {
      const stair = Math.floor(Math.abs(wrap(column, 28) - 14) / 2) * 2
      const level = wrap(row - stair, 20)
      return level < 2 ? 3 : level < 6 ? 1 : level < 8 ? 2 : level < 14 ? 4 : 0
    },
  },
  {
    ground: '#0a0f1a',
    warp: ['#e8ecf4', '#bcc7da'],
    weft: ['#17264a', '#f7ede2', '#669bbc', '#e4572e', '#2d4a86'],
    wood: '#3c3a4c',
    light: '#b9d4ff',
    warps: 106,
    motif: (column, row) => {
      const band = Math.floor(row / 15)
      const local = wrap(row, 15)
      const across = wrap(column + band * 8, 16)
      if (local < 2) return wrap(column, 4) < 2 ? 2 : 4
      return stamp(BIRD, across - 2, local - 5)
        ? wrap(band + Math.floor((column + band * 8) / 16), 5) === 0
          ? 3
          : 1
        : 0
    },
  },
  {
    ground: '#160c10',
    warp: ['#f7ede2', '#e2cdb8'],
    weft: ['#f7ede2', '#c1486b', '#29335c', '#e4572e', '#a8c686'],
    wood: '#6a3a34',
    light: '#ffd9b0',
    warps: 100,
    motif: (column, row) => {
      const band = Math.floor(row / 18)
      const local = wrap(row, 18)
      const place = Math.floor((column + 400) / 12)
      if (local < 3) return local === 1 ? 2 : 3
      if (local === 4 || local === 17) return 4
      return stamp(HAND, wrap(column, 12) - 2, local - 7)
        ? wrap(place + band, 3) === 0
          ? 1
          : wrap(place + band, 3) === 1
            ? 2
            : 3
        : 0
    },
  },
]

/**
 * Draws a loom at work: cloth at the top, open threads at the bottom, and the shuttle between them. Every episode
 * weaves a different cloth.
 */
export function loom({ width, height, seed, variation }: Stage): World {
  const design = DESIGNS[variation % DESIGNS.length]!
  const portrait = height > width
  const random = randomFrom(seed)
  const cellWidth = Math.max(6, Math.round((portrait ? width * 1.5 : width) / design.warps))
  const cellHeight = Math.max(5, Math.round(cellWidth * 0.86))
  const columns = Math.ceil(width / cellWidth) + 1
  const fell = Math.round(height * (portrait ? 0.6 : 0.62))
  const unit = Math.min(height, width * 0.9)
  const redColumn = Math.round(columns * (portrait ? 0.4 : 0.3))
  const totalRows =
    Math.ceil(OPENING_SECONDS * OPENING_ROWS + 66 / PICK_SECONDS) + Math.ceil(fell / cellHeight) + 4
  const cloth = weave(design, { columns, rows: totalRows, cellWidth, cellHeight, redColumn, random })
  const warpHeight = height - fell + 40
  const [odd, even] = [0, 1].map((parity) =>
    prerender(columns * cellWidth, warpHeight, (picture) => {
      for (let column = parity; column < columns; column += 2) {
        const colour = rgb(
          column === redColumn || column === redColumn + 1
            ? '#e4342e'
            : design.warp[(column * 7) % design.warp.length]!,
        )
        const x = column * cellWidth
        const wide = cellWidth * 0.46
        const thread = picture.createLinearGradient(x, 0, x + wide, 0)
        thread.addColorStop(0, css(blend(colour, [0, 0, 0], 0.45)))
        thread.addColorStop(0.4, css(colour))
        thread.addColorStop(1, css(blend(colour, [0, 0, 0], 0.6)))
        picture.fillStyle = thread
        picture.fillRect(x + cellWidth * 0.27, 0, wide, warpHeight)
      }
    }),
  )
  const beater = prerender(width, unit * 0.13, (picture) =>
    drawBeater(picture, width, unit, cellWidth, design),
  )
  const shuttles = design.weft.map((colour) => drawShuttle(unit, design.wood, colour))
  const shade = prerender(width, height, (picture) => {
    const rgbGround = rgb(design.ground)
    const sides = picture.createRadialGradient(
      width * 0.5,
      fell * 0.8,
      unit * 0.25,
      width * 0.5,
      fell * 0.8,
      Math.hypot(width, height) * 0.62,
    )
    sides.addColorStop(0, css(rgbGround, 0))
    sides.addColorStop(1, css(rgbGround, 0.85))
    picture.fillStyle = sides
    picture.fillRect(0, 0, width, height)
    // Gradients instead of hard lines: the cloth becomes dark towards the open threads (the shed), and the beam
    // below it merges with the background.
    const depth = picture.createLinearGradient(0, fell - height * 0.34, 0, height)
    depth.addColorStop(0, css(rgbGround, 0))
    depth.addColorStop(0.42, css(rgbGround, 0.82))
    depth.addColorStop(0.54, css(rgbGround, 0.66))
    depth.addColorStop(1, css(rgbGround, 0.94))
    picture.fillStyle = depth
    picture.fillRect(0, 0, width, height)
    // Slanting bars of light from a window above.
    picture.globalCompositeOperation = 'lighter'
    for (let bar = 0; bar < 3; bar++) {
      const x = width * (0.16 + bar * 0.2)
      const beam = picture.createLinearGradient(0, 0, 0, height * 0.9)
      beam.addColorStop(0, css(rgb(design.light), 0.15))
      beam.addColorStop(1, css(rgb(design.light), 0))
      picture.fillStyle = beam
      picture.beginPath()
      picture.moveTo(x, 0)
      picture.lineTo(x + unit * 0.16, 0)
      picture.lineTo(x + unit * 0.62, height * 0.9)
      picture.lineTo(x + unit * 0.36, height * 0.9)
      picture.fill()
    }
  })
  const dust = Array.from({ length: 60 }, () => ({
    x: random(),
    y: random(),
    size: 0.6 + random() * 1.4,
    phase: random() * 7,
  }))

  const rowsAt = (seconds: number) =>
    seconds < OPENING_SECONDS
      ? seconds * OPENING_ROWS
      : OPENING_SECONDS * OPENING_ROWS + (seconds - OPENING_SECONDS) / PICK_SECONDS

  const drawWarps = (picture: SKRSContext2D, pick: number, share: number) => {
    picture.fillStyle = design.ground
    picture.fillRect(0, fell, width, height - fell)
    const raised = pick % 2 === 0 ? [odd!, even!] : [even!, odd!]
    const change = smooth(share / 0.3)
    picture.globalAlpha = 0.6 + 0.3 * (1 - change)
    picture.drawImage(raised[1]!, 0, fell)
    picture.globalAlpha = 0.85 + 0.15 * change
    picture.drawImage(raised[0]!, 0, fell)
    picture.globalAlpha = 1
  }

  const drawShed = (picture: SKRSContext2D, pick: number, share: number, beat: number) => {
    // The threads part below the edge of the cloth (the shed), and it is dark between them.
    const shadow = picture.createLinearGradient(0, fell, 0, fell + unit * 0.17)
    shadow.addColorStop(0, 'rgba(0,0,0,.62)')
    shadow.addColorStop(1, 'rgba(0,0,0,0)')
    picture.fillStyle = shadow
    picture.fillRect(0, fell, width, unit * 0.17)
    const colour = design.motif(0, pick)
    const shuttle = shuttles[colour]!
    const run = smooth(clamp((share - 0.12) / 0.7))
    const across = pick % 2 === 0 ? run : 1 - run
    const x = mix(-shuttle.width * 1.1, width + shuttle.width * 0.1, across)
    const y = fell + unit * 0.052
    // The thread that the shuttle pulls.
    picture.strokeStyle = design.weft[colour]!
    picture.lineWidth = Math.max(1.5, unit * 0.004)
    picture.beginPath()
    const origin = pick % 2 === 0 ? 0 : width
    picture.moveTo(origin, fell + 2)
    picture.quadraticCurveTo(
      mix(origin, x + shuttle.width / 2, 0.5),
      fell + unit * 0.012,
      x + shuttle.width / 2,
      y + shuttle.height * 0.45,
    )
    picture.stroke()
    picture.save()
    if (pick % 2 !== 0) {
      picture.translate(x + shuttle.width, y)
      picture.scale(-1, 1)
      picture.drawImage(shuttle, 0, 0)
    } else {
      picture.drawImage(shuttle, Math.round(x), Math.round(y))
    }
    picture.restore()
    picture.drawImage(beater, 0, Math.round(fell + unit * mix(0.17, 0.012, beat)))
  }

  return {
    draw(picture, moment: Moment) {
      const { seconds } = moment
      const woven = rowsAt(seconds)
      const pick = Math.floor(woven)
      const share = woven - pick
      // The beater strikes the cloth at the end of each throw, and swings back.
      const beat = Math.exp(-(((share - 0.98) / 0.09) ** 2)) + Math.exp(-(((share + 0.02) / 0.09) ** 2))
      const top = Math.round(woven * cellHeight)
      picture.drawImage(cloth, 0, Math.max(0, top), width, fell, 0, 0, width, fell)
      drawWarps(picture, pick, share)
      drawShed(picture, pick, share, Math.min(1, beat))
      picture.drawImage(shade, 0, 0)
      picture.fillStyle = css(rgb(design.light), 0.5)
      for (const mote of dust) {
        const x = ((mote.x + seconds * 0.008 * mote.size) % 1) * width
        const y = (((mote.y - seconds * 0.013 + Math.sin(seconds * 0.5 + mote.phase) * 0.012) % 1) + 1) % 1
        picture.fillRect(x, y * height, mote.size * 1.3, mote.size * 1.3)
      }
    },
  }
}

interface ClothSize {
  readonly columns: number
  readonly rows: number
  readonly cellWidth: number
  readonly cellHeight: number
  readonly redColumn: number
  readonly random: () => number
}

/**
 * Draws the whole cloth thread by thread, with the oldest rows at the top. Each crossing shows its weft or its
 * warp, with shading that makes the thread look round.
 */
function weave(
  design: Design,
  { columns, rows, cellWidth, cellHeight, redColumn, random }: ClothSize,
): Canvas {
  const width = columns * cellWidth
  const height = rows * cellHeight
  const pixels = new Uint8ClampedArray(width * height * 4)
  const warps = design.warp.map(rgb)
  const wefts = design.weft.map(rgb)
  const red = rgb('#e4342e')
  const profile = (at: number, size: number) => 0.48 + 0.6 * Math.sin((Math.PI * (at + 0.5)) / size) ** 0.8
  for (let row = 0; row < rows; row++) {
    const uneven = 0.94 + random() * 0.1
    for (let column = 0; column < columns; column++) {
      const fromMiddle = column - Math.round(columns / 2)
      const weft: Rgb = wefts[design.motif(fromMiddle, row - 30)]!
      const isRed = column === redColumn || column === redColumn + 1
      const warp: Rgb = isRed ? red : warps[(column * 7) % warps.length]!
      // In a twill, the warp shows at every fourth crossing, shifted by one crossing in each row. The red warp
      // thread shows at every second crossing.
      const over = wrap(column + row, isRed ? 2 : 4) === 0
      const tone = uneven * (0.92 + random() * 0.16)
      for (let y = 0; y < cellHeight; y++) {
        for (let x = 0; x < cellWidth; x++) {
          const light = over
            ? profile(x, cellWidth) * (0.8 + 0.3 * Math.sin((Math.PI * (y + 0.5)) / cellHeight))
            : profile(y, cellHeight) * (0.86 + 0.2 * Math.sin((Math.PI * (x + 0.5)) / cellWidth))
          const colour = over ? warp : weft
          const at = ((row * cellHeight + y) * width + column * cellWidth + x) * 4
          pixels[at] = colour[0] * light * tone
          pixels[at + 1] = colour[1] * light * tone
          pixels[at + 2] = colour[2] * light * tone
          pixels[at + 3] = 255
        }
      }
    }
  }
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
  return canvas
}

function drawBeater(
  picture: SKRSContext2D,
  width: number,
  unit: number,
  cellWidth: number,
  design: Design,
): void {
  const wood = rgb(design.wood)
  const shadow = picture.createLinearGradient(0, unit * 0.022, 0, unit * 0.13)
  shadow.addColorStop(0, 'rgba(0,0,0,0)')
  shadow.addColorStop(0.6, 'rgba(0,0,0,.3)')
  shadow.addColorStop(1, 'rgba(0,0,0,0)')
  picture.fillStyle = shadow
  picture.fillRect(0, unit * 0.022, width, unit * 0.108)
  picture.fillStyle = css(blend(wood, [255, 236, 200], 0.62), 0.62)
  for (let x = cellWidth / 2; x < width; x += cellWidth / 2)
    picture.fillRect(x, unit * 0.018, Math.max(1, cellWidth * 0.1), unit * 0.07)
  for (const [y, tall] of [
    [0, 0.022],
    [0.08, 0.044],
  ] as const) {
    const beam = picture.createLinearGradient(0, unit * y, 0, unit * (y + tall))
    beam.addColorStop(0, css(blend(wood, [255, 230, 190], 0.38)))
    beam.addColorStop(0.35, css(wood))
    beam.addColorStop(1, css(blend(wood, [0, 0, 0], 0.6)))
    picture.fillStyle = beam
    picture.fillRect(0, unit * y, width, unit * tall)
  }
}

function drawShuttle(unit: number, wood: string, thread: string): Canvas {
  const long = unit * 0.26
  const tall = unit * 0.05
  return prerender(long, tall * 1.2, (picture) => {
    const body = picture.createLinearGradient(0, 0, 0, tall)
    body.addColorStop(0, css(blend(rgb(wood), [255, 226, 180], 0.6)))
    body.addColorStop(0.5, css(blend(rgb(wood), [255, 190, 120], 0.2)))
    body.addColorStop(1, css(blend(rgb(wood), [0, 0, 0], 0.5)))
    picture.fillStyle = body
    picture.beginPath()
    picture.moveTo(0, tall * 0.5)
    picture.quadraticCurveTo(long * 0.2, 0, long * 0.5, 0)
    picture.quadraticCurveTo(long * 0.8, 0, long, tall * 0.5)
    picture.quadraticCurveTo(long * 0.8, tall, long * 0.5, tall)
    picture.quadraticCurveTo(long * 0.2, tall, 0, tall * 0.5)
    picture.fill()
    picture.fillStyle = 'rgba(20,10,8,.75)'
    picture.beginPath()
    picture.roundRect(long * 0.28, tall * 0.24, long * 0.44, tall * 0.52, tall * 0.26)
    picture.fill()
    const bobbin = rgb(thread)
    for (let turn = 0; turn < 22; turn++) {
      picture.fillStyle = css(blend(bobbin, turn % 2 === 0 ? [255, 255, 255] : [0, 0, 0], 0.2))
      picture.fillRect(long * (0.32 + turn * 0.0164), tall * 0.3, long * 0.014, tall * 0.4)
    }
    picture.fillStyle = '#d8dde2'
    for (const tip of [0.012, 0.962]) {
      picture.beginPath()
      picture.ellipse(long * (tip + 0.013), tall * 0.5, long * 0.018, tall * 0.09, 0, 0, 7)
      picture.fill()
    }
  })
}
