import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, type Rgb, ramp, rgb } from '../colour.ts'
import { clamp, mix, noiseAt, noiseTile, randomFrom, smooth, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, SlowBackdrop, SoftField } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

interface Tuft {
  readonly art: Canvas
  readonly x: number
  readonly y: number
  readonly rate: number
  readonly phase: number
  readonly bend: number
}

/**
 * Draws a marsh at daybreak: mist, reeds in the wind, rings on the water, and a heron that waits and then leaves.
 */
export function reeds({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.9)
  const shore = height * (portrait ? 0.56 : 0.55)
  const sunX = width * (portrait ? 0.36 : 0.3)
  const high = ramp([
    [0, '#7fa6a8'],
    [0.3, '#a9cdb8'],
    [0.6, '#c7e2c0'],
    [1, '#9fd0d8'],
  ])
  const low = ramp([
    [0, '#e9b99a'],
    [0.3, '#f7dfae'],
    [0.6, '#f2f0cf'],
    [1, '#e6f4df'],
  ])
  const deep = ramp([
    [0, '#25454d'],
    [0.3, '#2f625a'],
    [0.6, '#357566'],
    [1, '#2c7073'],
  ])
  const sunAt = (progress: number) => shore - unit * mix(0.02, 0.36, smooth(progress))
  const ripple = noiseTile(`${seed} ripple`, 8, 4)
  const backdrop = new SlowBackdrop(width, height, ({ seconds, progress }) => {
    const [a, b, c] = [high(progress), low(progress), deep(progress)]
    const sunY = sunAt(progress)
    return (x, y, out) => {
      const water = y > shore
      const mirrored = water ? shore - (y - shore) * 0.8 : y
      const wave = water
        ? (noiseAt(ripple, (x / unit) * 24, (y / unit) * 330 - seconds * 2) - 0.5) * (y - shore) * 0.4
        : 0
      const up = clamp((mirrored + wave) / shore)
      const dx = (x + wave - sunX) / unit
      const dy = (mirrored - sunY) / unit
      const near = 0.62 / (1 + (dx * dx + dy * dy) * 16)
      const sink = water ? clamp((y - shore) / (height - shore)) ** 0.85 : 0
      for (let channel = 0; channel < 3; channel++) {
        let value = mix(a[channel]!, b[channel]!, up ** 1.5)
        value += ([255, 250, 226][channel]! - value) * near
        out[channel] = mix(value * (water ? 0.94 : 1), c[channel]!, sink * 0.9)
      }
    }
  })
  const mist = new SoftField(width / 6, (height * 0.5) / 6)
  const fog = noiseTile(`${seed} fog`, 4, 5)
  const glow = glowSprite([255, 252, 230], 2.2)

  const farBank = prerender(width, unit * 0.3, (picture) => {
    for (let row = 0; row < 3; row++) {
      const colour = blend(rgb('#9fbfae'), rgb('#5b8a7c'), row / 2)
      picture.fillStyle = css(colour, 0.85)
      picture.beginPath()
      picture.moveTo(0, unit * 0.3)
      let x = -10
      while (x < width + 20) {
        const wide = unit * (0.02 + random() * 0.05)
        const tall = unit * (0.03 + random() * 0.07) * (1 - row * 0.26)
        const base = unit * (0.23 + row * 0.03)
        picture.bezierCurveTo(
          x + wide * 0.15,
          base - tall,
          x + wide * 0.85,
          base - tall,
          x + wide,
          base - unit * 0.012 * random(),
        )
        x += wide
      }
      picture.lineTo(width + 20, unit * 0.3)
      picture.fill()
    }
  })
  const bankMirror = prerender(width, unit * 0.16, (picture) => {
    picture.globalAlpha = 0.5
    picture.translate(0, unit * 0.16)
    picture.scale(1, -0.6)
    picture.drawImage(farBank, 0, 0)
  })

  const tuft = (x: number, near: number, count: number): Tuft => {
    const tall = unit * (0.2 + near * 0.37) * (0.8 + random() * 0.4)
    return {
      x,
      y: shore + (height - shore) * (0.05 + near * 1.02),
      rate: 0.55 + random() * 0.5,
      phase: (x / width) * 4 + random(),
      bend: 0.05 + near * 0.05,
      art: prerender(tall * 0.85, tall * 1.08, (picture) =>
        drawTuft(picture, tall, Math.min(1, near), count, random),
      ),
    }
  }
  const rows: Tuft[][] = [0.1, 0.42, 1.06].map((near, row) => {
    const count = Math.round((width / unit) * [7, 5, 3.4][row]!)
    return (
      Array.from({ length: count }, (_, index) => {
        const across = (index + random()) / count
        return { across, near }
      })
        // The reeds frame the picture. Its middle shows water and sky.
        .filter(({ across }) => random() < 0.1 + Math.abs(across - 0.58) * 2.2)
        .map(({ across }) => tuft(across * width, near, Math.round(8 + near * 8)))
    )
  })
  const heronX = width * (portrait ? 0.66 : 0.63)
  const heronY = shore + (height - shore) * 0.4
  const seeds = Array.from({ length: 60 }, () => ({
    x: random(),
    y: random(),
    phase: random() * 7,
    size: 0.5 + random(),
  }))
  const drops = Array.from({ length: 9 }, () => ({
    x: random(),
    y: 0.12 + random() * 0.7,
    every: 3.5 + random() * 4,
    phase: random() * 7,
  }))
  const flies = Array.from({ length: 4 }, (_, index) => ({
    colour: ['#2f8fb8', '#c8553d', '#2f9d76', '#7a5fb0'][index]!,
    phase: random() * 20,
    reach: 0.1 + random() * 0.16,
  }))
  const ducks = [0, 0.05, 0.085]

  const drawMist = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const much = 0.9 - 0.66 * step(0.15, 0.75, progress)
    const { width: columns, height: lines, pixels } = mist
    for (let y = 0; y < lines; y++) {
      const band = Math.exp(-(((y / lines - 0.56) / 0.24) ** 2))
      for (let x = 0; x < columns; x++) {
        const value =
          noiseAt(fog, x * 0.34 + seconds * 1.6, y * 1.3 + seconds * 0.2) * 0.6 +
          noiseAt(fog, x * 0.16 - seconds * 0.9, y * 0.7 + 60) * 0.5
        const at = (y * columns + x) * 4
        pixels[at] = 252
        pixels[at + 1] = 248
        pixels[at + 2] = 232
        pixels[at + 3] = clamp((value - 0.36) * 2.6) * band * much * 225
      }
    }
    mist.draw(picture, 0, shore - height * 0.28, width, height * 0.5)
  }

  const drawRow = (picture: SKRSContext2D, row: readonly Tuft[], seconds: number) => {
    for (const { art, x, y, rate, phase, bend } of row) {
      // Gusts cross the marsh from left to right.
      const gust = 0.5 + 0.5 * Math.sin(seconds * 0.45 - phase * 0.8)
      const sway = (Math.sin(seconds * rate + phase) * 0.5 + 0.7 * gust) * bend * 1.5
      picture.setTransform(1, 0, -sway, 1, x, y)
      picture.drawImage(art, -art.width / 2, -art.height)
    }
    picture.setTransform(1, 0, 0, 1, 0, 0)
  }

  const drawRings = (picture: SKRSContext2D, { seconds }: Moment) => {
    for (const drop of drops) {
      const age = ((seconds + drop.phase) % drop.every) / 2.6
      if (age > 1) continue
      const size = unit * (0.01 + age * 0.075) * (0.4 + drop.y)
      picture.strokeStyle = css([255, 255, 240], 0.5 * (1 - age))
      picture.lineWidth = 1.4
      for (const ring of [1, 0.6]) {
        picture.beginPath()
        picture.ellipse(
          drop.x * width,
          shore + drop.y * (height - shore),
          size * ring,
          size * ring * 0.26,
          0,
          0,
          7,
        )
        picture.stroke()
      }
    }
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      backdrop.draw(picture, moment)
      const sunY = sunAt(progress)
      drawGlow(picture, glow, sunX, sunY, unit * 0.16, 0.9)
      picture.fillStyle = css([255, 253, 238], 0.95)
      picture.beginPath()
      picture.arc(sunX, sunY, unit * 0.042, 0, 7)
      picture.fill()
      picture.drawImage(farBank, 0, Math.round(shore - unit * 0.29))
      picture.drawImage(bankMirror, 0, Math.round(shore))
      drawMist(picture, moment)
      drawRings(picture, moment)
      const swim = clamp((progress - 0.06) / 0.5)
      if (swim > 0 && swim < 1) {
        for (const gap of ducks) {
          const x = mix(-0.05, 1.08, swim) * width - gap * unit * 1.4
          const y = shore + (height - shore) * 0.15 + Math.sin(seconds * 1.7 + gap * 40) * unit * 0.0014
          duck(picture, x, y, unit * (gap === 0 ? 0.026 : 0.016))
        }
      }
      drawRow(picture, rows[0]!, seconds)
      drawHeron(picture, heronX, heronY, unit, moment, width)
      drawRow(picture, rows[1]!, seconds)
      for (const fly of flies) {
        const x =
          width *
          (0.5 +
            0.34 * Math.sin(seconds * 0.23 + fly.phase) +
            fly.reach * Math.sin(seconds * 0.9 + fly.phase * 2))
        const y =
          shore +
          height *
            (0.02 + 0.12 * Math.sin(seconds * 0.6 + fly.phase) + 0.04 * Math.sin(seconds * 2.3 + fly.phase))
        dragonfly(
          picture,
          x,
          y,
          unit * 0.02,
          Math.cos(seconds * 0.23 + fly.phase) < 0,
          Math.sin(seconds * 41),
          fly.colour,
        )
      }
      drawRow(picture, rows[2]!, seconds)
      picture.fillStyle = 'rgba(255,253,236,.75)'
      picture.beginPath()
      for (const fluff of seeds) {
        const x = ((fluff.x + seconds * 0.011 * fluff.size) % 1.05) * width
        const y =
          height * (((fluff.y * 0.8 + 0.08 - seconds * 0.004 + 4) % 0.86) + 0.02) +
          Math.sin(seconds * 0.8 + fluff.phase) * unit * 0.014
        picture.moveTo(x + fluff.size * unit * 0.0026, y)
        picture.arc(x, y, fluff.size * unit * 0.0026, 0, 6.3)
      }
      picture.fill()
    },
  }
}

