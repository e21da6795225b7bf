import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, ramp, rgb } from '../colour.ts'
import { clamp, hills, mix, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, shadedPicture, starLayer } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'

interface Layer {
  readonly strip: Canvas
  readonly top: number
  readonly speed: number
}

/** Draws a night train through the first snow. The landscape moves, and the windows of the train stay in place. */
export function snow({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 0.9)
  const rails = height * (portrait ? 0.72 : 0.74)
  const moonX = width * (portrait ? 0.7 : 0.76)
  const moonY = height * (portrait ? 0.17 : 0.2)
  const tones = ramp([
    [0, '#0a1434'],
    [0.35, '#1f2f63'],
    [0.6, '#4c5b93'],
    [0.8, '#9a8bb0'],
    [1, '#f0b8a8'],
  ])
  const back = shadedPicture(width, Math.ceil(rails), (x, y, out) => {
    const [red, green, blue] = tones(clamp(y / (rails * 0.86)))
    const dx = (x - moonX) / unit
    const dy = (y - moonY) / unit
    const near = 0.55 / (1 + (dx * dx + dy * dy) * 40)
    out[0] = red + (255 - red) * near * 0.8
    out[1] = green + (246 - green) * near * 0.8
    out[2] = blue + (232 - blue) * near * 0.8
  })
  const nightTones = ramp([
    [0, '#030820'],
    [0.6, '#10204c'],
    [1, '#3a4a80'],
  ])
  const night = shadedPicture(width, rails, (_, y, out) => out.set(nightTones(y / rails)))
  // The stars are part of the night layer, so that only one layer fades in.
  night
    .getContext('2d')
    .drawImage(starLayer(width, rails * 0.7, random, Math.round((width * rails) / 1900)), 0, 0)
  const moon = glowSprite([255, 250, 236], 2.6)

  // The end of each landscape strip continues at its beginning, so that the strip can repeat without a seam.
  const loop = Math.round(width * 1.5)
  const strip = (
    top: number,
    speed: number,
    paint: (picture: SKRSContext2D, around: (x: number) => number) => void,
    bottom = rails + unit * 0.06,
  ): Layer => ({
    top: Math.round(top),
    speed,
    strip: prerender(loop + width, bottom - top, (picture) => {
      const half = prerender(loop, bottom - top, (once) => {
        for (const shift of [-loop, 0, loop]) {
          once.save()
          once.translate(shift, -Math.round(top))
          paint(once, (x) => (x / loop) * Math.PI * 2)
          once.restore()
        }
      })
      picture.drawImage(half, 0, 0)
      picture.drawImage(half, loop, 0)
    }),
  })
  const ridge = (count: number, roughness: number) => {
    const parts = Array.from({ length: count }, (_, index) => ({
      turns: index + 1 + Math.floor(random() * 2),
      phase: random() * 7,
      weight: 1 / (index + 1) ** roughness,
    }))
    return (angle: number) =>
      parts.reduce((sum, part) => sum + Math.sin(angle * part.turns + part.phase) * part.weight, 0)
  }
  const far = ridge(6, 0.9)
  const mid = ridge(5, 1.1)
  const close = ridge(4, 1.2)
  const treeRandom = () => randomFrom(`${seed} trees`)
  const mountains = strip(rails - unit * 0.42, 9, (picture, around) => {
    const top = (x: number) =>
      rails -
      unit * (0.2 + 0.075 * far(around(x)) + 0.03 * Math.abs(Math.sin(around(x) * 9 + far(around(x)))))
    land(picture, loop, rails + 60, top, ['#c9cfe8', '#7d8bbd', '#5a679d'], unit * 0.2)
  })
  const woods = strip(rails - unit * 0.3, 30, (picture, around) => {
    const top = (x: number) => rails - unit * (0.085 + 0.03 * mid(around(x)))
    land(picture, loop, rails + 60, top, ['#a9b6dc', '#6f7db3', '#4b588f'], unit * 0.12)
    const source = treeRandom()
    for (let index = 0; index < 190; index++) {
      const x = source() * loop
      const grove = mid(around(x) * 2 + 1)
      if (grove < -0.1) continue
      whiteFir(
        picture,
        x,
        top(x) + unit * 0.012,
        unit * (0.04 + source() * 0.05),
        source,
        '#33427a',
        '#c4d0ee',
      )
    }
    for (let index = 0; index < 7; index++) {
      const x = ((index + source() * 0.6) / 7) * loop
      if (mid(around(x) * 2 + 1) < 0.2) house(picture, x, top(x) + unit * 0.01, unit * 0.026, source)
    }
  })
  const field = strip(rails - unit * 0.12, 95, (picture, around) => {
    const top = (x: number) => rails - unit * (0.03 + 0.016 * close(around(x)))
    land(picture, loop, rails + 60, top, ['#d4dcf4', '#8f9fd0', '#5b6aa6'], unit * 0.07)
    const source = treeRandom()
    for (let index = 0; index < 26; index++) {
      const x = source() * loop
      whiteFir(
        picture,
        x,
        top(x) + unit * 0.012,
        unit * (0.07 + source() * 0.05),
        source,
        '#25336a',
        '#dbe4fa',
      )
    }
  })
  const front = strip(
    rails,
    430,
    (picture, around) => {
      const top = (x: number) => rails + unit * (0.085 + 0.02 * mid(around(x) * 2))
      land(picture, loop, height + 40, top, ['#e8eefc', '#7c8cc4', '#2a3870'], unit * 0.2)
    },
    height,
  )
  const trees = strip(
    rails - unit * 0.46,
    560,
    (picture) => {
      const source = randomFrom(`${seed} near`)
      for (let index = 0; index < 2; index++) {
        const x = ((index + 0.2 + source() * 0.6) / 2) * loop
        whiteFir(
          picture,
          x,
          height + unit * 0.03,
          unit * (0.5 + source() * 0.2),
          source,
          '#0c163c',
          '#5f70ae',
        )
      }
    },
    height,
  )
  const poles = strip(
    rails - unit * 0.25,
    150,
    (picture) => {
      picture.strokeStyle = '#26325f'
      picture.fillStyle = '#26325f'
      const count = 5
      for (let index = 0; index < count; index++) {
        const x = (index / count) * loop
        picture.fillRect(x, rails - unit * 0.21, unit * 0.006, unit * 0.21)
        picture.fillRect(x - unit * 0.02, rails - unit * 0.198, unit * 0.046, unit * 0.004)
        picture.lineWidth = Math.max(1, unit * 0.0013)
        for (const end of [-0.016, 0.022]) {
          picture.beginPath()
          picture.moveTo(x + unit * end, rails - unit * 0.2)
          picture.quadraticCurveTo(
            x + loop / count / 2,
            rails - unit * 0.165,
            x + loop / count + unit * end,
            rails - unit * 0.2,
          )
          picture.stroke()
        }
      }
    },
    rails + 2,
  )
  const train = prerender(unit * 1.32, unit * 0.15, (picture) => drawTrain(picture, unit))
  const warm = glowSprite([255, 196, 120], 2)
  const steam = glowSprite([226, 230, 248], 1.7)
  const flakes = [60, 90, 130].map((count, depth) =>
    Array.from({ length: count }, () => ({
      x: random(),
      y: random(),
      size: unit * (0.0052 - depth * 0.0015) * (0.7 + random() * 0.6),
      fall: 0.16 - depth * 0.04 + random() * 0.05,
      sway: random() * 7,
    })),
  )
  const puffs = Array.from({ length: 22 }, (_, index) => ({
    offset: index / 22,
    size: 0.7 + random() * 0.6,
    sway: random() * 7,
  }))
  const wander = hills(random, 3)

  const drawLayer = (picture: SKRSContext2D, layer: Layer, seconds: number) => {
    const shift = Math.floor(((seconds * layer.speed * unit) / 720) % loop)
    picture.drawImage(
      layer.strip,
      shift,
      0,
      width,
      layer.strip.height,
      0,
      layer.top,
      width,
      layer.strip.height,
    )
  }

  const drawSteamAndTrain = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const x =
      mix(-1.3, 0.16, step(0.02, 0.16, progress)) * unit * (portrait ? 0.5 : 1) +
      width * (portrait ? -0.28 : 0.12) +
      wander(seconds * 0.12) * unit * 0.03 +
      step(0.9, 1, progress) * width * 1.3
    const jolt = Math.abs(Math.sin(seconds * 5.07)) > 0.985 ? 1 : 0
    const y = Math.round(rails - unit * 0.132 + jolt)
    picture.fillStyle = '#2a3566'
    picture.fillRect(0, rails + unit * 0.012, width, unit * 0.004)
    picture.globalCompositeOperation = 'lighter'
    for (let car = 0; car < 4; car++)
      drawGlow(
        picture,
        warm,
        x + unit * (0.15 + car * 0.27),
        rails + unit * 0.035,
        unit * 0.17,
        0.34,
        unit * 0.055,
      )
    picture.globalCompositeOperation = 'source-over'
    for (const puff of puffs) {
      const age = (puff.offset + seconds * 0.2) % 1
      drawGlow(
        picture,
        steam,
        x + unit * (1.235 - age * 0.95),
        y - unit * (0.012 + age * 0.14) + Math.sin(seconds + puff.sway) * unit * 0.008,
        unit * (0.022 + age * 0.11) * puff.size,
        0.5 * (1 - age) ** 1.4,
      )
    }
    picture.drawImage(train, Math.round(x), y)
    picture.globalCompositeOperation = 'lighter'
    drawGlow(picture, warm, x + unit * 1.315, rails - unit * 0.04, unit * 0.2, 0.5, unit * 0.06)
    drawGlow(picture, warm, x + unit * 1.3, rails - unit * 0.04, unit * 0.035, 0.9)
    picture.globalCompositeOperation = 'source-over'
  }

  const drawFlakes = (picture: SKRSContext2D, depth: number, { seconds, progress }: Moment) => {
    const much = 0.35 + 0.65 * step(0.05, 0.45, progress)
    picture.fillStyle = css([255, 255, 255], 0.95 - depth * 0.25)
    picture.beginPath()
    const group = flakes[depth]!
    for (const [index, flake] of group.entries()) {
      if (index > group.length * much) break
      const y = ((flake.y + seconds * flake.fall) % 1.05) * height
      const x =
        ((((flake.x - seconds * (0.16 - depth * 0.045)) % 1) + 1) % 1) * width +
        Math.sin(seconds * 1.1 + flake.sway) * unit * 0.012
      picture.moveTo(x + flake.size, y)
      picture.arc(x, y, flake.size, 0, 6.3)
    }
    picture.fill()
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      picture.drawImage(back, 0, 0)
      const dark = step(0.3, 0.75, progress)
      if (dark > 0.01) {
        picture.globalAlpha = dark * 0.85
        picture.drawImage(night, 0, 0)
        picture.globalAlpha = 1
      }
      drawGlow(picture, moon, moonX, moonY, unit * 0.2, 0.55)
      picture.fillStyle = '#fdf6e6'
      picture.beginPath()
      picture.arc(moonX, moonY, unit * 0.047, 0, 7)
      picture.fill()
      drawLayer(picture, mountains, seconds)
      drawLayer(picture, woods, seconds)
      drawFlakes(picture, 2, moment)
      drawLayer(picture, field, seconds)
      drawLayer(picture, poles, seconds)
      if (dark > 0.01) {
        const dusk = picture.createLinearGradient(0, rails - unit * 0.42, 0, rails - unit * 0.16)
        dusk.addColorStop(0, css([8, 14, 50], 0))
        dusk.addColorStop(1, css([8, 14, 50], dark * 0.42))
        picture.fillStyle = dusk
        picture.fillRect(0, rails - unit * 0.42, width, height)
      }
      picture.fillStyle = css(blend(rgb('#aab6e2'), rgb('#414f8c'), dark))
      picture.fillRect(0, Math.round(rails), width, height - rails)
      drawSteamAndTrain(picture, moment)
      drawFlakes(picture, 1, moment)
      drawLayer(picture, front, seconds)
      drawLayer(picture, trees, seconds)
      drawFlakes(picture, 0, moment)
    },
  }
}

