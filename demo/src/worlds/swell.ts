import type { SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, type Rgb, ramp, rgb } from '../colour.ts'
import { clamp, mix, noiseAt, noiseTile, randomFrom, step } from '../random.ts'
import { drawGlow, glowSprite, PixelLayer, prerender, SlowBackdrop, starLayer } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'
import { WaveField } from './wave-field.ts'

const GLINTS = 260

/** Draws the sea in the evening: the sun sets behind the waves, a lighthouse lights up, and stars appear. */
export function swell({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const horizon = height * (portrait ? 0.52 : 0.53)
  const unit = Math.min(height, width * 0.8)
  const sunX = width * (portrait ? 0.6 : 0.66)
  const towerX = width * (portrait ? 0.8 : 0.885)

  const zenith = ramp([
    [0, '#0f3556'],
    [0.35, '#123058'],
    [0.6, '#121c44'],
    [0.85, '#030818'],
    [1, '#030817'],
  ])
  const upper = ramp([
    [0, '#2c7d97'],
    [0.35, '#44628a'],
    [0.6, '#3b3670'],
    [0.85, '#091730'],
    [1, '#0a1a30'],
  ])
  const lower = ramp([
    [0, '#f0bd86'],
    [0.35, '#f58a5a'],
    [0.6, '#c2557c'],
    [0.85, '#1b3152'],
    [1, '#21405c'],
  ])
  const edge = ramp([
    [0, '#ffe2b0'],
    [0.35, '#ffb765'],
    [0.6, '#ff8a5c'],
    [0.85, '#3f5a78'],
    [1, '#5a7f92'],
  ])
  const halo = ramp([
    [0, '#ffdca0'],
    [0.35, '#ffbe78'],
    [0.6, '#ff8a5c'],
    [1, '#33507a'],
  ])
  const seaFar = ramp([
    [0, '#4b93a0'],
    [0.35, '#7c7480'],
    [0.6, '#6a4668'],
    [0.85, '#142a46'],
    [1, '#183852'],
  ])
  const seaNear = ramp([
    [0, '#06222f'],
    [0.35, '#071c2c'],
    [0.6, '#070f24'],
    [0.85, '#020611'],
    [1, '#020611'],
  ])
  const seaCrest = ramp([
    [0, '#58b3b4'],
    [0.35, '#a58a8c'],
    [0.6, '#8d5a7c'],
    [0.85, '#1d4060'],
    [1, '#235273'],
  ])
  const clouds = noiseTile(`${seed} clouds`, 4, 6)

  const sunAt = (progress: number) => ({
    y: mix(horizon - unit * 0.2, horizon + unit * 0.16, clamp(progress / 0.62)),
    light: 1 - step(0.42, 0.72, progress),
  })

  const layer = new PixelLayer(width, height)
  const sky = new SlowBackdrop(width, horizon, ({ seconds, progress }) => {
    const [a, b, c, d, warm] = [
      zenith(progress),
      upper(progress),
      lower(progress),
      edge(progress),
      halo(progress),
    ]
    const sun = sunAt(progress)
    const reach = (unit * 0.85) ** 2
    const drift = seconds * 0.12
    const veil = 0.75 * (1 - step(0.55, 0.9, progress)) + 0.12
    return (x, y, out) => {
      const up = y / horizon
      const low = up < 0.5 ? 0 : ((up - 0.5) / 0.5) ** 1.7
      const high = clamp(up / 0.62)
      const last = clamp((up - 0.86) / 0.14) ** 2
      const dx = x - sunX
      const dy = (y - sun.y) * 1.25
      const distance = (dx * dx + dy * dy) / reach
      const near = sun.light * (0.62 / (1 + distance * 30) + 0.42 / (1 + distance * 3.2))
      // Near the horizon, clouds look long and flat, because they are seen from the side.
      const flat = 0.35 + (1 - up) * 1.6
      const cloud = noiseAt(clouds, (x / unit) * 70 * flat + drift, (y / unit) * 330 * flat) - 0.46
      const body = cloud > 0 ? Math.min(1, cloud * 5) * veil * (0.25 + 0.75 * up) * (1 - last * 0.6) : 0
      const lit = clamp(1 - distance * 0.55) * sun.light
      for (let channel = 0; channel < 3; channel++) {
        let value = mix(a[channel]!, b[channel]!, high)
        value = mix(value, c[channel]!, low * 0.9)
        value = mix(value, d[channel]!, last * 0.8)
        const cloudColour = mix(mix(value * 0.72, c[channel]!, 0.35), warm[channel]!, lit * 0.8)
        value = mix(value, cloudColour, body)
        out[channel] = value + (255 - value) * clamp((warm[channel]! / 255) * near)
      }
    }
  })

  const sea = new WaveField(layer, { horizon, unit, sunX, random })
  const glints = Array.from({ length: GLINTS }, () => ({
    band: Math.floor(random() ** 0.8 * sea.bands.length),
    offset: random() + random() + random() - 1.5,
    rate: 0.9 + random() * 2.6,
    phase: random() * 7,
    size: 0.5 + random(),
  }))
  const stars = starLayer(width, horizon, random, Math.round((width * horizon) / 1500))
  const glow = glowSprite([255, 236, 200], 2.4)
  const lampGlow = glowSprite([255, 226, 160], 2.2)
  const lighthouse = prerender(unit * 0.5, unit * 0.42, (picture) =>
    drawLighthouse(picture, unit, randomFrom(`${seed} rock`)),
  )
  const lampY = horizon - unit * 0.262
  const gulls = Array.from({ length: 6 }, () => ({
    x: random(),
    y: random(),
    rate: 5 + random() * 3,
    phase: random() * 7,
  }))

  const drawSun = (picture: SKRSContext2D, moment: Moment) => {
    const { progress } = moment
    const sun = sunAt(progress)
    if (sun.y - unit * 0.07 < horizon) {
      const radius = unit * 0.058
      picture.save()
      picture.beginPath()
      picture.rect(0, 0, width, horizon)
      picture.clip()
      drawGlow(picture, glow, sunX, sun.y, radius * 3.4, 0.75 * sun.light)
      picture.fillStyle = css(blend([255, 250, 232], [255, 176, 108], clamp(progress / 0.62)), 1)
      picture.beginPath()
      picture.arc(sunX, sun.y, radius, 0, 7)
      picture.fill()
      picture.restore()
    }
  }

  const paintSea = ({ seconds, progress }: Moment) => {
    sea.paint(seconds, {
      far: seaFar(progress),
      near: seaNear(progress),
      crest: seaCrest(progress),
      spark: blend(halo(progress), [255, 250, 232], 0.35),
      light: sunAt(progress).light,
    })
  }

  const drawGlints = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const sun = sunAt(progress)
    const night = step(0.55, 0.8, progress)
    const warm = blend(halo(progress), [255, 250, 230], 0.45)
    for (const glint of glints) {
      const band = sea.bands[glint.band]!
      const twinkle = Math.sin(seconds * glint.rate + glint.phase)
      if (twinkle < 0.15) continue
      const lamp = glint.phase > 5.4
      const centre = lamp ? towerX : sunX
      const spread = unit * (lamp ? 0.02 + band.depth * 0.1 : 0.05 + band.depth * 0.3)
      const strength = lamp ? night * 0.8 : sun.light
      if (strength < 0.03) continue
      const x =
        centre + glint.offset * spread + Math.sin(seconds * 0.5 + glint.phase) * unit * 0.01 * band.depth
      const y = sea.crest(band, x, seconds) + band.amplitude * 0.8
      const length = unit * (0.006 + band.depth * 0.03) * glint.size * (0.5 + twinkle * 0.6)
      picture.fillStyle = css(
        lamp ? [255, 214, 140] : warm,
        twinkle ** 1.5 * strength * (0.85 - Math.abs(glint.offset) * 0.35),
      )
      picture.beginPath()
      picture.ellipse(x, y, length, Math.max(0.6, unit * (0.0008 + band.depth * 0.0022)), 0, 0, 7)
      picture.fill()
    }
  }

  const drawBeam = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const lit = step(0.4, 0.6, progress)
    if (lit <= 0) return
    const turn = seconds * 0.75
    picture.globalCompositeOperation = 'lighter'
    for (const side of [0, Math.PI]) {
      const across = Math.cos(turn + side)
      const towards = Math.sin(turn + side)
      const reach = unit * 1.5 * across
      const spread = unit * (0.05 + 0.05 * Math.max(0, towards))
      const beam = picture.createLinearGradient(towerX, lampY, towerX + reach, lampY)
      const strength = lit * (0.16 + 0.16 * Math.abs(across)) * (0.75 + 0.25 * towards)
      beam.addColorStop(0, `rgba(255,232,178,${strength.toFixed(3)})`)
      beam.addColorStop(0.35, `rgba(255,226,170,${(strength * 0.42).toFixed(3)})`)
      beam.addColorStop(1, 'rgba(255,220,160,0)')
      picture.fillStyle = beam
      picture.beginPath()
      picture.moveTo(towerX, lampY - unit * 0.004)
      picture.lineTo(towerX + reach, lampY - spread)
      picture.lineTo(towerX + reach, lampY + spread * 0.75)
      picture.lineTo(towerX, lampY + unit * 0.004)
      picture.fill()
      const flash = Math.max(0, towards) ** 14
      drawGlow(picture, lampGlow, towerX, lampY, unit * (0.03 + 0.12 * flash), lit * (0.5 + 0.5 * flash))
    }
    picture.globalCompositeOperation = 'source-over'
  }

  const drawGulls = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const alpha = 0.75 * (1 - step(0.5, 0.66, progress))
    if (alpha <= 0) return
    picture.strokeStyle = css([20, 30, 44], alpha)
    picture.lineWidth = unit * 0.003
    picture.lineCap = 'round'
    for (const [index, gull] of gulls.entries()) {
      const x = ((gull.x * 0.3 + 0.2 + seconds * 0.009 + index * 0.03) % 1.3) * width - width * 0.1
      const y = horizon * (0.42 + gull.y * 0.22) + Math.sin(seconds * 0.4 + gull.phase) * unit * 0.02
      const glide = Math.sin(seconds * 0.7 + gull.phase) > 0.2 ? 0.25 : 1
      const flap = Math.sin(seconds * gull.rate + gull.phase) * glide
      const span = unit * (0.012 + gull.y * 0.011)
      picture.beginPath()
      picture.moveTo(x - span, y - span * (0.2 + flap * 0.4))
      picture.quadraticCurveTo(x - span * 0.45, y - span * (0.55 + flap * 0.1), x, y)
      picture.quadraticCurveTo(
        x + span * 0.45,
        y - span * (0.55 + flap * 0.1),
        x + span,
        y - span * (0.2 + flap * 0.4),
      )
      picture.stroke()
    }
  }

  const drawSail = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const x = width * (0.1 + progress * 0.34)
    const y = horizon + unit * 0.006 + Math.sin(seconds * 0.9) * unit * 0.0015
    const size = unit * 0.034
    picture.save()
    picture.translate(x, y)
    picture.rotate(Math.sin(seconds * 0.7) * 0.03)
    picture.fillStyle = css(blend(rgb('#f7e6c8'), rgb('#10182c'), 0.35 + step(0.2, 0.7, progress) * 0.6))
    picture.beginPath()
    picture.moveTo(0, -size)
    picture.quadraticCurveTo(size * 0.42, -size * 0.55, size * 0.4, -size * 0.13)
    picture.lineTo(0, -size * 0.13)
    picture.moveTo(-size * 0.05, -size * 0.85)
    picture.quadraticCurveTo(-size * 0.2, -size * 0.4, -size * 0.3, -size * 0.13)
    picture.lineTo(-size * 0.05, -size * 0.13)
    picture.fill()
    picture.fillStyle = css(rgb('#101a28'))
    picture.beginPath()
    picture.moveTo(-size * 0.4, -size * 0.09)
    picture.lineTo(size * 0.46, -size * 0.09)
    picture.lineTo(size * 0.3, size * 0.06)
    picture.lineTo(-size * 0.28, size * 0.06)
    picture.fill()
    picture.restore()
  }

  return {
    draw(picture, moment) {
      paintSea(moment)
      layer.put(picture)
      sky.draw(picture, moment)
      const night = step(0.58, 0.85, moment.progress)
      if (night > 0) {
        picture.globalAlpha = night
        picture.drawImage(stars, 0, 0)
        picture.globalAlpha = 1
      }
      drawSun(picture, moment)
      drawSail(picture, moment)
      picture.drawImage(lighthouse, Math.round(towerX - unit * 0.25), Math.round(horizon - unit * 0.32))
      drawGlints(picture, moment)
      drawGulls(picture, moment)
      drawBeam(picture, moment)
    },
  }
}

