import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { drawFrameStrip, frameStrip, readFrameStrip, STRIP_SQUARE, STRIP_SQUARES } from './frame-strip.ts'
import { randomFrom } from './random.ts'

function frame(width: number, height: number, background = '#888888') {
  const canvas = createCanvas(width, height)
  const picture = canvas.getContext('2d')
  picture.fillStyle = background
  picture.fillRect(0, 0, width, height)
  return { canvas, picture, pixels: () => picture.getImageData(0, 0, width, height) }
}

describe('the frame strip', () => {
  it.each([
    { second: 0, film: 1 },
    { second: 71, film: 26 },
    { second: 1023, film: 63 },
    { second: 0, film: 0 },
  ])('reads back what was drawn: second $second of film $film', ({ second, film }) => {
    const { picture, pixels } = frame(1280, 720)
    drawFrameStrip(picture, { second, film }, 720)
    expect(readFrameStrip(pixels())).toEqual({ second, film })
  })

  it.each(['#000000', '#ffffff'])('is read on a picture that is all %s', (background) => {
    const { picture, pixels } = frame(1280, 720, background)
    drawFrameStrip(picture, { second: 33, film: 12 }, 720)
    expect(readFrameStrip(pixels())).toEqual({ second: 33, film: 12 })
  })

  it.each([
    [640, 360],
    [1920, 1080],
    [854, 480],
  ])('is read after scaling to %dx%d', (width, height) => {
    const { canvas, picture } = frame(1280, 720)
    drawFrameStrip(picture, { second: 42, film: 7 }, 720)
    const scaled = frame(width, height)
    scaled.picture.drawImage(canvas, 0, 0, width, height)
    expect(readFrameStrip(scaled.pixels())).toEqual({ second: 42, film: 7 })
  })

  it('is read through noise', () => {
    const { picture, pixels } = frame(1280, 720)
    drawFrameStrip(picture, { second: 17, film: 9 }, 720)
    const noisy = pixels()
    const random = randomFrom('noise')
    for (let at = 0; at < noisy.data.length; at++)
      noisy.data[at] = (noisy.data[at] ?? 0) + (random() - 0.5) * 60
    expect(readFrameStrip(noisy)).toEqual({ second: 17, film: 9 })
  })

  it('is not found where there is none', () => {
    expect(readFrameStrip(frame(1280, 720).pixels())).toBeNull()
    expect(readFrameStrip(frame(160, 90).pixels())).toBeNull()
    expect(readFrameStrip({ data: [], width: 0, height: 0 })).toBeNull()
  })

  it('is refused when a single square is wrong', () => {
    const squares = frameStrip({ second: 345, film: 21 })
    for (let wrong = 0; wrong < STRIP_SQUARES; wrong++) {
      const { picture, pixels } = frame(1280, 720)
      for (const [index, light] of squares.entries()) {
        picture.fillStyle = (index === wrong ? !light : light) ? '#ffffff' : '#000000'
        picture.fillRect(index * STRIP_SQUARE, 720 - STRIP_SQUARE, STRIP_SQUARE, STRIP_SQUARE)
      }
      expect(readFrameStrip(pixels()), `square ${wrong}`).toBeNull()
    }
  })

  it.each([
    { second: -1, film: 1 },
    { second: 1024, film: 1 },
    { second: 0.5, film: 1 },
    { second: 1, film: 64 },
    { second: 1, film: Number.NaN },
  ])('refuses second $second of film $film', (stamp) => {
    expect(() => frameStrip(stamp)).toThrow(RangeError)
  })
})
