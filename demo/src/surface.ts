import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from './colour.ts'
import { css } from './colour.ts'
import type { Moment } from './world.ts'

/** Draws on a separate canvas once. For parts of a picture that do not move. */
export function prerender(width: number, height: number, paint: (picture: SKRSContext2D) => void): Canvas {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)))
  paint(canvas.getContext('2d'))
  return canvas
}

/** Returns a canvas without its transparent margins. Returns an empty canvas unchanged. */
export function trimmed(canvas: Canvas): Canvas {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (data[pixel * 4 + 3] === 0) continue
    const x = pixel % width
    const y = (pixel - x) / width
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = y
  }
  if (right < 0) return canvas
  return prerender(right - left + 1, bottom - top + 1, (picture) => picture.drawImage(canvas, -left, -top))
}

/**
 * Creates a picture of a soft round light of `colour`. The picture is small and is always enlarged. Computing a
 * gradient for each frame would take longer.
 */
export function glowSprite(colour: Rgb, softness = 2): Canvas {
  return prerender(128, 128, (picture) => {
    const gradient = picture.createRadialGradient(64, 64, 0, 64, 64, 64)
    for (let index = 0; index <= 16; index++) {
      const share = index / 16
      gradient.addColorStop(share, css(colour, (1 - share) ** softness))
    }
    picture.fillStyle = gradient
    picture.fillRect(0, 0, 128, 128)
  })
}

/** Draws `sprite` centred on a point, with this radius, and with the opacity `alpha`. */
export function drawGlow(
  picture: SKRSContext2D,
  sprite: Canvas,
  x: number,
  y: number,
  radius: number,
  alpha: number,
  radiusY = radius,
): void {
  if (alpha <= 0.004) return
  const before = picture.globalAlpha
  picture.globalAlpha = Math.min(1, alpha)
  picture.drawImage(sprite, x - radius, y - radiusY, radius * 2, radiusY * 2)
  picture.globalAlpha = before
}

const DITHER_SIZE = 64
/**
 * Interleaved gradient noise, from -0.5 to 0.5. It spreads the rounding errors of dark gradients, so that no bands
 * are visible.
 */
const DITHER = Float32Array.from({ length: DITHER_SIZE * DITHER_SIZE }, (_, at) => {
  const x = at % DITHER_SIZE
  const y = Math.floor(at / DITHER_SIZE)
  return ((52.9829189 * ((0.06711056 * x + 0.00583715 * y) % 1)) % 1) - 0.5
})

/** Writes the colour of a pixel into `out`. Values are from 0 to 255 and may have fractions. */
export type Shade = (x: number, y: number, out: Float32Array) => void

/** Fills rows `from` to `to` (excluded) of RGBA `pixels` with colours from `shade`, dithered. */
function shadeRows(pixels: Uint8ClampedArray, width: number, from: number, to: number, shade: Shade): void {
  const out = new Float32Array(3)
  for (let y = from; y < to; y++) {
    const ditherRow = (y % DITHER_SIZE) * DITHER_SIZE
    let at = y * width * 4
    for (let x = 0; x < width; x++) {
      shade(x, y, out)
      const noise = DITHER[ditherRow + (x % DITHER_SIZE)]! * 1.6
      pixels[at] = out[0]! + noise
      pixels[at + 1] = out[1]! + noise
      pixels[at + 2] = out[2]! + noise
      pixels[at + 3] = 255
      at += 4
    }
  }
}

/** Computes a still picture pixel by pixel. Dithering prevents visible bands. */
export function shadedPicture(wide: number, high: number, shade: Shade): Canvas {
  const width = Math.max(1, Math.round(wide))
  const height = Math.max(1, Math.round(high))
  return prerender(width, height, (picture) => {
    const pixels = new Uint8ClampedArray(width * height * 4)
    shadeRows(pixels, width, 0, height, shade)
    picture.putImageData(new ImageData(pixels, width, height), 0, 0)
  })
}

/**
 * A picture in memory whose pixels code writes directly. For large shapes, this takes a fraction of the time of
 * drawing paths. Sprites and text are drawn over the picture afterwards.
 */
export class PixelLayer {
  readonly width: number
  readonly height: number
  /** Pixels as RGBA bytes. */
  readonly pixels: Uint8ClampedArray
  /** The same memory as `pixels`, with one number per pixel (see {@link word}). */
  readonly words: Uint32Array
  readonly #image: ImageData

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    const memory = new ArrayBuffer(width * height * 4)
    this.pixels = new Uint8ClampedArray(memory)
    this.words = new Uint32Array(memory)
    this.words.fill(0xff000000)
    this.#image = new ImageData(this.pixels, width, height)
  }

  /** Copies this layer onto a picture, at the upper left corner. */
  put(picture: SKRSContext2D): void {
    picture.putImageData(this.#image, 0, 0)
  }
}

/** Packs an opaque colour into a number for {@link PixelLayer.words}. Works on little-endian machines only. */
export function word(red: number, green: number, blue: number): number {
  const r = red < 0 ? 0 : red > 255 ? 255 : red | 0
  const g = green < 0 ? 0 : green > 255 ? 255 : green | 0
  const b = blue < 0 ? 0 : blue > 255 ? 255 : blue | 0
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0
}

