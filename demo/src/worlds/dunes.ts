import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, ramp, rgb } from '../colour.ts'
import { clamp, hills, mix, noiseAt, noiseTile, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, SlowBackdrop, starLayer } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

const RIDGES = 6

interface Ridge {
  readonly day: Canvas
  readonly dusk: Canvas
  readonly top: number
  readonly parallax: number
  /** Returns the height of the crest at `x` of the strip. */
  readonly crest: (x: number) => number
}

/** Draws a moving desert: rows of dunes, a caravan on a crest, and the sky from noon to night. */
export function dunes({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.9)
  const horizon = height * (portrait ? 0.4 : 0.44)
  const travel = width * 0.42
  const sunX = width * (portrait ? 0.36 : 0.3)
  const high = ramp([
    [0, '#f3c48c'],
    [0.4, '#e98b5a'],
    [0.62, '#5a2f5c'],
    [0.82, '#0f1436'],
    [1, '#070a22'],
  ])
  const low = ramp([
    [0, '#fbe3b4'],
    [0.4, '#ffc07a'],
    [0.62, '#e0685a'],
    [0.82, '#3a2a5e'],
    [1, '#1a2048'],
  ])
  const halo = ramp([
    [0, '#fff6dc'],
    [0.4, '#ffe0a0'],
    [0.62, '#ff9a62'],
    [1, '#55406e'],
  ])
  const haze = noiseTile(`${seed} haze`, 4, 5)
  const sunAt = (progress: number) => ({
    y: mix(horizon - unit * 0.25, horizon + unit * 0.16, clamp(progress / 0.66) ** 1.3),
    light: 1 - step(0.5, 0.76, progress),
  })

  const sky = new SlowBackdrop(width, horizon + unit * 0.16, ({ seconds, progress }) => {
    const [a, b, warm] = [high(progress), low(progress), halo(progress)]
    const sun = sunAt(progress)
    const reach = (unit * 0.8) ** 2
    return (x, y, out) => {
      const down = clamp(y / (horizon * 1.1)) ** 1.25
      const dx = x - sunX
      const dy = y - sun.y
      const distance = (dx * dx + dy * dy) / reach
      const near = sun.light * (0.5 / (1 + distance * 22) + 0.4 / (1 + distance * 2.6))
      const veil = (noiseAt(haze, (x / unit) * 40 + seconds * 0.15, (y / unit) * 190) - 0.5) * 22 * down
      for (let channel = 0; channel < 3; channel++) {
        const value = mix(a[channel]!, b[channel]!, down) + veil
        out[channel] = value + (warm[channel]! - value) * Math.min(1, near)
      }
    }
  })

  const dayColours = ['#eeb07a', '#e39464', '#d67650', '#b95a44', '#8c3f3c', '#582a33']
  const duskColours = ['#5f3f6a', '#4d3160', '#3c2454', '#2b1a44', '#1c1233', '#100b22']
  const ridges: Ridge[] = Array.from({ length: RIDGES }, (_, index) => {
    const depth = index / (RIDGES - 1)
    const parallax = 0.1 + depth * 0.9
    const shape = hills(random, 4)
    const base = horizon + unit * 0.02 + (height - horizon) * (depth * 0.86) ** 1.15
    const swell = unit * (0.06 + depth * 0.085)
    const crest = (x: number) => {
      const at = (x / unit) * (2.3 - depth * 1.1) + index * 5
      // A dune has a long windward slope and a sharp crest.
      const skewed = at * 1.25 + 0.55 * Math.sin(at * 1.25 + index) + shape(at * 0.4) * 0.9
      return base - swell * (0.62 + 0.62 * Math.sin(skewed) + shape(at * 0.7) * 0.3)
    }
    const top = Math.floor(base - swell * 1.75)
    const strip = width + travel * parallax + 8
    const nextDepth = (index + 2) / (RIDGES - 1)
    const bottom =
      index + 2 >= RIDGES
        ? height
        : Math.min(height, horizon + unit * 0.02 + (height - horizon) * (nextDepth * 0.86) ** 1.15)
    const paint = (colour: string, dusk: boolean) =>
      prerender(strip, bottom - top, (picture) =>
        drawDune(picture, {
          strip,
          height: bottom - top,
          unit,
          depth,
          crest: (x) => crest(x) - top,
          colour,
          dusk,
          lean: hills(randomFrom(`${seed} lean ${index}`), 4),
        }),
      )
    return {
      day: paint(dayColours[index]!, false),
      dusk: paint(duskColours[index]!, true),
      top,
      parallax,
      crest,
    }
  })
  const stars = starLayer(width, horizon + unit * 0.1, random, Math.round((width * horizon) / 1300))
  const glow = glowSprite([255, 244, 214], 2.2)
  const grains = Array.from({ length: 130 }, () => ({
    x: random(),
    y: random(),
    speed: 0.5 + random(),
    length: 0.4 + random(),
    phase: random() * 7,
  }))
  const caravan = Array.from({ length: 7 }, (_, index) => ({
    offset: index * 0.052 + random() * 0.012,
    size: 0.9 + random() * 0.25,
    phase: random() * 7,
    rider: index % 3 === 0,
  }))

  const drawCaravan = (
    picture: SKRSContext2D,
    ridge: Ridge,
    shift: number,
    { seconds, progress }: Moment,
  ) => {
    const colour = css(blend(rgb('#3a1c22'), rgb('#080617'), step(0.4, 0.75, progress)))
    picture.fillStyle = colour
    picture.strokeStyle = colour
    for (const animal of caravan) {
      const x = width * (1.02 - progress * 0.95) + animal.offset * unit * 1.15
      if (x < -40 || x > width + 40) continue
      const y = ridge.crest(x + shift)
      const slope = (ridge.crest(x + shift + 6) - ridge.crest(x + shift - 6)) / 12
      picture.save()
      picture.translate(x, y + 1)
      picture.rotate(Math.atan(slope) * 0.6)
      const scale = unit * 0.00115 * animal.size
      picture.scale(scale, scale)
      camel(picture, Math.sin(seconds * 3.4 + animal.phase), animal.rider)
      picture.restore()
    }
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      sky.draw(picture, moment)
      const night = step(0.66, 0.86, progress)
      if (night > 0) {
        picture.globalAlpha = night
        picture.drawImage(stars, 0, 0)
        picture.globalAlpha = 1
      }
      const sun = sunAt(progress)
      if (sun.y < horizon + unit * 0.15) {
        drawGlow(picture, glow, sunX, sun.y, unit * 0.26, 0.7 * sun.light)
        picture.fillStyle = css(blend([255, 250, 232], [255, 150, 96], clamp(progress / 0.66)))
        picture.beginPath()
        picture.arc(sunX, sun.y, unit * 0.068, 0, 7)
        picture.fill()
      }
      const dusk = step(0.3, 0.68, progress)
      for (const [index, ridge] of ridges.entries()) {
        const shift = travel * ridge.parallax * progress
        const from = Math.round(shift)
        const rows = ridge.day.height
        if (dusk < 1) picture.drawImage(ridge.day, from, 0, width, rows, 0, ridge.top, width, rows)
        if (dusk > 0) {
          picture.globalAlpha = dusk
          picture.drawImage(ridge.dusk, from, 0, width, rows, 0, ridge.top, width, rows)
          picture.globalAlpha = 1
        }
        if (index === 2) drawCaravan(picture, ridge, from, moment)
      }
      const gust = 0.5 + 0.5 * Math.sin(seconds * 0.5)
      picture.strokeStyle = css(blend(rgb('#ffe6bd'), rgb('#8a78b0'), dusk), 0.16 + 0.2 * gust)
      picture.lineWidth = Math.max(1, unit * 0.0016)
      picture.beginPath()
      for (const grain of grains) {
        const x = ((grain.x - seconds * 0.14 * grain.speed) % 1) * width * 1.1
        const at = x < 0 ? x + width * 1.1 : x
        const y =
          horizon +
          unit * 0.08 +
          grain.y * (height - horizon) * 0.86 +
          Math.sin(seconds * 1.3 + grain.phase) * unit * 0.012
        picture.moveTo(at, y)
        picture.lineTo(at + unit * 0.035 * grain.length, y + unit * 0.002)
      }
      picture.stroke()
    },
  }
}

