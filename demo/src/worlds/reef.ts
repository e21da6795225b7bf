import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, type Rgb, ramp, rgb } from '../colour.ts'
import { mix, noiseAt, noiseTile, randomFrom, smooth, step } from '../random.ts'
import { prerender, SoftField, shadedPicture } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

interface Sprig {
  readonly art: Canvas
  readonly x: number
  readonly y: number
  readonly rate: number
  readonly phase: number
  readonly bend: number
}

interface School {
  readonly fish: readonly { dx: number; dy: number; phase: number; size: number }[]
  readonly art: readonly Canvas[]
  readonly speed: number
  readonly y: number
  readonly wander: number
  readonly phase: number
  readonly size: number
}

/** Number of poses of a fish in one beat of its tail. */
const POSES = 6

/**
 * Draws a reef in the morning: shafts of light, swaying corals, schools of fish that turn together, and a manta
 * ray.
 */
export function reef({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.95)
  const floor = height * 0.86
  const water = ramp([
    [0, '#9af3f6'],
    [0.1, '#55d3e6'],
    [0.36, '#1a9cc4'],
    [0.68, '#0a5a8c'],
    [1, '#04263f'],
  ])
  const sunX = width * (portrait ? 0.6 : 0.68)
  const back = shadedPicture(width, height, (x, y, out) => {
    const [red, green, blue] = water(y / height)
    const dx = (x - sunX) / unit
    const dy = (y + unit * 0.05) / unit
    const near = 0.6 / (1 + (dx * dx + dy * dy) * 7)
    out[0] = red + (255 - red) * near * 0.6
    out[1] = green + (255 - green) * near * 0.7
    out[2] = blue + (250 - blue) * near * 0.66
  })
  const light = new SoftField(width / 5, (height * 0.8) / 5)
  const shafts = noiseTile(`${seed} shafts`, 8, 4)
  const ripple = noiseTile(`${seed} ripple`, 8, 3)

  const distant = prerender(width, height, (picture) => {
    for (let layer = 0; layer < 3; layer++) {
      const colour = blend(rgb('#1684ac'), rgb('#07466f'), layer / 2)
      picture.fillStyle = css(colour, 0.75)
      picture.beginPath()
      picture.moveTo(0, height)
      let x = 0
      const base = height * (0.66 + layer * 0.07)
      while (x < width + unit * 0.1) {
        const wide = unit * (0.04 + random() * 0.09)
        const tall = unit * random() * 0.12
        picture.bezierCurveTo(
          x + wide * 0.1,
          base - tall,
          x + wide * 0.9,
          base - tall,
          x + wide,
          base + unit * 0.02 * random(),
        )
        x += wide
      }
      picture.lineTo(width + unit * 0.1, height)
      picture.fill()
    }
  })

  const palette: readonly [string, string][] = [
    ['#b3164d', '#ff6f8f'],
    ['#c23c12', '#ffb057'],
    ['#7a1fa0', '#e07bff'],
    ['#c98a10', '#ffe27a'],
    ['#0f7f6d', '#7af0c8'],
    ['#b02a66', '#ffa6c9'],
  ]
  const plant = (x: number, y: number, size: number, near: number): Sprig => {
    const kind = random()
    const [dark, bright] = palette[Math.floor(random() * palette.length)]!
    const shade = (colour: string) =>
      blend(blend(rgb(colour), rgb('#0a4a70'), (1 - near) * 0.55), [4, 20, 44], near > 0.9 ? 0.12 : 0)
    const colours: [Rgb, Rgb] = [shade(dark), shade(bright)]
    const art =
      kind < 0.42
        ? branchCoral(size, colours, random)
        : kind < 0.62
          ? fanCoral(size, colours, random)
          : kind < 0.8
            ? seaweed(size, [shade('#0d5f4a'), shade('#58d69a')], random)
            : tubeCoral(size, colours, random)
    return {
      art,
      x,
      y,
      rate: 0.5 + random() * 0.6,
      phase: random() * 7,
      bend: kind >= 0.62 && kind < 0.8 ? 0.13 : kind < 0.62 ? 0.035 : 0.012,
    }
  }
  const sprigs: Sprig[] = []
  for (let row = 0; row < 3; row++) {
    const near = row / 2
    const count = Math.round((width / unit) * [11, 9, 7][row]!)
    for (let index = 0; index < count; index++) {
      const across = (index + random() * 0.9) / count
      // The middle has fewer corals, so that the fish are visible.
      const opening = 1 - 0.5 * Math.exp(-(((across - 0.5) / 0.2) ** 2))
      sprigs.push(
        plant(
          across * width,
          floor + (height - floor) * (0.1 + near * 0.95),
          unit * (0.16 + near * 0.15 + random() * 0.09) * opening,
          0.35 + near * 0.65,
        ),
      )
    }
  }
  // Most corals do not move, and drawing all of them would take most of a frame's time. So the still corals are
  // painted once, into a far and a near layer.
  const swaying = sprigs.filter((sprig) => sprig.bend > 0.1)
  const still = sprigs.filter((sprig) => sprig.bend <= 0.1)
  const split = Math.floor(still.length * 0.4)
  const reefTop = Math.round(height * 0.5)
  const [farReef, nearReef] = [still.slice(0, split), still.slice(split)].map((group) =>
    prerender(width, height - reefTop, (picture) => {
      for (const sprig of group)
        picture.drawImage(sprig.art, sprig.x - sprig.art.width / 2, sprig.y - sprig.art.height - reefTop)
    }),
  )
  const sand = prerender(width, height - floor + 30, (picture) => {
    const fade = picture.createLinearGradient(0, 0, 0, height - floor + 30)
    fade.addColorStop(0, '#1f86a4')
    fade.addColorStop(0.4, '#0f4f73')
    fade.addColorStop(1, '#031a30')
    picture.fillStyle = fade
    picture.beginPath()
    picture.moveTo(0, height)
    for (let x = 0; x <= width + 8; x += 8)
      picture.lineTo(x, 16 + Math.sin((x / unit) * 5) * 7 + Math.sin((x / unit) * 13) * 3)
    picture.lineTo(width, height)
    picture.fill()
  })

  const school = (
    count: number,
    size: number,
    bodies: readonly [string, string],
    speed: number,
    y: number,
  ): School => ({
    fish: Array.from({ length: count }, () => {
      const angle = random() * 6.283
      const radius = Math.sqrt(random())
      return {
        dx: Math.cos(angle) * radius * 0.24,
        dy: Math.sin(angle) * radius * 0.085,
        phase: random() * 7,
        size: 0.75 + random() * 0.5,
      }
    }),
    art: Array.from({ length: POSES }, (_, pose) =>
      fish(unit * size, bodies, Math.sin((pose / POSES) * 6.283)),
    ),
    speed,
    y,
    wander: 0.05 + random() * 0.05,
    phase: random() * 7,
    size,
  })
  const schools = [
    school(46, 0.026, ['#ffd23f', '#ff9f1c'], 0.045, 0.4),
    school(30, 0.02, ['#9ff3ff', '#2ba8d8'], -0.06, 0.24),
    school(16, 0.036, ['#ff7a4d', '#fff1df'], 0.034, 0.62),
    school(9, 0.05, ['#8f6bff', '#ffd9f2'], -0.026, 0.5),
  ]
  const manta = Array.from({ length: 24 }, (_, pose) => mantaRay(unit * 0.36, Math.sin((pose / 24) * 6.283)))
  const bubbles = Array.from({ length: 46 }, () => ({
    x: random(),
    y: random(),
    speed: 0.06 + random() * 0.09,
    size: 0.002 + random() ** 2 * 0.007,
    phase: random() * 7,
  }))
  const dust = Array.from({ length: 70 }, () => ({
    x: random(),
    y: random(),
    phase: random() * 7,
    size: 0.6 + random(),
  }))

  const drawLight = (picture: SKRSContext2D, { seconds }: Moment) => {
    const { width: columns, height: rows, pixels } = light
    const aspect = width / height
    for (let y = 0; y < rows; y++) {
      const down = (y / rows) * 0.8
      const fade = (1 - down) ** 1.5 * 130
      const surface = Math.max(0, 1 - down * 9)
      for (let x = 0; x < columns; x++) {
        // The shafts of light spread from the sun above the water.
        const across = ((x / columns) * aspect - (sunX / width) * aspect) / (0.5 + down * 1.2)
        const shaft = noiseAt(shafts, across * 62 + seconds * 1.3 + 900, seconds * 2.1)
        let value = Math.max(0, shaft - 0.47) * 3.4 * fade
        if (surface > 0)
          value +=
            surface *
            Math.max(
              0,
              noiseAt(ripple, (x / columns) * aspect * 90 + seconds * 5, down * 500 - seconds * 7) - 0.5,
            ) *
            700
        const at = (y * columns + x) * 4
        pixels[at] = 225
        pixels[at + 1] = 255
        pixels[at + 2] = 246
        pixels[at + 3] = value > 200 ? 200 : value
      }
    }
    light.draw(picture, 0, 0, width, height * 0.8)
  }

  const drawSchool = (picture: SKRSContext2D, group: School, { seconds }: Moment) => {
    const run = 1.7
    const way = Math.sign(group.speed)
    const centre = (((group.phase * 0.4 + seconds * group.speed) % run) + run) % run
    const headX = (centre - 0.35) * width
    for (const member of group.fish) {
      const lag = member.dx * unit
      const x = headX + lag * 2.1
      const y =
        height * (group.y + Math.sin(seconds * 0.35 + group.phase + (x / width) * 3) * group.wander) +
        member.dy * unit * (1.5 + 0.5 * Math.sin(seconds * 0.5 + member.phase)) * 1.7
      if (x < -80 || x > width + 80) continue
      const lean = Math.cos(seconds * 0.35 + group.phase + (x / width) * 3) * group.wander * 3 * way
      const pose = Math.floor(((seconds * (2.4 + member.size) + member.phase) * POSES) % POSES)
      const art = group.art[pose]!
      picture.save()
      picture.translate(x, y)
      picture.scale(way * member.size, member.size)
      picture.rotate(lean * way)
      picture.drawImage(art, -art.width / 2, -art.height / 2)
      picture.restore()
    }
  }

  const drawManta = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const share = (progress - 0.42) / 0.34
    if (share <= 0 || share >= 1) return
    const pose = Math.floor(seconds * 9) % 24
    const art = manta[pose]!
    const x = mix(-0.2, 1.15, share) * width
    // A poster has its title at the top, so the ray passes below the title.
    const y = height * ((portrait ? 0.7 : 0.42) - Math.sin(share * Math.PI) * 0.2)
    picture.save()
    picture.translate(x, y)
    picture.rotate(-0.24 + share * 0.4)
    picture.globalAlpha = 0.9
    picture.drawImage(art, -art.width / 2, -art.height / 2)
    picture.restore()
    picture.globalAlpha = 1
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      picture.drawImage(back, 0, 0)
      picture.drawImage(distant, 0, 0)
      drawSchool(picture, schools[1]!, moment)
      drawLight(picture, moment)
      drawManta(picture, moment)
      picture.drawImage(sand, 0, Math.round(floor - 30))
      picture.drawImage(farReef!, 0, reefTop)
      drawSchool(picture, schools[0]!, moment)
      drawSchool(picture, schools[3]!, moment)
      for (const sprig of swaying) {
        const sway = Math.sin(seconds * sprig.rate + sprig.phase) * sprig.bend
        picture.setTransform(1, 0, -sway, 1, sprig.x, sprig.y)
        picture.drawImage(sprig.art, -sprig.art.width / 2, -sprig.art.height)
      }
      picture.setTransform(1, 0, 0, 1, 0, 0)
      picture.drawImage(nearReef!, 0, reefTop)
      drawSchool(picture, schools[2]!, moment)
      picture.strokeStyle = 'rgba(230,255,255,.62)'
      picture.lineWidth = Math.max(1, unit * 0.0016)
      picture.beginPath()
      for (const bubble of bubbles) {
        const up = (bubble.y + seconds * bubble.speed) % 1
        const x = bubble.x * width + Math.sin(seconds * 2 + bubble.phase) * unit * 0.008
        const y = height * (1.02 - up * 1.08)
        const radius = bubble.size * unit * (0.6 + up * 0.6)
        picture.moveTo(x + radius, y)
        picture.arc(x, y, radius, 0, 6.3)
      }
      picture.stroke()
      picture.fillStyle = 'rgba(220,255,255,.34)'
      for (const mote of dust) {
        const x = (((mote.x + seconds * 0.006) % 1) + Math.sin(seconds * 0.4 + mote.phase) * 0.01) * width
        const y = ((mote.y + seconds * 0.008) % 1) * height
        picture.fillRect(x, y, mote.size * 1.6, mote.size * 1.6)
      }
      const evening = smooth(step(0.86, 1, progress))
      if (evening > 0) {
        picture.fillStyle = css([2, 14, 46], evening * 0.5)
        picture.fillRect(0, 0, width, height)
      }
    },
  }
}

