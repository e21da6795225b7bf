import { type Cards, cover } from './cards.ts'
import { smooth } from './random.ts'
import type { Title } from './title.ts'

/** Length of every trailer, in seconds. */
const TRAILER_SECONDS = 8

/** Start of the last shot, as a fraction of the trailer. */
const LAST_SHARE = 7.5 / 10
const FADE = 0.35

/**
 * Returns the length of a trailer in seconds. If `secondsPerFilm` shortens the films, as in tests, trailers are
 * shorter too.
 */
export function trailerSeconds(secondsPerFilm: number | null): number {
  return secondsPerFilm === null ? TRAILER_SECONDS : Math.min(TRAILER_SECONDS, secondsPerFilm / 2)
}

/** A shot of a trailer. It begins at second `from` of the trailer, and shows the film from second `seconds` on. */
export interface Shot {
  readonly from: number
  readonly seconds: number
}

/** Returns the shots of a trailer of `trailerLength` seconds, from a film of `duration` seconds. */
export function shotsOf(title: Title, duration: number, trailerLength: number): Shot[] {
  const points = title.stills.trailer
  const lastFrom = trailerLength * LAST_SHARE
  const length = lastFrom / points.length
  const shots = points.map((point, index) => ({ from: index * length, seconds: point * duration }))
  return [...shots, { from: lastFrom, seconds: title.stills.poster * duration }]
}

/**
 * Fades to black between the shots and at the end. The trailer has no words, because the page beside the trailer
 * shows the title in the viewer's language.
 */
export function trailerCards(title: Title, width: number, height: number, trailerLength: number): Cards {
  const lastFrom = trailerLength * LAST_SHARE
  const length = lastFrom / title.stills.trailer.length
  return {
    draw(picture, seconds) {
      const isLast = seconds >= lastFrom
      const at = isLast ? seconds - lastFrom : seconds % length
      const left = isLast ? trailerLength - seconds : length - at
      cover(picture, width, height, '#000000', 1 - smooth(Math.min(at, left) / FADE))
      picture.globalAlpha = 1
    },
  }
}