/** Draws snow-covered ground, from the bright crest to the blue shade below. */
function land(
  picture: SKRSContext2D,
  loop: number,
  bottom: number,
  top: (x: number) => number,
  colours: readonly [string, string, string],
  fall: number,
): void {
  const first = top(loop / 3)
  const ground = picture.createLinearGradient(0, first - fall * 0.4, 0, first + fall)
  ground.addColorStop(0, colours[0])
  ground.addColorStop(0.45, colours[1])
  ground.addColorStop(1, colours[2])
  picture.fillStyle = ground
  picture.beginPath()
  picture.moveTo(0, bottom)
  for (let x = 0; x <= loop + 4; x += 4) picture.lineTo(x, top(x))
  picture.lineTo(loop + 4, bottom)
  picture.fill()
}

/** Draws a fir with snow: dark branches, each with a white upper edge. */
function whiteFir(
  picture: SKRSContext2D,
  x: number,
  y: number,
  tall: number,
  random: () => number,
  dark: string,
  white: string,
): void {
  const tiers = 6
  picture.fillStyle = dark
  picture.fillRect(x - tall * 0.022, y - tall * 0.12, tall * 0.044, tall * 0.12)
  for (let tier = tiers; tier >= 1; tier--) {
    const level = y - tall * 0.06 - (tall * 0.94 * (tiers - tier)) / tiers
    const spread = tall * (0.05 + tier * 0.042) * (0.9 + random() * 0.2)
    const rise = tall * 0.27
    picture.fillStyle = dark
    picture.beginPath()
    picture.moveTo(x, level - rise)
    picture.lineTo(x + spread, level)
    picture.quadraticCurveTo(x, level - tall * 0.035, x - spread, level)
    picture.fill()
    picture.fillStyle = white
    picture.beginPath()
    picture.moveTo(x, level - rise)
    picture.lineTo(x - spread, level)
    picture.quadraticCurveTo(x - spread * 0.55, level - tall * 0.075, x - spread * 0.3, level - tall * 0.05)
    picture.quadraticCurveTo(x - spread * 0.02, level - tall * 0.15, x, level - rise)
    picture.fill()
  }
}