/** Fades the lower end of a drawing, where it enters the water. */
function fadeBase(picture: SKRSContext2D, width: number, height: number, depth: number): void {
  picture.globalCompositeOperation = 'destination-out'
  const fade = picture.createLinearGradient(0, height - depth, 0, height)
  fade.addColorStop(0, 'rgba(0,0,0,0)')
  fade.addColorStop(1, 'rgba(0,0,0,1)')
  picture.fillStyle = fade
  picture.fillRect(0, height - depth, width, depth)
  picture.globalCompositeOperation = 'source-over'
}

/** Draws a tuft of reeds that grows from the lower middle. Nearer tufts are darker. */
function drawTuft(
  picture: SKRSContext2D,
  tall: number,
  near: number,
  count: number,
  random: () => number,
): void {
  const middle = tall * 0.425
  const bottom = tall * 1.08
  const pale: Rgb = blend(rgb('#86ab8d'), rgb('#1d4a3d'), near)
  const dark: Rgb = blend(rgb('#5d8a76'), rgb('#0d2a26'), near)
  picture.lineCap = 'round'
  for (let stem = 0; stem < count; stem++) {
    const root = middle + (random() - 0.5) * tall * 0.3
    const long = tall * (0.5 + random() * 0.5)
    const lean = (random() - 0.35) * tall * 0.26
    picture.strokeStyle = css(blend(dark, pale, random()))
    picture.lineWidth = tall * (0.006 + random() * 0.006)
    picture.beginPath()
    picture.moveTo(root, bottom)
    picture.quadraticCurveTo(root, bottom - long * 0.6, root + lean, bottom - long)
    picture.stroke()
    if (random() < 0.42) {
      const cattail = blend(rgb('#8a6248'), rgb('#3a2018'), near * 0.9)
      picture.save()
      picture.translate(root + lean, bottom - long)
      picture.rotate(Math.atan2(lean * 0.8, long * 0.5))
      picture.fillStyle = css(cattail)
      picture.beginPath()
      picture.roundRect(-tall * 0.0135, -tall * 0.02, tall * 0.027, tall * 0.13, tall * 0.0135)
      picture.fill()
      picture.fillStyle = css(blend(cattail, [255, 220, 170], 0.3))
      picture.fillRect(-tall * 0.01, -tall * 0.005, tall * 0.005, tall * 0.1)
      picture.strokeStyle = css(cattail)
      picture.lineWidth = tall * 0.004
      picture.beginPath()
      picture.moveTo(0, -tall * 0.02)
      picture.lineTo(0, -tall * 0.07)
      picture.stroke()
      picture.restore()
    } else {
      // A long bent leaf.
      const side = random() < 0.5 ? -1 : 1
      picture.fillStyle = css(blend(dark, pale, random()), 0.95)
      const top = bottom - long * (0.6 + random() * 0.3)
      picture.beginPath()
      picture.moveTo(root - tall * 0.008, bottom)
      picture.quadraticCurveTo(
        root,
        top - tall * 0.05,
        root + side * tall * (0.1 + random() * 0.2),
        top + tall * 0.1 * random(),
      )
      picture.quadraticCurveTo(root + side * tall * 0.02, top + tall * 0.02, root + tall * 0.01, bottom)
      picture.fill()
    }
  }
  fadeBase(picture, tall * 0.85, bottom, tall * 0.22)
}

