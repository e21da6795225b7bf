import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Cards } from './cards.ts'
import { useDisplayFace } from './fonts.ts'
import { fittingSize, spacedLine, titleArt } from './lettering.ts'
import { clamp, smooth } from './random.ts'
import { prerender } from './surface.ts'
import { letteringIn, type Title } from './title.ts'

/** Length of every trailer. */
export const TRAILER_SECONDS = 14

/** When the title comes, as a share of the trailer. */
const NAME_SHARE = 10 / 14
const FADE = 0.35

/** Length of a trailer when films are cut to `secondsPerFilm`: tests make short ones. */
export function trailerSeconds(secondsPerFilm: number | null): number {
  return secondsPerFilm === null ? TRAILER_SECONDS : Math.min(TRAILER_SECONDS, secondsPerFilm / 2)
}

/** A piece of the film: from `from` on the trailer shows the film from `seconds` on. */
export interface Shot {
  readonly from: number
  readonly seconds: number
}

/** The shots of a trailer of `length` seconds, from a film of `duration` seconds. */
export function shotsOf(title: Title, duration: number, trailerLength: number): Shot[] {
  const points = title.stills.trailer
  const nameFrom = trailerLength * NAME_SHARE
  const length = nameFrom / points.length
  const shots = points.map((point, index) => ({ from: index * length, seconds: point * duration }))
  return [...shots, { from: nameFrom, seconds: title.stills.poster * duration }]
}

/** Dips to black between the shots, the tagline in two breaths, then the name and the date. */
export function trailerCards(title: Title, width: number, height: number, trailerLength: number): Cards {
  const nameFrom = trailerLength * NAME_SHARE
  const length = nameFrom / title.stills.trailer.length
  const halves = splitLine(title.tagline.fra)
  const lines = halves.map((text) =>
    prerender(width, 220, (picture) => {
      // The words stand on a soft band, so that they are read on snow as on night.
      const { veil = '#05070b', colour } = title.lettering
      const band = picture.createLinearGradient(0, 0, 0, 220)
      band.addColorStop(0, `${veil}00`)
      band.addColorStop(0.5, `${veil}a0`)
      band.addColorStop(1, `${veil}00`)
      picture.fillStyle = band
      picture.fillRect(0, 0, width, 220)
      useDisplayFace(picture, 46, 90, 700)
      picture.textAlign = 'center'
      picture.fillStyle = title.lettering.veil === undefined ? '#ffffff' : colour
      picture.fillText(text, width / 2, 124)
    }),
  )
  const lettering = letteringIn(title, 'fra')
  const art = titleArt(lettering, fittingSize(lettering, width * 0.6, height * 0.32), '#ffffff')
  const date = prerender(width, 50, (picture) =>
    spacedLine(picture, `${frenchDate(title.premiered)} sur Ondine`, width / 2, 34, {
      size: 18,
      colour: '#ffffff',
      align: 'center',
      spacing: 0.3,
    }),
  )
  return {
    draw(picture, seconds) {
      if (seconds < nameFrom) {
        const at = seconds % length
        black(picture, width, height, 1 - smooth(Math.min(at, length - at) / FADE))
        for (const [index, line] of lines.entries()) {
          const from = 1 + index * ((nameFrom - 1.4) / lines.length)
          const passed = seconds - from
          const alpha = smooth(passed / 0.6) * smooth((3 - passed) / 0.6)
          if (alpha <= 0) continue
          picture.globalAlpha = alpha
          picture.drawImage(line, 0, Math.round(height * 0.62))
        }
      } else {
        const passed = seconds - nameFrom
        black(picture, width, height, 0.58 + 0.42 * (1 - smooth(passed / 0.5)))
        picture.globalAlpha = smooth((passed - 0.2) / 0.7)
        picture.drawImage(
          art,
          Math.round((width - art.width) / 2),
          Math.round(height * 0.47 - art.height / 2),
        )
        picture.globalAlpha = smooth((passed - 1) / 0.7)
        picture.drawImage(date, 0, Math.round(height * 0.47 + art.height / 2 + 24))
        picture.globalAlpha = 1
        black(picture, width, height, smooth((seconds - trailerLength + 0.7) / 0.6))
      }
      picture.globalAlpha = 1
    },
  }
}

function black(picture: SKRSContext2D, width: number, height: number, alpha: number): void {
  if (alpha <= 0) return
  picture.globalAlpha = clamp(alpha)
  picture.fillStyle = '#000000'
  picture.fillRect(0, 0, width, height)
  picture.globalAlpha = 1
}

/** A sentence in two, at the comma or the space nearest to its middle. */
function splitLine(text: string): string[] {
  const comma = text.indexOf(',')
  if (comma > 8 && comma < text.length - 8) return [text.slice(0, comma + 1), text.slice(comma + 1).trim()]
  return [text]
}

function frenchDate(day: string): string {
  return new Intl.DateTimeFormat('fr-FR', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))
}