function branchCoral(size: number, [dark, bright]: [Rgb, Rgb], random: () => number): Canvas {
  return prerender(size * 1.5, size * 1.15, (picture) => {
    picture.lineCap = 'round'
    const branch = (x: number, y: number, angle: number, length: number, depth: number): void => {
      if (depth < 0) return
      const toX = x + Math.cos(angle) * length
      const toY = y + Math.sin(angle) * length
      const share = 1 - depth / 5
      picture.strokeStyle = css(blend(dark, bright, share))
      picture.lineWidth = size * (0.012 + depth * 0.011)
      picture.beginPath()
      picture.moveTo(x, y)
      picture.lineTo(toX, toY)
      picture.stroke()
      if (depth === 0) {
        picture.fillStyle = css(blend(bright, [255, 255, 255], 0.35))
        picture.beginPath()
        picture.arc(toX, toY, size * 0.012, 0, 7)
        picture.fill()
      }
      branch(toX, toY, angle - 0.15 - 0.42 * random(), length * 0.78, depth - 1)
      branch(toX, toY, angle + 0.15 + 0.42 * random(), length * 0.78, depth - 1)
      if (random() < 0.3) branch(toX, toY, angle + (random() - 0.5) * 0.4, length * 0.7, depth - 1)
    }
    for (let stem = -1; stem <= 1; stem++)
      branch(
        size * (0.75 + stem * 0.07),
        size * 1.15,
        -Math.PI / 2 + stem * 0.5 + (random() - 0.5) * 0.3,
        size * 0.24,
        5,
      )
  })
}

