import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, type Rgb, ramp, rgb } from '../colour.ts'
import { clamp, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, shadedPicture } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

interface Block {
  readonly strip: Canvas
  readonly top: number
  readonly parallax: number
}

interface Lamp {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rate: number
  readonly phase: number
  readonly colour: string
  readonly block: number
}

const NEON: readonly Rgb[] = [rgb('#ff4f8b'), rgb('#39d5ff'), rgb('#ffb04a'), rgb('#a06bff'), rgb('#48f0b0')]

/** Draws a city at night: rows of towers, an elevated railway, rain, and a canal that reflects all lights. */
export function city({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.9)
  const water = Math.round(height * (portrait ? 0.8 : 0.78))
  const travel = width * 0.3
  const moonX = width * (portrait ? 0.68 : 0.73)
  const moonY = height * (portrait ? 0.2 : 0.24)
  // The sky is bluest at the top. Above the roofs, it shows the last light of the evening.
  const sky = ramp([
    [0, '#070828'],
    [0.28, '#241560'],
    [0.46, '#6b2b80'],
    [0.62, '#d44d82'],
    [0.76, '#ff9070'],
    [1, '#ffb27a'],
  ])
  const back = shadedPicture(width, water, (x, y, out) => {
    const [red, green, blue] = sky((y / water) ** 0.92)
    const dx = (x - moonX) / unit
    const dy = (y - moonY) / unit
    const near = 0.5 / (1 + (dx * dx + dy * dy) * 46)
    out[0] = red + (255 - red) * near * 0.75
    out[1] = green + (206 - green) * near * 0.62
    out[2] = blue + (214 - blue) * near * 0.66
  })
  const moon = prerender(unit * 0.2, unit * 0.2, (picture) => {
    const middle = unit * 0.1
    picture.fillStyle = '#ffe6d8'
    picture.beginPath()
    picture.arc(middle, middle, unit * 0.085, 0, 7)
    picture.fill()
    picture.clip()
    for (let index = 0; index < 9; index++) {
      picture.fillStyle = 'rgba(214,150,160,.22)'
      picture.beginPath()
      picture.arc(
        middle + (random() - 0.5) * unit * 0.15,
        middle + (random() - 0.5) * unit * 0.15,
        unit * (0.008 + random() * 0.022),
        0,
        7,
      )
      picture.fill()
    }
  })

  const layers = [
    {
      base: 0.93,
      low: 0.16,
      high: 0.42,
      wide: 0.05,
      colour: '#3d2468',
      edge: '#7a3f88',
      windows: 0.1,
      parallax: 0.25,
    },
    {
      base: 0.97,
      low: 0.14,
      high: 0.5,
      wide: 0.06,
      colour: '#231548',
      edge: '#4d2a70',
      windows: 0.2,
      parallax: 0.45,
    },
    {
      base: 1,
      low: 0.1,
      high: 0.44,
      wide: 0.075,
      colour: '#120c30',
      edge: '#2d1c54',
      windows: 0.3,
      parallax: 0.75,
    },
    {
      base: 1,
      low: 0.06,
      high: 0.27,
      wide: 0.09,
      colour: '#080620',
      edge: '#1d143e',
      windows: 0.36,
      parallax: 1,
    },
  ]
  const lamps: Lamp[] = []
  const signs: { x: number; y: number; colour: number; block: number; rate: number; phase: number }[] = []
  const blocks: Block[] = layers.map((plan, index) => {
    const strip = width + travel * plan.parallax + 4
    const tallest = unit * (plan.high + 0.14)
    const top = Math.max(0, Math.round(water * plan.base - tallest))
    const canvas = prerender(strip, water - top, (picture) => {
      for (let x = -unit * 0.05; x < strip; ) {
        const wide = unit * plan.wide * (0.45 + random())
        // Towers are in groups, like the quarters of a city.
        const quarter = 0.5 + 0.5 * Math.sin((x / unit) * 3.1 + index * 2.4)
        const tall = unit * (plan.low + (plan.high - plan.low) * (random() * 0.55 + quarter * 0.45))
        const y = water * plan.base - top - tall
        drawTower(picture, {
          x,
          y,
          wide,
          bottom: water - top,
          unit,
          colour: plan.colour,
          edge: plan.edge,
          windows: plan.windows,
          random,
          depth: index,
        })
        for (let lamp = 0; lamp < 3; lamp++) {
          if (random() < 0.5) continue
          lamps.push({
            x: x + wide * (0.15 + random() * 0.7),
            y: top + y + tall * random() * 0.6 + unit * 0.02,
            width: Math.max(2, unit * 0.0048),
            height: Math.max(2.5, unit * 0.0074),
            rate: 0.08 + random() * 0.25,
            phase: random() * 7,
            colour: random() < 0.75 ? '#ffd596' : '#a8e4ff',
            block: index,
          })
        }
        if (index >= 2 && random() < 0.4)
          signs.push({
            x: x + wide * 0.5,
            y: top + y + tall * (0.2 + random() * 0.3),
            colour: Math.floor(random() * NEON.length),
            block: index,
            rate: 0.4 + random(),
            phase: random() * 7,
          })
        x += wide + unit * 0.004 * random()
      }
    })
    return { strip: canvas, top, parallax: plan.parallax }
  })
  const neonGlows = NEON.map((colour) => glowSprite(colour, 2))
  const beacon = glowSprite([255, 60, 70], 2)
  const headlight = glowSprite([255, 226, 180], 2)
  const signArt = NEON.map((colour, index) =>
    prerender(unit * 0.03, unit * 0.085, (picture) => drawSign(picture, unit, colour, index)),
  )
  const viaductY = water - unit * 0.052
  const train = prerender(unit * 0.62, unit * 0.04, (picture) => drawTrain(picture, unit))
  const mirror = prerender(1, 1, () => undefined)
  const half = { width: Math.ceil(width / 2), height: Math.ceil((height - water) * 0.95) }
  mirror.width = half.width
  mirror.height = half.height
  const mirrorPicture = mirror.getContext('2d')
  const rain = Array.from({ length: 150 }, () => ({
    x: random(),
    y: random(),
    speed: 0.9 + random() * 0.7,
    length: 0.6 + random(),
  }))
  const cars = Array.from({ length: 14 }, () => ({
    x: random(),
    speed: 0.03 + random() * 0.05,
    ahead: random() < 0.5,
  }))

  const drawLights = (
    picture: SKRSContext2D,
    block: number,
    shift: number,
    { seconds, progress }: Moment,
  ) => {
    // Towards the end of the film, fewer windows are lit.
    const awake = 1 - 0.55 * step(0.55, 1, progress)
    for (const lamp of lamps) {
      if (lamp.block !== block) continue
      const x = lamp.x - shift
      if (x < -4 || x > width) continue
      if (Math.sin(seconds * lamp.rate + lamp.phase) > awake * 1.6 - 0.75) continue
      picture.fillStyle = lamp.colour
      picture.fillRect(x, lamp.y, lamp.width, lamp.height)
    }
    for (const sign of signs) {
      if (sign.block !== block) continue
      const x = sign.x - shift
      if (x < -unit * 0.1 || x > width + unit * 0.1) continue
      const flicker =
        Math.sin(seconds * 11 + sign.phase) * Math.sin(seconds * sign.rate + sign.phase) > 0.88 ? 0.25 : 1
      const art = signArt[sign.colour]!
      picture.globalAlpha = flicker
      picture.drawImage(art, Math.round(x - art.width / 2), Math.round(sign.y))
      picture.globalAlpha = 1
      picture.globalCompositeOperation = 'lighter'
      drawGlow(picture, neonGlows[sign.colour]!, x, sign.y + art.height / 2, unit * 0.09, 0.4 * flicker)
      picture.globalCompositeOperation = 'source-over'
    }
  }

  const drawViaduct = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    picture.fillStyle = '#05040f'
    picture.fillRect(0, viaductY, width, unit * 0.011)
    const gap = unit * 0.2
    const shift = (travel * 1.1 * progress) % gap
    for (let x = -shift; x < width + gap; x += gap) {
      picture.fillRect(x, viaductY, unit * 0.014, water - viaductY)
      picture.fillRect(x - unit * 0.012, viaductY + unit * 0.008, unit * 0.038, unit * 0.008)
    }
    const cycle = 15
    const passed = (seconds + 6) % cycle
    const forth = Math.floor((seconds + 6) / cycle) % 2 === 0
    const run = passed / 6.5
    if (run < 1) {
      const x = forth
        ? -train.width + run * (width + train.width * 2)
        : width + train.width - run * (width + train.width * 2)
      picture.drawImage(train, Math.round(x), Math.round(viaductY - train.height + 1))
      picture.globalCompositeOperation = 'lighter'
      drawGlow(picture, headlight, forth ? x + train.width : x, viaductY - unit * 0.014, unit * 0.06, 0.8)
      picture.globalCompositeOperation = 'source-over'
    }
    picture.globalCompositeOperation = 'lighter'
    for (const car of cars) {
      const way = car.ahead ? 1 : -1
      const at = (((car.x + way * seconds * car.speed) % 1.1) + 1.1) % 1.1
      drawGlow(picture, car.ahead ? beacon : headlight, at * width, water - unit * 0.006, unit * 0.018, 0.9)
    }
    picture.globalCompositeOperation = 'source-over'
  }

  const drawCanal = (picture: SKRSContext2D, canvas: Canvas, { seconds }: Moment) => {
    const depth = height - water
    // The reflection is drawn at half the resolution, because moving water hides finer detail.
    mirrorPicture.setTransform(1, 0, 0, -1, 0, half.height)
    mirrorPicture.drawImage(canvas, 0, water - depth * 1.9, width, depth * 1.9, 0, 0, half.width, half.height)
    mirrorPicture.setTransform(1, 0, 0, 1, 0, 0)
    const rows = 26
    for (let row = 0; row < rows; row++) {
      const near = row / rows
      const from = (half.height * row) / rows
      const tall = half.height / rows
      const y = water + depth * near
      const sway =
        Math.sin(seconds * 1.7 + row * 0.9) * unit * 0.006 * (0.25 + near) +
        Math.sin(seconds * 0.9 - row * 0.5) * unit * 0.004
      picture.drawImage(mirror, 0, from, half.width, tall, sway - 6, y, width + 12, depth / rows + 1)
    }
    const veil = picture.createLinearGradient(0, water, 0, height)
    veil.addColorStop(0, 'rgba(8,4,28,.28)')
    veil.addColorStop(1, 'rgba(4,3,16,.82)')
    picture.fillStyle = veil
    picture.fillRect(0, water, width, depth)
    picture.fillStyle = 'rgba(255,150,140,.28)'
    picture.fillRect(0, water, width, 1)
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      picture.drawImage(back, 0, 0)
      picture.drawImage(moon, Math.round(moonX - unit * 0.1), Math.round(moonY - unit * 0.1))
      for (const [index, block] of blocks.entries()) {
        const shift = Math.round(travel * block.parallax * progress)
        picture.drawImage(
          block.strip,
          shift,
          0,
          width,
          block.strip.height,
          0,
          block.top,
          width,
          block.strip.height,
        )
        drawLights(picture, index, shift, moment)
      }
      drawViaduct(picture, moment)
      drawCanal(picture, picture.canvas, moment)
      const wet = step(0.18, 0.3, progress) * (1 - step(0.8, 0.92, progress))
      if (wet > 0) {
        picture.strokeStyle = css(blend([190, 170, 255], [255, 210, 230], 0.4), 0.2 * wet)
        picture.lineWidth = 1.2
        picture.beginPath()
        for (const drop of rain) {
          const y = ((drop.y + seconds * drop.speed * 1.25) % 1.08) * height - height * 0.04
          const x = ((((drop.x - seconds * 0.06) % 1) + 1) % 1) * width - y * 0.06
          picture.moveTo(x, y)
          picture.lineTo(x - unit * 0.004 * drop.length, y + unit * 0.045 * drop.length)
        }
        picture.stroke()
      }
    },
  }
}

