import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { css } from '../colour.ts'
import { clamp, hills, noiseAt, noiseTile, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, SoftField } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

const FIELD_SCALE = 0.25
const BOLTS = 7
/** Time of the large lightning strike that posters show. */
const SIGNATURE_SECONDS = 20.89

interface Strike {
  readonly at: number
  readonly x: number
  /** Index of the visible bolt; null if only the clouds light up. */
  readonly bolt: number | null
  readonly power: number
}

/**
 * Draws a thunderstorm over a plain: boiling clouds, a farm with one lamp, and lightning that illuminates
 * everything.
 */
export function storm({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.9)
  const ground = height * (portrait ? 0.83 : 0.82)
  const clouds = new SoftField(width * FIELD_SCALE, ground * 1.02 * FIELD_SCALE)
  const thick = noiseTile(`${seed} thick`, 3, 6)
  const torn = noiseTile(`${seed} torn`, 6, 6)
  const flashGlow = glowSprite([206, 220, 255], 1.8)
  const lamp = glowSprite([255, 190, 100], 2)

  // All strikes are computed in advance. The clouds light up every few seconds, and every other strike has a
  // visible bolt.
  const strikes: Strike[] = []
  for (let at = 1.6; at < 120; at += 1.6 + random() * 3.6) {
    strikes.push({
      at,
      x: 0.12 + random() * 0.76,
      power: 0.55 + random() * 0.45,
      bolt: strikes.length % 2 === 0 ? Math.floor(random() * BOLTS) : null,
    })
  }
  strikes.push({ at: SIGNATURE_SECONDS, x: portrait ? 0.62 : 0.58, power: 1, bolt: 1 })
  const bolts = Array.from({ length: BOLTS }, (_, index) =>
    prerender(unit * 0.7, ground, (picture) =>
      drawBolt(picture, unit * 0.35, ground, unit, randomFrom(`${seed} bolt ${index}`)),
    ),
  )
  const shape = hills(random, 5)
  const skyline = (x: number) => ground + shape((x / unit) * 2.1) * unit * 0.02 - unit * 0.012
  const land = prerender(width, height - ground + unit * 0.3, (picture) => {
    picture.translate(0, -(ground - unit * 0.3))
    drawPlain(picture, {
      width,
      height,
      unit,
      ground,
      portrait,
      skyline,
      random: randomFrom(`${seed} plain`),
    })
  })
  const landTop = Math.round(ground - unit * 0.3)
  const litLand = prerender(width, land.height, (picture) => {
    picture.drawImage(land, 0, 0)
    picture.globalCompositeOperation = 'source-atop'
    picture.fillStyle = 'rgba(150,170,215,.30)'
    picture.fillRect(0, 0, width, land.height)
  })
  const farmX = width * (portrait ? 0.3 : 0.27)
  // Two layers of rain. Each is twice as high as the visible part, so that it can fall without a seam.
  const sheets = [0, 1].map((depth) =>
    prerender(width + unit * 0.3, height * 2, (picture) => {
      picture.strokeStyle = depth === 0 ? 'rgba(190,208,246,.26)' : 'rgba(214,228,255,.34)'
      picture.lineWidth = depth === 0 ? 1 : 1.6
      const source = randomFrom(`${seed} rain ${depth}`)
      picture.beginPath()
      const count = Math.round(((width / unit) * (depth === 0 ? 330 : 130)) / 1)
      for (let drop = 0; drop < count; drop++) {
        const x = source() * (width + unit * 0.3)
        const y = source() * height
        const length = unit * (depth === 0 ? 0.035 : 0.07) * (0.6 + source() * 0.8)
        for (const shift of [-height, 0, height]) {
          picture.moveTo(x, y + shift)
          picture.lineTo(x - length * 0.28, y + shift + length)
        }
      }
      picture.stroke()
    }),
  )

  const flashAt = (seconds: number) => {
    let light = 0
    let x = 0.5
    let index = -1
    for (const [number, strike] of strikes.entries()) {
      const passed = seconds - strike.at
      if (passed < 0 || passed > 0.9) continue
      // A strike flickers: it has two or three strokes within a fifth of a second.
      const stutter = passed < 0.26 ? 0.55 + 0.45 * Math.cos(passed * 60) : 1
      const now = strike.power * Math.exp(-passed * 5.5) * stutter
      if (now > light) {
        light = now
        x = strike.x
        index = number
      }
    }
    return { light, x, index }
  }

  const paintClouds = ({ seconds, progress }: Moment, flash: { light: number; x: number }) => {
    const { width: columns, height: rows, pixels } = clouds
    const fury = 0.4 + 0.6 * step(0.05, 0.5, progress) - 0.45 * step(0.84, 1, progress)
    const clearing = step(0.82, 1, progress)
    const size = 250 / rows
    for (let y = 0; y < rows; y++) {
      const down = y / rows
      // Distant clouds, near the horizon, are smaller and flatter.
      const near = 1.45 - down
      const flat = 1 / near
      for (let x = 0; x < columns; x++) {
        const u = (x - columns / 2) * size * 0.34 * flat
        const v = y * size * 0.62 * flat
        const warp = noiseAt(torn, u * 0.7 + seconds * 1.5, v * 0.8 + seconds * 0.5)
        const mass = noiseAt(thick, u + seconds * 2.6 + warp * 26, v + warp * 22 - seconds * 0.4)
        const fine = noiseAt(torn, u * 2.3 + seconds * 4 + mass * 18, v * 2.6)
        const body = clamp((mass * 0.68 + fine * 0.32 - 0.3) * 3.6)
        const low = down * down
        const edge = clamp(1 - Math.abs(body - 0.45) * 2.6)
        const dx = x / columns - flash.x
        const dy = down - 0.34
        const lit = flash.light * (0.25 + 0.95 / (1 + (dx * dx * 5 + dy * dy * 5) * 5))
        const glow = lit * (0.35 + edge * 0.75 + (1 - body) * 0.35)
        const dark = (1 - body) ** 1.3 * (1.5 - fury * 0.55)
        const at = (y * columns + x) * 4
        const dawn = clearing * low * 90
        pixels[at] = 9 + dark * 74 + low * 40 + edge * 16 + glow * 168 + dawn
        pixels[at + 1] = 13 + dark * 84 + low * 50 + edge * 20 + glow * 180 + dawn * 0.72
        pixels[at + 2] = 26 + dark * 108 + low * 60 + edge * 30 + glow * 222 + dawn * 0.5
        pixels[at + 3] = 255
      }
    }
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      const flash = flashAt(seconds)
      paintClouds(moment, flash)
      clouds.draw(picture, 0, 0, width, ground * 1.02)
      const struck = strikes[flash.index]?.bolt ?? null
      if (struck !== null && flash.light > 0.05) {
        const bolt = bolts[struck]!
        picture.globalAlpha = clamp(flash.light * 1.7)
        picture.drawImage(bolt, Math.round(flash.x * width - bolt.width / 2), 0)
        picture.globalAlpha = 1
        drawGlow(picture, flashGlow, flash.x * width, ground * 0.3, unit * 0.55, flash.light * 0.5)
        drawGlow(picture, flashGlow, flash.x * width, ground, unit * 0.35, flash.light * 0.6, unit * 0.07)
      }
      picture.drawImage(land, 0, landTop)
      if (flash.light > 0.04) {
        picture.globalAlpha = clamp(flash.light * 1.2)
        picture.drawImage(litLand, 0, landTop)
        picture.globalAlpha = 1
      }
      const steady = 0.75 + 0.2 * Math.sin(seconds * 2.1) * Math.sin(seconds * 5.7)
      // The lamp goes out while the storm passes, and lights up again afterwards.
      const lampOn = progress > 0.52 && progress < 0.6 ? 0 : 1
      drawFarmLight(picture, farmX, skyline(farmX), unit, lampOn * steady, lamp)
      const wet = step(0.06, 0.24, progress) * (1 - step(0.86, 0.97, progress))
      for (const [depth, sheet] of sheets.entries()) {
        if (wet <= 0.02) break
        const fall = (seconds * (depth === 0 ? 1.5 : 2.3) * height) % height
        picture.globalAlpha = wet
        picture.drawImage(sheet, depth * unit * 0.1, height - fall, width, height, 0, 0, width, height)
        picture.globalAlpha = 1
      }
    },
  }
}