function fanCoral(size: number, [dark, bright]: [Rgb, Rgb], random: () => number): Canvas {
  return prerender(size * 1.3, size * 1.05, (picture) => {
    const x = size * 0.65
    picture.lineCap = 'round'
    for (let ring = 1; ring <= 9; ring++) {
      picture.strokeStyle = css(blend(dark, bright, ring / 9), 0.75)
      picture.lineWidth = size * 0.008
      picture.beginPath()
      picture.arc(x, size * 1.02, size * (0.1 + ring * 0.095), -Math.PI * 0.86, -Math.PI * 0.14)
      picture.stroke()
    }
    for (let rib = 0; rib < 26; rib++) {
      const angle = -Math.PI * (0.13 + (rib / 25) * 0.74)
      const reach = size * (0.86 + random() * 0.12)
      picture.strokeStyle = css(blend(dark, bright, 0.35 + random() * 0.5))
      picture.lineWidth = size * 0.012
      picture.beginPath()
      picture.moveTo(x, size * 1.05)
      picture.quadraticCurveTo(
        x + Math.cos(angle) * reach * 0.4,
        size - reach * 0.55,
        x + Math.cos(angle) * reach,
        size * 1.02 + Math.sin(angle) * reach,
      )
      picture.stroke()
    }
  })
}

