import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { useTextFace } from './fonts.ts'
import { clamp, smooth } from './random.ts'
import { prerender } from './surface.ts'
import type { Timing } from './timing.ts'
import type { Film, Series } from './title.ts'

/** Draws the fade-in and the credits over a frame of a film, at a given second. */
export interface Cards {
  draw(picture: SKRSContext2D, seconds: number): void
}

/** Duration of the fade-in from black, in seconds. */
const OPENING_SECONDS = 1.2
/** The dark background of credits. Credits have light letters in every film. */
const SHADE = '#05070b'

/**
 * Creates the fade-in and the credits of a film or an episode. They contain no words, because a film is watched in
 * several languages. The credits are only names of people.
 */
export function cardsFor(
  title: Film | Series,
  { opening, credits }: Timing,
  width: number,
  height: number,
): Cards {
  const roll = creditRoll(title, width)
  return {
    draw(picture, seconds) {
      if (seconds >= credits.from) {
        const share = (seconds - credits.from) / (credits.to - credits.from)
        cover(picture, width, height, SHADE, smooth(share / 0.14) * 0.74)
        picture.globalAlpha = smooth((share - 0.05) / 0.12)
        // Rounded to whole pixels. Text at fractional rows flickers and costs more to encode.
        picture.drawImage(roll, 0, Math.round(height - share * 1.04 * (roll.height + height * 0.3)))
        cover(picture, width, height, '#000000', smooth((share - 0.93) / 0.07))
      }
      const dark = 1 - clamp(seconds / Math.min(OPENING_SECONDS, opening.to))
      cover(picture, width, height, '#000000', smooth(dark))
      picture.globalAlpha = 1
    },
  }
}

/** Fills the whole picture with a translucent colour. */
export function cover(
  picture: SKRSContext2D,
  width: number,
  height: number,
  colour: string,
  alpha: number,
): void {
  if (alpha <= 0) return
  picture.globalAlpha = clamp(alpha)
  picture.fillStyle = colour
  picture.fillRect(0, 0, width, height)
}

function creditRoll(title: Film | Series, width: number): Canvas {
  const names = [
    ...new Set([
      title.director,
      title.writer,
      ...title.actors.map(({ name }) => name),
      title.composer,
      title.studio,
    ]),
  ]
  const lineHeight = 48
  return prerender(width, 60 + names.length * lineHeight, (picture) => {
    picture.textAlign = 'center'
    picture.fillStyle = '#f3f6f9'
    useTextFace(picture, 24, 600)
    for (const [index, name] of names.entries()) picture.fillText(name, width / 2, 50 + index * lineHeight)
  })
}