function drawHeron(
  picture: SKRSContext2D,
  x: number,
  y: number,
  unit: number,
  { seconds, progress }: Moment,
  width: number,
): void {
  const flight = clamp((progress - 0.62) / 0.24)
  if (flight >= 1) return
  const size = unit * 0.27
  picture.save()
  if (flight <= 0) {
    // The heron stands still. From time to time its neck moves forward.
    const reach = smooth((Math.sin(seconds * 0.37) - 0.55) / 0.4)
    picture.translate(x, y)
    picture.scale(size, size)
    heronStanding(picture, reach)
  } else {
    const rise = smooth(flight)
    picture.translate(x + rise * (width * 0.62), y - unit * 0.12 - rise * unit * 0.36)
    picture.scale(size * (1 - rise * 0.2), size * (1 - rise * 0.2))
    picture.rotate(-0.12 + rise * 0.08)
    heronFlying(picture, Math.sin(seconds * 6.2))
  }
  picture.restore()
}

function heronStanding(picture: SKRSContext2D, reach: number): void {
  picture.strokeStyle = '#4d4438'
  picture.lineWidth = 0.022
  picture.beginPath()
  picture.moveTo(-0.04, -0.32)
  picture.lineTo(-0.05, 0)
  picture.moveTo(0.05, -0.32)
  picture.lineTo(0.045, -0.16)
  picture.lineTo(0.06, 0)
  picture.stroke()
  picture.fillStyle = '#6f8594'
  picture.beginPath()
  picture.moveTo(-0.42, -0.24)
  picture.bezierCurveTo(-0.3, -0.46, -0.02, -0.66, 0.16, -0.56)
  picture.bezierCurveTo(0.24, -0.46, 0.14, -0.3, -0.02, -0.28)
  picture.quadraticCurveTo(-0.2, -0.26, -0.42, -0.24)
  picture.fill()
  picture.fillStyle = '#44586a'
  picture.beginPath()
  picture.moveTo(-0.46, -0.22)
  picture.bezierCurveTo(-0.3, -0.4, -0.12, -0.5, 0.02, -0.46)
  picture.quadraticCurveTo(-0.1, -0.3, -0.46, -0.22)
  picture.fill()
  const headX = mix(0.2, 0.36, reach)
  const headY = mix(-1.0, -0.82, reach)
  picture.strokeStyle = '#dfe5e4'
  picture.lineWidth = 0.065
  picture.lineCap = 'round'
  picture.beginPath()
  picture.moveTo(0.12, -0.5)
  picture.bezierCurveTo(mix(0.36, 0.3, reach), -0.62, mix(-0.02, 0.14, reach), -0.78, headX, headY)
  picture.stroke()
  picture.fillStyle = '#eef1ee'
  picture.beginPath()
  picture.ellipse(headX + 0.03, headY, 0.075, 0.045, 0.1, 0, 7)
  picture.fill()
  picture.fillStyle = '#e09a3e'
  picture.beginPath()
  picture.moveTo(headX + 0.08, headY - 0.02)
  picture.lineTo(headX + 0.32, headY + 0.04)
  picture.lineTo(headX + 0.08, headY + 0.025)
  picture.fill()
  picture.strokeStyle = '#26323c'
  picture.lineWidth = 0.024
  picture.beginPath()
  picture.moveTo(headX + 0.02, headY - 0.025)
  picture.quadraticCurveTo(headX - 0.1, headY - 0.03, headX - 0.22, headY + 0.05)
  picture.stroke()
  picture.fillStyle = '#1c2329'
  picture.beginPath()
  picture.arc(headX + 0.055, headY - 0.008, 0.011, 0, 7)
  picture.fill()
}