function drawBolt(
  picture: SKRSContext2D,
  x: number,
  bottom: number,
  unit: number,
  random: () => number,
): void {
  picture.lineCap = 'round'
  picture.lineJoin = 'round'
  const branch = (fromX: number, fromY: number, toY: number, width: number, depth: number): void => {
    const points: [number, number][] = [[fromX, fromY]]
    let nowX = fromX
    let nowY = fromY
    const lean = (random() - 0.5) * 0.6
    while (nowY < toY) {
      nowY += unit * (0.012 + random() * 0.03)
      nowX += unit * ((random() - 0.5) * 0.05 + lean * 0.016)
      points.push([nowX, Math.min(nowY, toY)])
      if (depth > 0 && random() < 0.16)
        branch(nowX, nowY, Math.min(bottom, nowY + unit * (0.08 + random() * 0.26)), width * 0.42, depth - 1)
    }
    // Draws the bolt several times, from wide and faint to thin and white. This makes it glow without a blur.
    for (const [wide, alpha] of [
      [9, 0.05],
      [5.4, 0.1],
      [3, 0.28],
      [1, 1],
    ] as const) {
      picture.strokeStyle = `rgba(${alpha === 1 ? '246,250,255' : '150,180,255'},${alpha})`
      picture.lineWidth = width * wide
      picture.beginPath()
      for (const [px, py] of points) picture.lineTo(px, py)
      picture.stroke()
    }
  }
  branch(x + (random() - 0.5) * unit * 0.1, unit * 0.03, bottom + unit * 0.01, unit * 0.0036, 2)
}