/** Seconds from one painting of a {@link SlowBackdrop} to the next. */
const KEY_SECONDS = 2
/**
 * A painting consists of this many slices. Each frame paints one slice, so that the painting is ready when it is
 * needed.
 */
const SLICES = KEY_SECONDS * 24

/**
 * An opaque backdrop that changes slowly, such as a sky, at the top of the picture. There is a new painting every
 * two seconds, and each frame paints a slice of it. The backdrop cross-fades from one painting to the next. A new
 * painting for each frame would take longer than the rest of the picture.
 */
export class SlowBackdrop {
  readonly #width: number
  readonly #height: number
  readonly #shadeAt: (moment: Moment) => Shade
  readonly #pixels: Uint8ClampedArray
  readonly #image: ImageData
  #from: Canvas
  #to: Canvas
  #next: Canvas
  /** Number of the painting in `#from`, counted from the film's start; NaN before the first painting. */
  #key = Number.NaN
  #painted = 0

  constructor(width: number, height: number, shadeAt: (moment: Moment) => Shade) {
    this.#width = Math.ceil(width)
    this.#height = Math.ceil(height)
    this.#shadeAt = shadeAt
    this.#pixels = new Uint8ClampedArray(this.#width * this.#height * 4)
    this.#image = new ImageData(this.#pixels, this.#width, this.#height)
    this.#from = createCanvas(this.#width, this.#height)
    this.#to = createCanvas(this.#width, this.#height)
    this.#next = createCanvas(this.#width, this.#height)
  }

  draw(picture: SKRSContext2D, moment: Moment): void {
    const position = moment.seconds / KEY_SECONDS
    const key = Math.floor(position)
    if (key === this.#key + 1) {
      this.#paint(moment, key + 1, SLICES)
      const free = this.#from
      this.#from = this.#to
      this.#to = this.#next
      this.#next = free
      this.#painted = 0
    } else if (key !== this.#key) {
      this.#begin(moment, key)
    }
    this.#key = key
    const share = position - key
    this.#paint(moment, key + 2, Math.floor(share * SLICES) + 1)
    picture.drawImage(this.#from, 0, 0)
    picture.globalAlpha = share
    picture.drawImage(this.#to, 0, 0)
    picture.globalAlpha = 1
  }

  /** Makes two whole paintings at once. Needed after a jump in time. */
  #begin(moment: Moment, key: number): void {
    for (const [canvas, number] of [
      [this.#from, key],
      [this.#to, key + 1],
    ] as const) {
      this.#painted = 0
      this.#paint(moment, number, SLICES)
      canvas.getContext('2d').putImageData(this.#image, 0, 0)
    }
    this.#painted = 0
  }

  /** Paints the next slices of the painting with the number `key`, until `slices` of its slices are done. */
  #paint({ duration }: Moment, key: number, slices: number): void {
    if (this.#painted >= slices) return
    const seconds = key * KEY_SECONDS
    const shade = this.#shadeAt({ seconds, progress: seconds / duration, duration })
    const row = (slice: number) => Math.floor((this.#height * slice) / SLICES)
    shadeRows(this.#pixels, this.#width, row(this.#painted), row(slices), shade)
    this.#painted = slices
    if (slices === SLICES) this.#next.getContext('2d').putImageData(this.#image, 0, 0)
  }
}

/**
 * A soft moving light: aurora, clouds, mist. It is computed pixel by pixel at a fraction of the picture's size,
 * and enlarged.
 */
export class SoftField {
  readonly width: number
  readonly height: number
  /** Pixels as RGBA bytes, not premultiplied. Fill them before a call of `draw`. */
  readonly pixels: Uint8ClampedArray
  readonly #image: ImageData
  readonly #canvas: Canvas
  readonly #context: SKRSContext2D

  constructor(width: number, height: number) {
    this.width = Math.max(1, Math.round(width))
    this.height = Math.max(1, Math.round(height))
    this.pixels = new Uint8ClampedArray(this.width * this.height * 4)
    this.#image = new ImageData(this.pixels, this.width, this.height)
    this.#canvas = createCanvas(this.width, this.height)
    this.#context = this.#canvas.getContext('2d')
  }

  /** Returns `pixels` as a picture, without enlarging it. */
  update(): Canvas {
    this.#context.putImageData(this.#image, 0, 0)
    return this.#canvas
  }

  /** Draws `pixels`, enlarged, onto a rectangle of the picture. Uses the compositing mode of the picture. */
  draw(picture: SKRSContext2D, x: number, y: number, width: number, height: number): void {
    picture.drawImage(this.update(), x, y, width, height)
  }
}

/** Creates a transparent layer of stars. Faint stars are smaller and more frequent than bright stars. */
export function starLayer(width: number, height: number, random: () => number, count: number): Canvas {
  return prerender(width, height, (picture) => {
    for (let index = 0; index < count; index++) {
      const brightness = random() ** 3
      const size = 0.5 + brightness * 1.5
      const tint = random()
      const colour: Rgb = tint < 0.2 ? [255, 220, 190] : tint < 0.45 ? [190, 215, 255] : [255, 255, 255]
      const x = random() * width
      const y = random() * height
      picture.fillStyle = css(colour, 0.25 + brightness * 0.75)
      picture.beginPath()
      picture.arc(x, y, size * (height / 900 + 0.35), 0, 7)
      picture.fill()
    }
  })
}
