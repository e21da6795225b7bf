import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { useTextFace } from './fonts.ts'
import { frameStrip, STRIP_SQUARE } from './frame-strip.ts'
import { prerender } from './surface.ts'
import { FRAME_RATE } from './timing.ts'
import { twoDigits } from './title.ts'

const GLYPHS = '0123456789:'
const GLYPH_WIDTH = 10
const GLYPH_HEIGHT = 22
const STRIP_LIGHT = '#c9cdd2'
const STRIP_DARK = '#101418'

/** The time code in the lower right corner and the machine-readable strip in the lower left (see `frame-strip.ts`). */
export class Overlay {
  readonly #width: number
  readonly #height: number
  readonly #film: number
  readonly #glyphs: Canvas

  constructor(width: number, height: number, film: number) {
    this.#width = width
    this.#height = height
    this.#film = film
    this.#glyphs = prerender(GLYPHS.length * GLYPH_WIDTH, GLYPH_HEIGHT, (picture) => {
      useTextFace(picture, 15, 600)
      picture.textAlign = 'center'
      for (const [index, glyph] of Array.from(GLYPHS).entries()) {
        const x = (index + 0.5) * GLYPH_WIDTH
        picture.strokeStyle = 'rgba(8,12,18,.42)'
        picture.lineWidth = 2.6
        picture.lineJoin = 'round'
        picture.strokeText(glyph, x, 16)
        picture.fillStyle = 'rgba(255,255,255,.86)'
        picture.fillText(glyph, x, 16)
      }
    })
  }

  /** Draws both for frame number `frame`, the film's first being 0. */
  draw(picture: SKRSContext2D, frame: number): void {
    const second = Math.floor(frame / FRAME_RATE)
    const code = `${twoDigits(Math.floor(second / 60))}:${twoDigits(second % 60)}:${twoDigits(frame % FRAME_RATE)}`
    let x = this.#width - 24 - code.length * GLYPH_WIDTH
    const y = this.#height - 38
    for (const glyph of code) {
      const from = GLYPHS.indexOf(glyph) * GLYPH_WIDTH
      picture.drawImage(this.#glyphs, from, 0, GLYPH_WIDTH, GLYPH_HEIGHT, x, y, GLYPH_WIDTH, GLYPH_HEIGHT)
      x += glyph === ':' ? GLYPH_WIDTH - 3 : GLYPH_WIDTH
    }
    const side = (STRIP_SQUARE * this.#height) / 720
    const squares = frameStrip({ second, film: this.#film })
    picture.fillStyle = STRIP_DARK
    picture.fillRect(0, this.#height - side, side * squares.length, side)
    picture.fillStyle = STRIP_LIGHT
    for (const [index, light] of squares.entries()) {
      if (light) picture.fillRect(index * side, this.#height - side, side, side)
    }
  }
}