interface DuneShape {
  readonly strip: number
  readonly height: number
  readonly unit: number
  readonly depth: number
  readonly crest: (x: number) => number
  readonly colour: string
  readonly dusk: boolean
  readonly lean: (x: number) => number
}

/** Draws a dune: sand, a shaded side below each crest, and ripples from the wind. */
function drawDune(
  picture: SKRSContext2D,
  { strip, height, unit, depth, crest, colour, dusk, lean }: DuneShape,
): void {
  const base = rgb(colour)
  const light = blend(base, dusk ? [150, 110, 170] : [255, 226, 170], 0.3)
  const dark = blend(base, dusk ? [6, 4, 20] : [60, 16, 34], 0.5)
  const ground = picture.createLinearGradient(0, 0, 0, height)
  ground.addColorStop(0, css(light))
  ground.addColorStop(Math.min(0.9, (unit * 0.16) / height), css(base))
  ground.addColorStop(1, css(dark))
  picture.fillStyle = ground
  picture.beginPath()
  picture.moveTo(0, height)
  for (let x = 0; x <= strip + 3; x += 3) picture.lineTo(x, crest(x))
  picture.lineTo(strip + 3, height)
  picture.fill()
  picture.save()
  picture.clip()
  // The lee side is to the right of each peak. A winding ridge that descends from the peak separates the two
  // sides.
  picture.fillStyle = css(dark, dusk ? 0.55 : 0.5)
  const lee = unit * (0.1 + depth * 0.16)
  for (let x = 6; x < strip; x += 3) {
    if (crest(x) > crest(x - 3) || crest(x) > crest(x + 3)) continue
    let end = x + 3
    while (end < strip + unit * 0.3 && crest(end + 3) >= crest(end)) end += 3
    const bend = unit * (0.05 + 0.05 * lean((x / unit) * 2))
    picture.beginPath()
    picture.moveTo(x, crest(x))
    for (let at = x; at <= end; at += 4) picture.lineTo(at, crest(at))
    picture.quadraticCurveTo(end - bend * 0.6, crest(end) + lee * 0.5, x + (end - x) * 0.34, crest(end) + lee)
    picture.bezierCurveTo(
      x + (end - x) * 0.42,
      crest(x) + lee * 0.75,
      x - bend,
      crest(x) + lee * 0.5,
      x,
      crest(x),
    )
    picture.fill()
  }
  const spacing = unit * (0.006 + depth * 0.008)
  picture.lineWidth = Math.max(0.8, unit * 0.0011)
  for (let line = 1; line < 30; line++) {
    const share = line / 30
    picture.strokeStyle = css(line % 2 === 0 ? light : dark, (dusk ? 0.16 : 0.26) * (1 - share))
    picture.beginPath()
    for (let x = 0; x <= strip + 8; x += 8) {
      const bend = lean((x / unit) * 4 + line * 0.05) * spacing * 1.6
      picture.lineTo(x, crest(x - line * spacing * 0.9) + line * spacing + bend)
    }
    picture.stroke()
  }
  picture.restore()
  picture.strokeStyle = css(blend(light, [255, 255, 255], 0.3), dusk ? 0.3 : 0.75)
  picture.lineWidth = Math.max(1, unit * 0.0016)
  picture.beginPath()
  for (let x = 0; x <= strip + 3; x += 3) picture.lineTo(x, crest(x) + 0.5)
  picture.stroke()
}