function house(picture: SKRSContext2D, x: number, y: number, size: number, random: () => number): void {
  picture.fillStyle = '#3a3f70'
  picture.fillRect(x - size, y - size, size * 2, size)
  picture.fillStyle = '#eef2ff'
  picture.beginPath()
  picture.moveTo(x - size * 1.25, y - size * 0.95)
  picture.lineTo(x, y - size * 1.8)
  picture.lineTo(x + size * 1.25, y - size * 0.95)
  picture.fill()
  picture.fillStyle = '#ffcf7a'
  picture.fillRect(x - size * 0.6, y - size * 0.72, size * 0.36, size * 0.36)
  if (random() < 0.7) picture.fillRect(x + size * 0.2, y - size * 0.72, size * 0.36, size * 0.36)
}

/** Draws three coaches and an engine that moves to the right. */
function drawTrain(picture: SKRSContext2D, unit: number): void {
  const tall = unit * 0.098
  const y = unit * 0.022
  const coach = unit * 0.262
  for (let index = 0; index < 4; index++) {
    const x = unit * 0.01 + index * (coach + unit * 0.009)
    const body = picture.createLinearGradient(0, y, 0, y + tall)
    body.addColorStop(0, '#8c2f3f')
    body.addColorStop(0.55, '#6d2134')
    body.addColorStop(1, '#2c1024')
    picture.fillStyle = body
    picture.beginPath()
    picture.roundRect(x, y, coach, tall, unit * 0.012)
    picture.fill()
    picture.fillStyle = '#f3f6ff'
    picture.beginPath()
    picture.roundRect(x + unit * 0.003, y - unit * 0.007, coach - unit * 0.006, unit * 0.014, unit * 0.007)
    picture.fill()
    picture.fillStyle = '#e8c98a'
    picture.fillRect(x, y + tall * 0.66, coach, unit * 0.0032)
    for (let window = 0; window < 6; window++) {
      const left = x + coach * (0.05 + window * 0.155)
      const lit = picture.createLinearGradient(0, y + tall * 0.2, 0, y + tall * 0.56)
      lit.addColorStop(0, '#fff1c4')
      lit.addColorStop(1, '#ffb765')
      picture.fillStyle = lit
      picture.beginPath()
      picture.roundRect(left, y + tall * 0.2, coach * 0.125, tall * 0.36, unit * 0.004)
      picture.fill()
      // Some windows show a traveller: a head and shoulders in front of the lamp.
      if ((window * 7 + index * 5) % 4 !== 0) {
        picture.fillStyle = 'rgba(84,32,30,.8)'
        picture.beginPath()
        picture.arc(left + coach * 0.06, y + tall * 0.39, unit * 0.0072, 0, 7)
        picture.fill()
        picture.beginPath()
        picture.ellipse(left + coach * 0.06, y + tall * 0.56, unit * 0.013, unit * 0.012, 0, Math.PI, 0)
        picture.fill()
      }
    }
    picture.fillStyle = '#170d22'
    for (const wheel of [0.12, 0.22, 0.76, 0.86]) {
      picture.beginPath()
      picture.arc(x + coach * wheel, y + tall + unit * 0.006, unit * 0.0125, 0, 7)
      picture.fill()
    }
    picture.fillRect(x + coach, y + tall * 0.8, unit * 0.012, unit * 0.008)
  }
  // The engine.
  const x = unit * 0.01 + 4 * (coach + unit * 0.009)
  picture.fillStyle = '#241a3c'
  picture.beginPath()
  picture.roundRect(x, y - unit * 0.004, unit * 0.06, tall + unit * 0.006, unit * 0.008)
  picture.roundRect(x + unit * 0.04, y + tall * 0.34, unit * 0.17, tall * 0.62, unit * 0.02)
  picture.fill()
  picture.fillRect(x + unit * 0.145, y - unit * 0.002, unit * 0.026, tall * 0.4)
  picture.fillRect(x + unit * 0.138, y - unit * 0.01, unit * 0.04, unit * 0.012)
  picture.fillStyle = '#ffc873'
  picture.fillRect(x + unit * 0.016, y + tall * 0.16, unit * 0.028, tall * 0.26)
  picture.fillStyle = '#fff4cf'
  picture.beginPath()
  picture.arc(x + unit * 0.207, y + tall * 0.62, unit * 0.009, 0, 7)
  picture.fill()
  picture.fillStyle = '#170d22'
  for (const wheel of [0.03, 0.09, 0.14, 0.185]) {
    picture.beginPath()
    picture.arc(x + unit * wheel, y + tall + unit * 0.004, unit * 0.017, 0, 7)
    picture.fill()
  }
}
