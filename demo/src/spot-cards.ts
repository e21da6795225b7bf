import { type Cards, cover } from './cards.ts'
import { fittingSize, spacedLine, titleArt } from './lettering.ts'
import { smooth } from './random.ts'
import type { Spot } from './spots.ts'

const FADE_SECONDS = 0.4
/** Fraction of the advertisement after which the brand appears. */
const BRAND_FROM = 0.35

/** Draws the name of the brand over the second part of an advertisement. */
export function spotCards(
  { brand, line, colour }: Spot,
  width: number,
  height: number,
  seconds: number,
): Cards {
  const lettering = { lines: [brand], colour, align: 'center', place: 'middle', size: 0.2 } as const
  const art = titleArt(lettering, fittingSize(lettering, width * 0.5, 190))
  return {
    draw(picture, at) {
      const shown = smooth((at / seconds - BRAND_FROM) / 0.15)
      cover(picture, width, height, '#05070b', shown * 0.35)
      picture.globalAlpha = shown
      picture.drawImage(art, (width - art.width) / 2, (height - art.height) / 2)
      spacedLine(picture, line, width / 2, (height + art.height) / 2 + 44, {
        size: 26,
        colour,
        align: 'center',
      })
      cover(picture, width, height, '#000000', 1 - smooth(Math.min(at, seconds - at) / FADE_SECONDS))
      picture.globalAlpha = 1
    },
  }
}