/** Draws a camel from the side that walks to the left. Its feet are at the origin, and it is about 40 high. */
function camel(picture: SKRSContext2D, stride: number, rider: boolean): void {
  picture.lineWidth = 2.6
  picture.lineCap = 'round'
  picture.beginPath()
  for (const [x, phase] of [
    [-9, 1],
    [-5, -1],
    [9, -1],
    [13, 1],
  ] as const) {
    picture.moveTo(x, -17)
    picture.lineTo(x + stride * phase * 3.4, -8)
    picture.lineTo(x + stride * phase * 4.6, 0)
  }
  picture.stroke()
  picture.beginPath()
  picture.moveTo(-14, -18)
  picture.quadraticCurveTo(-12, -27, -4, -27)
  picture.quadraticCurveTo(1, -40, 7, -27)
  picture.quadraticCurveTo(17, -27, 17, -18)
  picture.quadraticCurveTo(2, -13, -14, -18)
  picture.fill()
  picture.lineWidth = 4
  picture.beginPath()
  picture.moveTo(-12, -21)
  picture.quadraticCurveTo(-19, -20, -21, -33)
  picture.stroke()
  picture.beginPath()
  picture.ellipse(-24, -34.5, 5, 2.6, -0.15, 0, 7)
  picture.fill()
  if (rider) {
    picture.beginPath()
    picture.moveTo(-3, -30)
    picture.quadraticCurveTo(0, -47, 4, -46)
    picture.quadraticCurveTo(9, -46, 10, -30)
    picture.fill()
    picture.beginPath()
    picture.arc(3.5, -49, 3.6, 0, 7)
    picture.fill()
  }
}