interface Tower {
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly bottom: number
  readonly unit: number
  readonly colour: string
  readonly edge: string
  readonly windows: number
  readonly random: () => number
  readonly depth: number
}

function drawTower(
  picture: SKRSContext2D,
  { x, y, wide, bottom, unit, colour, edge, windows, random, depth }: Tower,
): void {
  const wall = picture.createLinearGradient(0, y, 0, bottom)
  wall.addColorStop(0, colour)
  wall.addColorStop(1, depth < 2 ? edge : colour)
  picture.fillStyle = wall
  picture.fillRect(x, y, wide, bottom - y)
  // The right and the upper edge reflect the light of the evening.
  picture.fillStyle = css(rgb(edge), 0.85)
  picture.fillRect(x + wide - Math.max(1, unit * 0.003), y, Math.max(1, unit * 0.003), bottom - y)
  picture.fillRect(x, y, wide, Math.max(1, unit * 0.0018))
  const crown = random()
  picture.fillStyle = colour
  if (crown < 0.25) {
    picture.fillRect(x + wide * 0.46, y - unit * 0.05, Math.max(1, unit * 0.003), unit * 0.05)
  } else if (crown < 0.42) {
    picture.fillRect(x + wide * 0.2, y - unit * 0.016, wide * 0.6, unit * 0.017)
  } else if (crown < 0.54) {
    picture.beginPath()
    picture.moveTo(x, y + 1)
    picture.lineTo(x + wide / 2, y - unit * 0.04)
    picture.lineTo(x + wide, y + 1)
    picture.fill()
  } else if (crown < 0.66) {
    // A water tank on the roof.
    const tank = Math.min(wide * 0.4, unit * 0.024)
    picture.fillRect(x + wide * 0.3, y - tank * 1.5, tank, tank)
    picture.fillRect(x + wide * 0.3 + tank * 0.1, y - tank * 0.6, tank * 0.1, tank * 0.6)
    picture.fillRect(x + wide * 0.3 + tank * 0.8, y - tank * 0.6, tank * 0.1, tank * 0.6)
  }
  const across = unit * 0.0105
  const down = unit * 0.0165
  const cell = { width: Math.max(2, unit * 0.0048), height: Math.max(2.5, unit * 0.0074) }
  const lit = windows * (0.5 + random())
  for (let row = y + unit * 0.014; row < bottom - down; row += down) {
    const whole = random() < 0.04
    for (let column = x + unit * 0.008; column < x + wide - cell.width - unit * 0.006; column += across) {
      if (!whole && random() > lit) {
        if (depth > 0 && random() < 0.5) {
          picture.fillStyle = 'rgba(255,255,255,.028)'
          picture.fillRect(column, row, cell.width, cell.height)
        }
        continue
      }
      const warm = random()
      const tone: Rgb =
        warm < 0.72
          ? [255, 190 + random() * 50, 110 + random() * 60]
          : warm < 0.9
            ? [190, 226, 255]
            : [255, 140, 150]
      picture.fillStyle = css(tone, clamp(0.25 + random() * 0.4 + depth * 0.12))
      picture.fillRect(column, row, cell.width, cell.height)
    }
  }
}