interface Plain {
  readonly width: number
  readonly height: number
  readonly unit: number
  readonly ground: number
  readonly portrait: boolean
  readonly skyline: (x: number) => number
  readonly random: () => number
}

function drawPlain(
  picture: SKRSContext2D,
  { width, height, unit, ground, portrait, skyline, random }: Plain,
): void {
  const earth = picture.createLinearGradient(0, ground - unit * 0.04, 0, height)
  earth.addColorStop(0, '#151c28')
  earth.addColorStop(0.5, '#0a0e17')
  earth.addColorStop(1, '#04060b')
  picture.fillStyle = earth
  picture.beginPath()
  picture.moveTo(0, height)
  for (let x = 0; x <= width + 4; x += 4) picture.lineTo(x, skyline(x))
  picture.lineTo(width, height)
  picture.fill()
  // A road towards the storm, and the fence beside the road.
  picture.fillStyle = 'rgba(96,112,146,.22)'
  const vanish = width * 0.6
  picture.beginPath()
  picture.moveTo(vanish - unit * 0.004, skyline(vanish) + unit * 0.004)
  picture.quadraticCurveTo(vanish - unit * 0.02, ground + unit * 0.06, width * 0.36, height + 10)
  picture.lineTo(width * 0.62, height + 10)
  picture.quadraticCurveTo(
    vanish + unit * 0.02,
    ground + unit * 0.06,
    vanish + unit * 0.004,
    skyline(vanish) + unit * 0.004,
  )
  picture.fill()
  picture.strokeStyle = '#05070c'
  picture.fillStyle = '#05070c'
  for (let post = 0; post < 9; post++) {
    const near = (post / 8) ** 2
    const x = vanish + unit * 0.03 + near * (width - vanish) * 0.9
    const y = skyline(x) + unit * 0.012 + near * (height - ground) * 0.8
    const tall = unit * (0.012 + near * 0.1)
    picture.fillRect(x, y - tall, Math.max(1.2, tall * 0.09), tall)
  }
  // Grass in front of the sky.
  picture.lineWidth = Math.max(1, unit * 0.0013)
  picture.beginPath()
  for (let x = 0; x < width; x += unit * 0.0042) {
    const y = skyline(x) + 2
    const tall = unit * (0.006 + random() * 0.016)
    picture.moveTo(x, y)
    picture.quadraticCurveTo(x + tall * 0.2, y - tall * 0.6, x + tall * (0.3 + random() * 0.5), y - tall)
  }
  picture.stroke()
  const treeX = width * (portrait ? 0.72 : 0.8)
  bareTree(picture, treeX, skyline(treeX) + 3, unit * 0.06, -Math.PI / 2 + 0.05, 7, random)
  bareTree(
    picture,
    treeX + unit * 0.09,
    skyline(treeX + unit * 0.09) + 3,
    unit * 0.03,
    -Math.PI / 2 + 0.12,
    6,
    random,
  )
  const farmX = width * (portrait ? 0.3 : 0.27)
  const y = skyline(farmX) + unit * 0.004
  const size = unit * 0.036
  picture.fillStyle = '#060910'
  picture.beginPath()
  picture.moveTo(farmX - size, y)
  picture.lineTo(farmX - size, y - size * 0.9)
  picture.lineTo(farmX - size * 0.1, y - size * 1.7)
  picture.lineTo(farmX + size * 0.8, y - size * 0.9)
  picture.lineTo(farmX + size * 0.8, y)
  picture.fill()
  picture.fillRect(farmX + size * 0.7, y - size * 0.66, size * 1.7, size * 0.68)
  picture.fillRect(farmX + size * 0.35, y - size * 1.9, size * 0.22, size * 0.6)
  // The wind pump.
  const pumpX = farmX - size * 2.3
  picture.strokeStyle = '#060910'
  picture.lineWidth = Math.max(1, unit * 0.0022)
  picture.beginPath()
  picture.moveTo(pumpX - size * 0.35, y)
  picture.lineTo(pumpX, y - size * 2.7)
  picture.lineTo(pumpX + size * 0.35, y)
  picture.stroke()
  picture.beginPath()
  for (let blade = 0; blade < 12; blade++) {
    const angle = (blade / 12) * 6.283
    picture.moveTo(pumpX, y - size * 2.7)
    picture.lineTo(pumpX + Math.cos(angle) * size * 0.55, y - size * 2.7 + Math.sin(angle) * size * 0.55)
  }
  picture.stroke()
}

