import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { blend, css, ramp, rgb } from '../colour.ts'
import { clamp, mix, NOISE_SIZE, noiseAt, noiseTile, randomFrom, smooth, step } from '../random.ts'
import { drawGlow, glowSprite, prerender, SoftField, shadedPicture, starLayer } from '../surface.ts'
import type { Moment, Stage, World } from '../world.ts'
import { FLATNESS, RING_REACH, RingField } from './ring-field.ts'

const TILT = -0.3

/** Draws a giant planet with rings and moons, and a small station on its way to the highest point of its orbit. */
export function orbits({ width, height, seed }: Stage): World {
  const random = randomFrom(seed)
  const portrait = height > width
  const unit = Math.min(height, width * 1.02)
  const centreX = width * (portrait ? 0.52 : 0.6)
  const centreY = height * (portrait ? 0.42 : 0.5)
  const nebula = noiseTile(`${seed} nebula`, 3, 6)
  const back = shadedPicture(width, height, (x, y, out) => {
    const u = (x / unit) * 74
    const v = (y / unit) * 74
    const cloud = noiseAt(nebula, u, v)
    const veil = noiseAt(nebula, v * 0.6 + 90, u * 0.6 + 31)
    const near = Math.exp(-(((x - centreX) / unit) ** 2 + ((y - centreY) / unit) ** 2) * 2.2)
    const warm = clamp((cloud - 0.4) * 2.4) * (0.3 + near)
    const cold = clamp((veil - 0.42) * 2.4)
    out[0] = 5 + warm * 92 + cold * 8
    out[1] = 6 + warm * 34 + cold * 30
    out[2] = 14 + warm * 30 + cold * 62
  })
  const stars = starLayer(width, height, random, Math.round((width * height) / 900))
  const bands = noiseTile(`${seed} bands`, 4, 6)
  const swirl = noiseTile(`${seed} swirl`, 8, 5)
  const cloudTones = ramp([
    [0, '#6e2412'],
    [0.25, '#b9552a'],
    [0.45, '#e89a58'],
    [0.6, '#ffd7a0'],
    [0.75, '#d9824a'],
    [1, '#8a3520'],
  ])
  const scale = 0.5
  const radius = unit * 0.2
  const globe = new SoftField(radius * 2.04 * scale, radius * 2.04 * scale)
  const colours = Array.from({ length: 256 }, (_, index) => cloudTones(index / 255))

  // For each pixel of the globe, its position on the sphere and the light on it.
  const sphere = Array.from({ length: globe.width * globe.height }, (_, at) => {
    const x = ((at % globe.width) + 0.5) / (radius * scale) - 1.02
    const y = (Math.floor(at / globe.width) + 0.5) / (radius * scale) - 1.02
    const distance = x * x + y * y
    if (distance > 1.03) return null
    const z = Math.sqrt(Math.max(0, 1 - distance))
    // The planet is tilted like its rings.
    const leanX = x * Math.cos(TILT) + y * Math.sin(TILT)
    const leanY = -x * Math.sin(TILT) + y * Math.cos(TILT)
    const latitude = Math.asin(clamp(leanY * 0.94 + z * 0.3, -1, 1))
    const longitude = Math.atan2(leanX, z * 0.94 - leanY * 0.3)
    const sun = clamp(x * -0.62 + y * -0.4 + z * 0.67)
    return {
      longitude,
      latitude,
      sun,
      rim: (1 - z) ** 3,
      cover: clamp((1.005 - Math.sqrt(distance)) * radius * scale),
    }
  })

  const paintGlobe = (seconds: number) => {
    const { pixels } = globe
    const turn = seconds * 2.4
    for (let at = 0; at < sphere.length; at++) {
      const point = sphere[at]
      const pixel = at * 4
      if (point === null || point === undefined) {
        pixels[pixel + 3] = 0
        continue
      }
      const u = (point.longitude / (Math.PI * 2)) * NOISE_SIZE + turn
      const curl = noiseAt(swirl, u * 2, point.latitude * 70 + 40)
      const tone = noiseAt(bands, u * 0.28 + curl * 5, point.latitude * 74 + (curl - 0.5) * 11 + 128)
      const colour = colours[Math.max(0, Math.min(255, Math.round((tone - 0.22) * 440)))]!
      const light = 0.05 + 1.12 * point.sun
      const rim = point.rim * (0.2 + point.sun) * 90
      pixels[pixel] = colour[0] * light + rim
      pixels[pixel + 1] = colour[1] * light + rim * 0.72
      pixels[pixel + 2] = colour[2] * light + rim * 0.5
      pixels[pixel + 3] = point.cover * 255
    }
  }

  const rings = new RingField(radius, randomFrom(`${seed} rings`))
  const glow = glowSprite([255, 150, 70], 2.1)
  const spark = glowSprite([190, 225, 255], 2)
  const moons = [
    {
      distance: 2.05,
      size: 0.11,
      speed: 0.24,
      phase: 0.4,
      art: moonArt(radius * 0.24, ['#e8eef8', '#5f6f92'], randomFrom(`${seed} moon 1`)),
    },
    {
      distance: 3.1,
      size: 0.17,
      speed: 0.13,
      phase: 2.6,
      art: moonArt(radius * 0.36, ['#a9d8d0', '#27505e'], randomFrom(`${seed} moon 2`)),
    },
    {
      distance: 4.0,
      size: 0.08,
      speed: 0.09,
      phase: 4.4,
      art: moonArt(radius * 0.17, ['#ffd9b0', '#7a4a3a'], randomFrom(`${seed} moon 3`)),
    },
  ]
  const comets = Array.from({ length: 60 }, () => ({
    distance: 1.3 + random() * 2.3,
    phase: random() * 6.283,
    speed: 0.3 + random() * 0.2,
    size: 0.5 + random() * 1.2,
  }))

  const onOrbit = (distance: number, angle: number) => {
    const x = Math.cos(angle) * radius * distance
    const y = Math.sin(angle) * radius * distance * FLATNESS
    return {
      x: x * Math.cos(TILT) - y * Math.sin(TILT),
      y: x * Math.sin(TILT) + y * Math.cos(TILT),
      near: Math.sin(angle) > 0,
    }
  }

  const drawRings = (picture: SKRSContext2D, near: boolean) => {
    picture.save()
    picture.rotate(TILT)
    picture.beginPath()
    picture.rect(-radius * 4, near ? 0 : -radius * 2, radius * 8, radius * 2)
    picture.clip()
    picture.globalCompositeOperation = 'lighter'
    const reach = radius * RING_REACH
    picture.drawImage(rings.canvas, -reach, -reach * FLATNESS, reach * 2, reach * 2 * FLATNESS)
    picture.restore()
  }

  const drawBodies = (picture: SKRSContext2D, seconds: number, near: boolean) => {
    picture.fillStyle = 'rgba(255,226,190,.85)'
    for (const comet of comets) {
      const at = onOrbit(comet.distance, comet.phase + (seconds * comet.speed) / comet.distance ** 1.5)
      if (at.near === near) picture.fillRect(at.x, at.y, comet.size * 1.5, comet.size * 1.5)
    }
    for (const moon of moons) {
      const at = onOrbit(moon.distance, moon.phase + seconds * moon.speed)
      if (at.near === near) picture.drawImage(moon.art, at.x - moon.art.width / 2, at.y - moon.art.height / 2)
    }
  }

  const drawStation = (picture: SKRSContext2D, { seconds, progress }: Moment) => {
    const angle = mix(2.6, 5.4, smooth(progress))
    const distance = mix(2.4, 4.7, Math.sin(clamp(progress) * Math.PI * 0.5))
    const at = onOrbit(distance, angle)
    const before = onOrbit(distance - 0.15, angle - 0.22)
    const trail = picture.createLinearGradient(at.x, at.y, before.x, before.y)
    trail.addColorStop(0, 'rgba(190,225,255,.85)')
    trail.addColorStop(1, 'rgba(190,225,255,0)')
    picture.strokeStyle = trail
    picture.lineWidth = Math.max(1, unit * 0.0022)
    picture.beginPath()
    for (let index = 0; index <= 14; index++) {
      const point = onOrbit(distance - (0.15 * index) / 14, angle - (0.22 * index) / 14)
      picture.lineTo(point.x, point.y)
    }
    picture.stroke()
    drawGlow(picture, spark, at.x, at.y, unit * (0.02 + 0.008 * Math.sin(seconds * 5)), 0.9)
    picture.fillStyle = '#ffffff'
    picture.fillRect(at.x - unit * 0.0018, at.y - unit * 0.0018, unit * 0.0036, unit * 0.0036)
  }

  return {
    draw(picture, moment) {
      const { seconds, progress } = moment
      paintGlobe(seconds)
      rings.turn(seconds)
      picture.drawImage(back, 0, 0)
      const twinkle = Math.round(seconds * 1.6) % width
      picture.drawImage(stars, -twinkle, 0)
      picture.drawImage(stars, width - twinkle, 0)
      picture.save()
      const zoom =
        (portrait ? 0.88 : 1) *
        mix(0.9, 1.22, smooth(step(0, 0.7, progress))) *
        mix(1, 0.8, step(0.78, 1, progress))
      picture.translate(centreX - (zoom - 1) * unit * 0.14, centreY)
      picture.scale(zoom, zoom)
      drawGlow(picture, glow, 0, 0, radius * 3, 0.5)
      drawRings(picture, false)
      drawBodies(picture, seconds, false)
      picture.drawImage(globe.update(), -radius * 1.02, -radius * 1.02, radius * 2.04, radius * 2.04)
      drawRings(picture, true)
      drawBodies(picture, seconds, true)
      drawStation(picture, moment)
      picture.restore()
    },
  }
}

function moonArt(size: number, [bright, dark]: readonly [string, string], random: () => number): Canvas {
  return prerender(size + 2, size + 2, (picture) => {
    const middle = size / 2 + 1
    const light = picture.createRadialGradient(
      middle - size * 0.2,
      middle - size * 0.15,
      0,
      middle,
      middle,
      size * 0.56,
    )
    light.addColorStop(0, bright)
    light.addColorStop(0.55, css(blend(rgb(bright), rgb(dark), 0.5)))
    light.addColorStop(1, css(blend(rgb(dark), [4, 6, 14], 0.75)))
    picture.fillStyle = light
    picture.beginPath()
    picture.arc(middle, middle, size / 2, 0, 7)
    picture.fill()
    picture.clip()
    for (let crater = 0; crater < 12; crater++) {
      picture.fillStyle = css(rgb(dark), 0.25 + random() * 0.2)
      picture.beginPath()
      picture.arc(
        middle + (random() - 0.5) * size,
        middle + (random() - 0.5) * size,
        size * (0.02 + random() * 0.06),
        0,
        7,
      )
      picture.fill()
    }
  })
}
