import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, ramp, rgb } from '../colour.ts'
import { clamp, hills, noiseAt, noiseTile, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, SoftField, starLayer } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

/**
 * Fraction of the picture's size at which the aurora is computed. A small size suffices, because the aurora has no
 * sharp edges.
 */
const FIELD_SCALE = 0.25
const PROFILE = 256

interface Curtain {
  readonly path: (x: number) => number
  readonly height: number
  readonly sway: number
  readonly speed: number
  readonly reach: number
  readonly strength: number
  readonly colours: (up: number) => readonly [number, number, number]
  readonly from: number
}

/** Draws a winter night in the north: curtains of light over mountains, reflected in a lake. */
export function aurora({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const shore = Math.round(height * (portrait ? 0.78 : 0.76))
  const unit = Math.min(height, width * 0.85)
  const field = new SoftField(width * FIELD_SCALE, shore * FIELD_SCALE)
  const rays = noiseTile(`${seed} rays`, 8, 6)
  const folds = noiseTile(`${seed} folds`, 4, 4)
  const sky = ramp([
    [0, '#01040f'],
    [0.45, '#04142b'],
    [0.8, '#0a2a40'],
    [1, '#123c4c'],
  ])
  const dawn = rgb('#e8926a')

  const green = ramp([
    [0, '#c76bb0'],
    [0.06, '#8cf5c0'],
    [0.2, '#4cf09c'],
    [0.5, '#1cba8c'],
    [0.78, '#2a6aa8'],
    [1, '#4a2a90'],
  ])
  const violet = ramp([
    [0, '#ffd0e6'],
    [0.12, '#e27ad8'],
    [0.45, '#8a4ae0'],
    [1, '#2a1a70'],
  ])
  const teal = ramp([
    [0, '#d8fff0'],
    [0.15, '#6af0d0'],
    [0.5, '#1f9ab0'],
    [1, '#1a3f80'],
  ])
  const curtains: Curtain[] = [
    {
      path: hills(random, 5),
      height: 0.55,
      sway: 0.16,
      speed: 0.05,
      reach: 0.36,
      strength: 0.8,
      colours: green,
      from: 0,
    },
    {
      path: hills(random, 5),
      height: 0.7,
      sway: 0.13,
      speed: -0.035,
      reach: 0.28,
      strength: 0.6,
      colours: teal,
      from: 0.12,
    },
    {
      path: hills(random, 4),
      height: 0.36,
      sway: 0.15,
      speed: 0.04,
      reach: 0.34,
      strength: 1.15,
      colours: violet,
      from: 0.2,
    },
    {
      path: hills(random, 6),
      height: 0.84,
      sway: 0.08,
      speed: 0.03,
      reach: 0.2,
      strength: 0.55,
      colours: green,
      from: 0.1,
    },
  ]
  const profiles = curtains.map((curtain) => {
    const table = new Float32Array(PROFILE * 3)
    for (let at = 0; at < PROFILE; at++) {
      const up = at / PROFILE
      // A curtain of light has a sharp lower edge, and fades slowly upwards.
      const light = (1 - Math.exp(-up * 15)) * Math.exp(-up * 3.6) * (1 - up) * 1.7
      const [red, green, blue] = curtain.colours(up)
      table.set([red * light, green * light, blue * light], at * 3)
    }
    return table
  })
  const light = new Float32Array(field.width * field.height * 3)

  const paintField = ({ seconds, progress }: Moment) => {
    const columns = field.width
    const rows = field.height
    const waking = 0.35 + 0.65 * step(0.04, 0.4, progress)
    const burst = 1 + 0.45 * Math.exp(-(((progress - 0.62) / 0.12) ** 2))
    const fading = 1 - 0.75 * step(0.84, 1, progress)
    const morning = step(0.82, 1, progress)
    for (let y = 0; y < rows; y++) {
      const down = y / rows
      const [red, green, blue] = sky(down)
      const warm = morning * clamp((down - 0.55) / 0.45) ** 2 * 0.7
      const at = y * columns * 3
      light[at] = red + (dawn[0] - red) * warm
      light[at + 1] = green + (dawn[1] - green) * warm
      light[at + 2] = blue + (dawn[2] - blue) * warm
      light.copyWithin(at + 3, at, at + 3)
      for (let filled = 2; filled < columns; filled *= 2) {
        light.copyWithin(at + filled * 3, at, at + Math.min(filled, columns - filled) * 3)
      }
    }
    for (const [index, curtain] of curtains.entries()) {
      const profile = profiles[index]!
      const present =
        curtain.strength * waking * burst * fading * step(curtain.from - 0.05, curtain.from + 0.12, progress)
      if (present < 0.02) continue
      for (let x = 0; x < columns; x++) {
        const across = (x / columns) * (width / height) * 2.4
        const fold = noiseAt(
          folds,
          across * 19 + seconds * 1.1 * (index % 2 === 0 ? 1 : -1),
          index * 61 + seconds * 0.6,
        )
        const hem =
          (curtain.height +
            curtain.path(across * 0.9 + seconds * curtain.speed + index * 3) * curtain.sway +
            (fold - 0.5) * 0.3) *
          rows
        const ray = noiseAt(rays, across * 60 + fold * 46 + seconds * 2.2, index * 37 + seconds * 1.1)
        const patch = noiseAt(folds, across * 12 - seconds * 0.9, index * 83 + seconds * 0.45)
        const bright = present * clamp((patch - 0.3) * 2.6) * (0.25 + clamp((ray - 0.28) * 1.9) ** 1.6 * 1.5)
        if (bright < 0.01) continue
        const reach = rows * curtain.reach * (0.75 + ray * 0.9)
        const scale = PROFILE / (reach * 1.7)
        const bottom = Math.min(rows - 1, Math.floor(hem))
        const top = Math.max(0, Math.ceil(hem - reach * 1.7))
        for (let y = top; y <= bottom; y++) {
          const entry = ((hem - y) * scale) | 0
          if (entry >= PROFILE) continue
          const at = (y * columns + x) * 3
          light[at] = light[at]! + profile[entry * 3]! * bright
          light[at + 1] = light[at + 1]! + profile[entry * 3 + 1]! * bright
          light[at + 2] = light[at + 2]! + profile[entry * 3 + 2]! * bright
        }
      }
    }
    const pixels = field.pixels
    for (let at = 0, pixel = 0; pixel < pixels.length; at += 3, pixel += 4) {
      pixels[pixel] = light[at]!
      pixels[pixel + 1] = light[at + 1]!
      pixels[pixel + 2] = light[at + 2]!
      pixels[pixel + 3] = 255
    }
  }

  const stars = starLayer(width, shore, random, Math.round((width * shore) / 1100))
  const land = prerender(width, height, (picture) =>
    drawLand(picture, { width, height, shore, unit, random: randomFrom(`${seed} land`) }),
  )
  const mirror = prerender(width, height - shore, (picture) => {
    picture.save()
    picture.translate(0, 0)
    picture.scale(1, -1)
    picture.globalAlpha = 0.82
    picture.drawImage(
      land,
      0,
      shore * 0.3,
      width,
      shore * 0.7,
      0,
      -shore * 0.7 * 0.6,
      width,
      shore * 0.7 * 0.6,
    )
    picture.restore()
  })
  const snow = prerender(width, height - shore + 40, (picture) =>
    drawShore(picture, width, height - shore + 40, unit, randomFrom(`${seed} shore`)),
  )
  const lamp = glowSprite([255, 190, 104], 2)
  const cabinX = width * (portrait ? 0.3 : 0.235)
  const ripples = Array.from({ length: 46 }, () => ({
    x: random(),
    y: random() ** 1.3,
    length: 0.03 + random() * 0.16,
    rate: 0.3 + random(),
    phase: random() * 7,
  }))

  const drawLake = (picture: SKRSContext2D, { seconds }: Moment) => {
    const lake = height - shore
    picture.fillStyle = '#020a14'
    picture.fillRect(0, shore, width, lake)
    const source = field.update()
    picture.save()
    picture.beginPath()
    picture.rect(0, shore, width, lake)
    picture.clip()
    picture.globalAlpha = 0.75
    picture.translate(0, shore)
    picture.scale(1, -1)
    // The viewer sees the lake at a low angle, so the reflection of the sky is shortened.
    picture.drawImage(source, 0, 0, source.width, source.height, 0, -shore * 0.72, width, shore * 0.72)
    picture.restore()
    picture.drawImage(mirror, 0, shore)
    for (const ripple of ripples) {
      const y = shore + 3 + ripple.y * lake
      const x = ((ripple.x + seconds * 0.004 * ripple.rate) % 1.2) * width - width * 0.1
      const length = ripple.length * width * (0.3 + ripple.y)
      picture.fillStyle = `rgba(190,255,225,${(0.05 + 0.07 * Math.max(0, Math.sin(seconds * ripple.rate + ripple.phase))).toFixed(3)})`
      picture.fillRect(x, y, length, 1 + ripple.y * 1.6)
    }
  }

  const drawShootingStar = (picture: SKRSContext2D, { seconds }: Moment) => {
    const passed = (seconds + 3) % 17
    if (passed > 0.9) return
    const run = passed / 0.9
    const x = width * (0.24 + 0.3 * ((Math.floor((seconds + 3) / 17) * 0.37) % 1)) + run * unit * 0.34
    const y = height * 0.1 + run * unit * 0.13
    const trail = picture.createLinearGradient(x, y, x - unit * 0.16, y - unit * 0.061)
    trail.addColorStop(0, css([255, 255, 255], Math.sin(run * Math.PI) * 0.95))
    trail.addColorStop(1, 'rgba(200,230,255,0)')
    picture.strokeStyle = trail
    picture.lineWidth = 2
    picture.beginPath()
    picture.moveTo(x, y)
    picture.lineTo(x - unit * 0.16, y - unit * 0.061)
    picture.stroke()
  }

  return {
    draw(picture, moment) {
      paintField(moment)
      field.draw(picture, 0, 0, width, shore)
      picture.globalAlpha = 0.9 * (1 - 0.7 * step(0.85, 1, moment.progress))
      picture.drawImage(stars, 0, 0)
      picture.globalAlpha = 1
      drawShootingStar(picture, moment)
      drawLake(picture, moment)
      picture.drawImage(land, 0, 0)
      picture.drawImage(snow, 0, shore - 40 + Math.round((height - shore) * 0.55))
      const flicker = 0.85 + 0.15 * Math.sin(moment.seconds * 7) * Math.sin(moment.seconds * 3.1)
      picture.globalCompositeOperation = 'lighter'
      drawGlow(picture, lamp, cabinX, shore - unit * 0.021, unit * 0.075, 0.55 * flicker)
      drawGlow(picture, lamp, cabinX, shore + unit * 0.035, unit * 0.02, 0.4 * flicker, unit * 0.06)
      picture.globalCompositeOperation = 'source-over'
    },
  }
}

interface LandSize {
  readonly width: number
  readonly height: number
  readonly shore: number
  readonly unit: number
  readonly random: () => number
}

function drawLand(picture: SKRSContext2D, { width, shore, unit, random }: LandSize): void {
  const ranges = [
    { y: 0.1, rough: 0.17, light: '#2c5f74', dark: '#0d2c40', peaks: 3.1 },
    { y: 0.05, rough: 0.09, light: '#143850', dark: '#06182a', peaks: 5.2 },
  ]
  for (const range of ranges) {
    const shape = hills(random, 4)
    const detail = hills(random, 9)
    const top = (x: number) => {
      const at = (x / unit) * range.peaks
      const peak = Math.abs(Math.sin(at * 0.9 + shape(at * 0.35) * 2))
      return shore - unit * (range.y + range.rough * (1 - peak ** 0.7) + detail(at * 4.4) * 0.008)
    }
    const fade = picture.createLinearGradient(0, shore - unit * 0.26, 0, shore)
    fade.addColorStop(0, range.light)
    fade.addColorStop(1, range.dark)
    picture.fillStyle = fade
    picture.beginPath()
    picture.moveTo(0, shore)
    for (let x = 0; x <= width + 3; x += 3) picture.lineTo(x, top(x))
    picture.lineTo(width, shore)
    picture.fill()
    // The side of each slope that faces away from the light is darker.
    picture.fillStyle = 'rgba(1,10,24,.34)'
    picture.beginPath()
    picture.moveTo(0, top(0))
    for (let x = 0; x <= width + 3; x += 3) picture.lineTo(x, top(x))
    for (let x = Math.ceil(width / 3) * 3; x >= 0; x -= 3) {
      const slope = Math.max(0, top(x + 9) - top(x - 9))
      picture.lineTo(x, top(x) + Math.min(unit * 0.12, slope * unit * 0.011))
    }
    picture.fill()
  }
  const treeLine = hills(random, 5)
  picture.fillStyle = '#010a10'
  for (let x = -10; x < width + 10; x += unit * (0.006 + random() * 0.009)) {
    const tall = unit * (0.026 + random() * 0.036) * (0.7 + 0.5 * treeLine((x / unit) * 3))
    fir(picture, x, shore + 2, Math.max(unit * 0.02, tall), random)
  }
  picture.fillRect(0, shore - unit * 0.008, width, unit * 0.009)
  const cabinX = width * (width > shore * 1.2 ? 0.235 : 0.3)
  const size = unit * 0.028
  picture.fillStyle = '#050b12'
  picture.fillRect(cabinX - size, shore - size * 1.1, size * 2, size * 1.1)
  picture.fillStyle = '#a9cfd0'
  picture.beginPath()
  picture.moveTo(cabinX - size * 1.3, shore - size * 1.05)
  picture.lineTo(cabinX, shore - size * 1.95)
  picture.lineTo(cabinX + size * 1.3, shore - size * 1.05)
  picture.lineTo(cabinX + size * 1.1, shore - size * 1.02)
  picture.lineTo(cabinX, shore - size * 1.72)
  picture.lineTo(cabinX - size * 1.1, shore - size * 1.02)
  picture.fill()
  picture.fillStyle = '#ffc873'
  picture.fillRect(cabinX - size * 0.55, shore - size * 0.85, size * 0.4, size * 0.42)
  picture.fillRect(cabinX + size * 0.15, shore - size * 0.85, size * 0.4, size * 0.42)
}

function fir(picture: SKRSContext2D, x: number, y: number, tall: number, random: () => number): void {
  const layers = 5
  picture.beginPath()
  picture.moveTo(x, y - tall)
  for (let index = 1; index <= layers; index++) {
    const spread = tall * 0.05 * index * (0.8 + random() * 0.4)
    const level = y - tall + (tall * index) / layers
    picture.lineTo(x + spread, level)
    picture.lineTo(x + spread * 0.45, level - tall * 0.03)
  }
  for (let index = layers; index >= 1; index--) {
    const spread = tall * 0.05 * index * (0.8 + random() * 0.4)
    const level = y - tall + (tall * index) / layers
    picture.lineTo(x - spread * 0.45, level - tall * 0.03)
    picture.lineTo(x - spread, level)
  }
  picture.fill()
}

/** Draws the near bank: snow with tall firs at both edges. */
function drawShore(
  picture: SKRSContext2D,
  width: number,
  height: number,
  unit: number,
  random: () => number,
): void {
  const shape = hills(random, 5)
  const top = (x: number) =>
    40 +
    unit * 0.05 +
    shape((x / width) * 3) * unit * 0.022 -
    unit * 0.06 * Math.abs(x / width - 0.55) ** 1.4 * 2
  const snow = picture.createLinearGradient(0, 30, 0, height)
  snow.addColorStop(0, '#3f7a86')
  snow.addColorStop(0.3, '#1d4a5a')
  snow.addColorStop(1, '#041019')
  picture.fillStyle = snow
  picture.beginPath()
  picture.moveTo(0, height)
  for (let x = 0; x <= width + 4; x += 4) picture.lineTo(x, top(x))
  picture.lineTo(width, height)
  picture.fill()
}