function tubeCoral(size: number, [dark, bright]: [Rgb, Rgb], random: () => number): Canvas {
  return prerender(size * 1.1, size * 0.9, (picture) => {
    for (let tube = 0; tube < 7; tube++) {
      const x = size * (0.22 + tube * 0.11)
      const wide = size * (0.05 + random() * 0.03)
      const tall = size * (0.3 + random() * 0.5)
      const lean = (tube - 3) * size * 0.03
      const body = picture.createLinearGradient(x - wide, 0, x + wide, 0)
      body.addColorStop(0, css(bright))
      body.addColorStop(1, css(dark))
      picture.fillStyle = body
      picture.beginPath()
      picture.moveTo(x - wide * 0.7, size * 0.9)
      picture.quadraticCurveTo(x - wide, size * 0.9 - tall * 0.5, x - wide + lean, size * 0.9 - tall)
      picture.lineTo(x + wide + lean, size * 0.9 - tall)
      picture.quadraticCurveTo(x + wide, size * 0.9 - tall * 0.5, x + wide * 0.7, size * 0.9)
      picture.fill()
      picture.fillStyle = css(blend(dark, [10, 10, 30], 0.5))
      picture.beginPath()
      picture.ellipse(x + lean, size * 0.9 - tall, wide, wide * 0.4, 0, 0, 7)
      picture.fill()
      picture.strokeStyle = css(blend(bright, [255, 255, 255], 0.4))
      picture.lineWidth = size * 0.012
      picture.stroke()
    }
  })
}