function heronFlying(picture: SKRSContext2D, beat: number): void {
  picture.fillStyle = '#44586a'
  picture.beginPath()
  picture.moveTo(0.16, -0.06)
  picture.bezierCurveTo(0.02, -0.2 - beat * 0.4, -0.26, -0.34 - beat * 0.66, -0.5, -0.3 - beat * 0.8)
  picture.bezierCurveTo(-0.36, -0.14 - beat * 0.3, -0.3, -0.06, -0.22, 0)
  picture.fill()
  picture.strokeStyle = '#4d4438'
  picture.lineWidth = 0.022
  picture.beginPath()
  picture.moveTo(-0.28, 0.02)
  picture.lineTo(-0.72, 0.08)
  picture.stroke()
  picture.fillStyle = '#8ba0ab'
  picture.beginPath()
  picture.ellipse(-0.06, 0, 0.3, 0.085, 0.08, 0, 7)
  picture.fill()
  picture.strokeStyle = '#dfe5e4'
  picture.lineWidth = 0.07
  picture.lineCap = 'round'
  picture.beginPath()
  picture.moveTo(0.2, -0.02)
  picture.bezierCurveTo(0.34, 0.08, 0.34, -0.14, 0.42, -0.08)
  picture.stroke()
  picture.fillStyle = '#e09a3e'
  picture.beginPath()
  picture.moveTo(0.46, -0.11)
  picture.lineTo(0.7, -0.06)
  picture.lineTo(0.46, -0.06)
  picture.fill()
  picture.fillStyle = '#6f8594'
  picture.beginPath()
  picture.moveTo(0.2, -0.04)
  picture.bezierCurveTo(0.12, -0.24 - beat * 0.5, 0, -0.5 - beat * 0.6, -0.2, -0.46 - beat * 0.9)
  picture.bezierCurveTo(-0.18, -0.2 - beat * 0.3, -0.2, -0.1, -0.16, 0)
  picture.fill()
}