/** Draws a rock with a lighthouse in the shade, lit from the left. The horizon is 0.32 units below its top. */
function drawLighthouse(picture: SKRSContext2D, unit: number, random: () => number): void {
  const x = unit * 0.25
  const sea = unit * 0.32
  const tower: Rgb = rgb('#1a2533')
  const side = picture.createLinearGradient(x - unit * 0.02, 0, x + unit * 0.02, 0)
  side.addColorStop(0, '#c9a184')
  side.addColorStop(0.3, '#6c6068')
  side.addColorStop(1, css(tower))
  picture.fillStyle = side
  picture.beginPath()
  picture.moveTo(x - unit * 0.0115, sea - unit * 0.24)
  picture.lineTo(x + unit * 0.0115, sea - unit * 0.24)
  picture.quadraticCurveTo(x + unit * 0.0125, sea - unit * 0.12, x + unit * 0.021, sea - unit * 0.03)
  picture.lineTo(x - unit * 0.021, sea - unit * 0.03)
  picture.quadraticCurveTo(x - unit * 0.0125, sea - unit * 0.12, x - unit * 0.0115, sea - unit * 0.24)
  picture.fill()
  picture.fillStyle = 'rgba(120,34,30,.55)'
  picture.fillRect(x - unit * 0.0128, sea - unit * 0.2, unit * 0.0256, unit * 0.032)
  picture.fillRect(x - unit * 0.0155, sea - unit * 0.125, unit * 0.031, unit * 0.034)
  picture.fillStyle = '#121b28'
  picture.fillRect(x - unit * 0.0165, sea - unit * 0.245, unit * 0.033, unit * 0.006)
  picture.fillRect(x - unit * 0.0095, sea - unit * 0.252, unit * 0.019, unit * 0.008)
  picture.fillStyle = '#ffe3a3'
  picture.fillRect(x - unit * 0.007, sea - unit * 0.271, unit * 0.014, unit * 0.02)
  picture.fillStyle = '#121b28'
  picture.fillRect(x - unit * 0.0012, sea - unit * 0.272, unit * 0.0024, unit * 0.022)
  picture.beginPath()
  picture.moveTo(x - unit * 0.011, sea - unit * 0.27)
  picture.quadraticCurveTo(x, sea - unit * 0.292, x + unit * 0.011, sea - unit * 0.27)
  picture.fill()
  picture.fillRect(x - unit * 0.0008, sea - unit * 0.3, unit * 0.0016, unit * 0.02)
  const rock = picture.createLinearGradient(0, sea - unit * 0.05, 0, sea + unit * 0.07)
  rock.addColorStop(0, '#3a3a46')
  rock.addColorStop(0.5, '#141d2a')
  rock.addColorStop(1, 'rgba(6,14,24,0)')
  picture.fillStyle = rock
  picture.beginPath()
  picture.moveTo(x - unit * 0.2, sea + unit * 0.03)
  const points = 16
  for (let index = 0; index <= points; index++) {
    const share = index / points
    const shape = Math.sin(share * Math.PI) ** 0.8
    picture.lineTo(
      x - unit * 0.17 + share * unit * 0.34,
      sea - shape * unit * (0.028 + random() * 0.02) + unit * 0.012,
    )
  }
  picture.quadraticCurveTo(x + unit * 0.1, sea + unit * 0.06, x, sea + unit * 0.055)
  picture.quadraticCurveTo(x - unit * 0.12, sea + unit * 0.06, x - unit * 0.2, sea + unit * 0.03)
  picture.fill()
}