function bareTree(
  picture: SKRSContext2D,
  x: number,
  y: number,
  length: number,
  angle: number,
  depth: number,
  random: () => number,
): void {
  if (depth === 0) return
  const toX = x + Math.cos(angle) * length
  const toY = y + Math.sin(angle) * length
  picture.strokeStyle = '#05070c'
  picture.lineCap = 'round'
  picture.lineWidth = Math.max(0.8, length * 0.028 * depth)
  picture.beginPath()
  picture.moveTo(x, y)
  picture.lineTo(toX, toY)
  picture.stroke()
  bareTree(
    picture,
    toX,
    toY,
    length * (0.66 + random() * 0.16),
    angle - 0.18 - random() * 0.4,
    depth - 1,
    random,
  )
  bareTree(
    picture,
    toX,
    toY,
    length * (0.66 + random() * 0.16),
    angle + 0.22 + random() * 0.42,
    depth - 1,
    random,
  )
}

function drawFarmLight(
  picture: SKRSContext2D,
  x: number,
  y: number,
  unit: number,
  strength: number,
  lamp: Canvas,
): void {
  if (strength <= 0) return
  const size = unit * 0.036
  picture.fillStyle = css([255, 206, 120], strength)
  picture.fillRect(x - size * 0.55, y - size * 0.66, size * 0.34, size * 0.36)
  picture.fillRect(x + size * 0.1, y - size * 0.66, size * 0.34, size * 0.36)
  picture.globalCompositeOperation = 'lighter'
  drawGlow(picture, lamp, x - size * 0.1, y - size * 0.5, unit * 0.08, 0.6 * strength)
  picture.globalCompositeOperation = 'source-over'
}