function duck(picture: SKRSContext2D, x: number, y: number, size: number): void {
  picture.fillStyle = '#3c4a3f'
  picture.beginPath()
  picture.moveTo(x - size, y - size * 0.25)
  picture.quadraticCurveTo(x - size * 0.4, y - size * 0.5, x + size * 0.2, y - size * 0.42)
  picture.quadraticCurveTo(x + size * 0.66, y - size * 0.3, x + size * 0.6, y)
  picture.lineTo(x - size * 0.6, y)
  picture.quadraticCurveTo(x - size * 0.9, y, x - size, y - size * 0.25)
  picture.fill()
  picture.beginPath()
  picture.arc(x + size * 0.6, y - size * 0.56, size * 0.22, 0, 7)
  picture.fill()
  picture.fillStyle = '#c98a3a'
  picture.fillRect(x + size * 0.76, y - size * 0.58, size * 0.24, size * 0.09)
  picture.strokeStyle = 'rgba(255,255,240,.5)'
  picture.lineWidth = 1
  picture.beginPath()
  picture.moveTo(x - size * 2.6, y + size * 0.24)
  picture.lineTo(x - size * 0.6, y + 1)
  picture.lineTo(x + size * 0.7, y + 1)
  picture.stroke()
}

function dragonfly(
  picture: SKRSContext2D,
  x: number,
  y: number,
  size: number,
  left: boolean,
  beat: number,
  colour: string,
): void {
  picture.save()
  picture.translate(x, y)
  if (left) picture.scale(-1, 1)
  picture.fillStyle = 'rgba(235,250,255,.55)'
  for (const [angle, long] of [
    [-2.2, 1],
    [-1.2, 0.95],
    [-1.75, 0.9],
  ] as const) {
    picture.beginPath()
    picture.ellipse(
      Math.cos(angle) * size * 0.5,
      Math.sin(angle) * size * (0.5 + beat * 0.18),
      size * 0.56 * long,
      size * 0.12,
      angle + beat * 0.2,
      0,
      7,
    )
    picture.fill()
  }
  picture.strokeStyle = colour
  picture.lineWidth = size * 0.14
  picture.lineCap = 'round'
  picture.beginPath()
  picture.moveTo(size * 0.3, 0)
  picture.quadraticCurveTo(-size * 0.4, -size * 0.02, -size * 1.15, size * 0.12)
  picture.stroke()
  picture.fillStyle = colour
  picture.beginPath()
  picture.arc(size * 0.36, -size * 0.02, size * 0.15, 0, 7)
  picture.fill()
  picture.restore()
}