function seaweed(size: number, [dark, bright]: [Rgb, Rgb], random: () => number): Canvas {
  return prerender(size * 0.8, size * 1.5, (picture) => {
    picture.lineCap = 'round'
    for (let blade = 0; blade < 9; blade++) {
      const x = size * (0.24 + random() * 0.32)
      const tall = size * (0.8 + random() * 0.65)
      const bend = (random() - 0.5) * size * 0.3
      picture.fillStyle = css(blend(dark, bright, random()))
      const wide = size * 0.022
      picture.beginPath()
      picture.moveTo(x - wide, size * 1.5)
      picture.bezierCurveTo(
        x - wide + bend,
        size * 1.5 - tall * 0.4,
        x - bend,
        size * 1.5 - tall * 0.7,
        x + bend * 0.4,
        size * 1.5 - tall,
      )
      picture.bezierCurveTo(
        x - bend + wide * 2.4,
        size * 1.5 - tall * 0.7,
        x + wide + bend,
        size * 1.5 - tall * 0.4,
        x + wide,
        size * 1.5,
      )
      picture.fill()
    }
  })
}

/** Draws a fish that swims to the right. `beat` is the position of its tail, from -1 to 1. */
function fish(size: number, [back, belly]: readonly [string, string], beat: number): Canvas {
  return prerender(size * 1.8, size * 1.1, (picture) => {
    picture.translate(size * 0.95, size * 0.55)
    const body = picture.createLinearGradient(0, -size * 0.3, 0, size * 0.3)
    body.addColorStop(0, back)
    body.addColorStop(1, belly)
    picture.fillStyle = back
    picture.beginPath()
    picture.moveTo(-size * 0.4, 0)
    picture.lineTo(-size * (0.8 - Math.abs(beat) * 0.12), -size * 0.26 + beat * size * 0.1)
    picture.quadraticCurveTo(
      -size * 0.62,
      beat * size * 0.1,
      -size * (0.8 - Math.abs(beat) * 0.12),
      size * 0.26 + beat * size * 0.1,
    )
    picture.fill()
    picture.beginPath()
    picture.moveTo(size * 0.15, -size * 0.2)
    picture.quadraticCurveTo(-size * 0.1, -size * 0.5, -size * 0.3, -size * 0.34)
    picture.lineTo(-size * 0.25, -size * 0.12)
    picture.fill()
    picture.fillStyle = body
    picture.beginPath()
    picture.moveTo(size * 0.62, 0)
    picture.quadraticCurveTo(size * 0.2, -size * 0.36, -size * 0.45, beat * size * 0.04)
    picture.quadraticCurveTo(size * 0.2, size * 0.36, size * 0.62, 0)
    picture.fill()
    picture.fillStyle = 'rgba(255,255,255,.35)'
    picture.beginPath()
    picture.ellipse(size * 0.12, -size * 0.07, size * 0.28, size * 0.035, -0.06, 0, 7)
    picture.fill()
    picture.fillStyle = '#0b1524'
    picture.beginPath()
    picture.arc(size * 0.41, -size * 0.045, size * 0.042, 0, 7)
    picture.fill()
  })
}