function drawSign(picture: SKRSContext2D, unit: number, colour: Rgb, index: number): void {
  const wide = unit * 0.03
  const tall = unit * 0.085
  picture.fillStyle = 'rgba(6,4,20,.85)'
  picture.fillRect(wide * 0.15, 0, wide * 0.7, tall)
  picture.strokeStyle = css(blend(colour, [255, 255, 255], 0.35))
  picture.lineWidth = Math.max(1, unit * 0.0022)
  picture.strokeRect(wide * 0.2, tall * 0.03, wide * 0.6, tall * 0.94)
  for (let row = 0; row < 4; row++) {
    const y = tall * (0.15 + row * 0.22)
    picture.beginPath()
    if ((row + index) % 3 === 0) picture.arc(wide / 2, y + tall * 0.05, wide * 0.16, 0, 7)
    else if ((row + index) % 3 === 1) {
      picture.moveTo(wide * 0.34, y)
      picture.lineTo(wide * 0.66, y)
      picture.moveTo(wide * 0.5, y)
      picture.lineTo(wide * 0.5, y + tall * 0.11)
    } else {
      picture.moveTo(wide * 0.34, y + tall * 0.11)
      picture.lineTo(wide * 0.5, y)
      picture.lineTo(wide * 0.66, y + tall * 0.11)
    }
    picture.stroke()
  }
}

function drawTrain(picture: SKRSContext2D, unit: number): void {
  const car = unit * 0.15
  const tall = unit * 0.032
  for (let index = 0; index < 4; index++) {
    const x = index * (car + unit * 0.006)
    picture.fillStyle = '#2b2a4a'
    picture.beginPath()
    picture.roundRect(x, unit * 0.004, car, tall, unit * 0.007)
    picture.fill()
    picture.fillStyle = '#ffe2a8'
    for (let window = 0; window < 7; window++)
      picture.fillRect(x + car * (0.05 + window * 0.132), unit * 0.01, car * 0.1, tall * 0.36)
    picture.fillStyle = '#ff4f8b'
    picture.fillRect(x, unit * 0.004 + tall * 0.68, car, tall * 0.08)
  }
}