/** Draws a manta ray from below and from the side. `beat` is the position of its wings. */
function mantaRay(size: number, beat: number): Canvas {
  return prerender(size * 1.7, size * 1.5, (picture) => {
    picture.translate(size * 0.85, size * 0.75)
    const body = picture.createLinearGradient(0, -size * 0.5, 0, size * 0.5)
    body.addColorStop(0, '#0c3554')
    body.addColorStop(0.5, '#124a6e')
    body.addColorStop(1, '#1d6d8f')
    const tip = beat * size * 0.36
    picture.fillStyle = body
    picture.beginPath()
    picture.moveTo(size * 0.36, 0)
    picture.bezierCurveTo(
      size * 0.28,
      -size * 0.16,
      size * 0.08,
      -size * 0.26,
      -size * 0.1,
      -size * 0.56 - tip * 0.5,
    )
    picture.bezierCurveTo(-size * 0.12, -size * 0.28, -size * 0.2, -size * 0.1, -size * 0.32, 0)
    picture.bezierCurveTo(
      -size * 0.2,
      size * 0.1,
      -size * 0.12,
      size * 0.22,
      -size * 0.1,
      size * 0.46 + tip * 0.5,
    )
    picture.bezierCurveTo(size * 0.08, size * 0.2, size * 0.28, size * 0.14, size * 0.36, 0)
    picture.fill()
    picture.lineWidth = size * 0.012
    picture.strokeStyle = '#0c3554'
    picture.beginPath()
    picture.moveTo(-size * 0.3, 0)
    picture.quadraticCurveTo(-size * 0.55, beat * size * 0.04, -size * 0.82, -beat * size * 0.05)
    picture.stroke()
    picture.fillStyle = '#0c3554'
    for (const side of [-1, 1]) {
      picture.beginPath()
      picture.moveTo(size * 0.32, side * size * 0.05)
      picture.quadraticCurveTo(size * 0.44, side * size * 0.09, size * 0.46, side * size * 0.02)
      picture.quadraticCurveTo(size * 0.4, side * size * 0.05, size * 0.33, side * size * 0.02)
      picture.fill()
    }
    picture.fillStyle = 'rgba(200,244,255,.18)'
    for (let gill = 0; gill < 5; gill++) {
      picture.fillRect(size * (0.04 + gill * 0.035), -size * 0.1, size * 0.008, size * 0.07)
      picture.fillRect(size * (0.04 + gill * 0.035), size * 0.03, size * 0.008, size * 0.07)
    }
  })
}
