import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { useDisplayFace, useTextFace } from './fonts.ts'
import { fittingSize, spacedLine, titleArt } from './lettering.ts'
import { clamp, smooth } from './random.ts'
import { prerender } from './surface.ts'
import type { Span, Timing } from './timing.ts'
import { type Episode, type Film, letteringIn, type Series } from './title.ts'

/** What stands over the picture at a second of the film: studio, title, credits. */
export interface Cards {
  draw(picture: SKRSContext2D, seconds: number): void
}

/** The cards of a film or, with `episode`, of an episode of a series. */
export function cardsFor(
  title: Film | Series,
  timing: Timing,
  width: number,
  height: number,
  episode?: Episode,
): Cards {
  const presents = prerender(width, 60, (picture) =>
    spacedLine(picture, `${title.studio} présente`, width / 2, 40, {
      size: 19,
      colour: title.lettering.colour,
      align: 'center',
      spacing: 0.3,
    }),
  )
  const card = titleCard(title, width, height, episode)
  const roll = creditRoll(title, width, episode)
  const credits = timing.credits
  // Credits are light letters whatever the film's own colour: what lies behind them is dark.
  const shade = '#05070b'
  return {
    draw(picture, seconds) {
      const first = visibility(timing.presents, seconds, 0.3)
      if (first > 0) {
        picture.globalAlpha = first
        picture.drawImage(presents, 0, Math.round(height * 0.46))
      }
      const second = visibility(timing.title, seconds, 0.22)
      if (second > 0) {
        picture.globalAlpha = second
        picture.drawImage(card, 0, 0)
      }
      if (seconds >= credits.from) {
        const share = (seconds - credits.from) / (credits.to - credits.from)
        picture.globalAlpha = smooth(share / 0.14) * 0.74
        picture.fillStyle = shade
        picture.fillRect(0, 0, width, height)
        picture.globalAlpha = smooth((share - 0.05) / 0.12)
        // Whole pixels: text that lands between rows shimmers, and costs more to encode.
        picture.drawImage(roll, 0, Math.round(height - share * 1.04 * (roll.height + height * 0.3)))
        const out = smooth((share - 0.93) / 0.07)
        if (out > 0) {
          picture.globalAlpha = out
          picture.fillStyle = '#000000'
          picture.fillRect(0, 0, width, height)
        }
      }
      const opening = 1 - clamp(seconds / Math.min(1.2, timing.presents.to))
      if (opening > 0) {
        picture.globalAlpha = smooth(opening)
        picture.fillStyle = '#000000'
        picture.fillRect(0, 0, width, height)
      }
      picture.globalAlpha = 1
    },
  }
}

/** 0 outside the span, 1 in its middle, fading over `edge` of it at both ends. */
function visibility(span: Span, seconds: number, edge: number): number {
  const share = (seconds - span.from) / (span.to - span.from)
  if (share <= 0 || share >= 1) return 0
  return smooth(share / edge) * smooth((1 - share) / edge)
}

function titleCard(title: Film | Series, width: number, height: number, episode?: Episode): Canvas {
  const lettering = letteringIn(title, 'fra')
  const size = fittingSize(lettering, width * 0.52, height * 0.27)
  const art = titleArt(lettering, size)
  const [cardX, cardY] = lettering.card ?? [0.5, 0.5]
  const middle = width * cardX
  return prerender(width, height, (picture) => {
    if (lettering.veil !== undefined) {
      const veil = picture.createRadialGradient(
        middle,
        height * cardY,
        0,
        middle,
        height * cardY,
        width * 0.42,
      )
      veil.addColorStop(0, `${lettering.veil}c8`)
      veil.addColorStop(0.6, `${lettering.veil}78`)
      veil.addColorStop(1, `${lettering.veil}00`)
      picture.fillStyle = veil
      picture.fillRect(0, 0, width, height)
    }
    const y = height * (cardY - 0.03) - art.height / 2
    picture.drawImage(art, Math.round(middle - art.width / 2), Math.round(y))
    const line =
      episode === undefined
        ? `Un film de ${title.director}`
        : `Saison ${episode.season} · Épisode ${episode.episode} — ${episode.title.fra}`
    spacedLine(picture, line, middle, y + art.height + 42, {
      size: 16,
      colour: lettering.colour,
      align: 'center',
      spacing: 0.24,
    })
  })
}

function creditRoll(title: Film | Series, width: number, episode?: Episode): Canvas {
  const rows: [string, string][] = [
    ['Réalisation', title.director],
    ['Scénario', title.writer],
    ...title.actors.map((actor): [string, string] => [actor.role, actor.name]),
    ['Musique', title.composer],
    ['Production', title.studio],
  ]
  const lineHeight = 40
  return prerender(width, 190 + rows.length * lineHeight + 90, (picture) => {
    const middle = width / 2
    picture.fillStyle = '#f3f6f9'
    picture.textAlign = 'center'
    useDisplayFace(picture, 54)
    picture.fillText(title.title, middle, 60)
    useTextFace(picture, 18, 500)
    picture.fillStyle = '#b3bdc9'
    picture.fillText(episode === undefined ? title.tagline.fra : episode.title.fra, middle, 96)
    for (const [index, [what, who]] of rows.entries()) {
      const y = 160 + index * lineHeight
      useTextFace(picture, 18, 400)
      picture.fillStyle = '#b3bdc9'
      picture.textAlign = 'right'
      picture.fillText(what, middle - 18, y)
      useTextFace(picture, 20, 600)
      picture.fillStyle = '#f3f6f9'
      picture.textAlign = 'left'
      picture.fillText(who, middle + 18, y)
    }
    spacedLine(picture, `© ${title.year} ${title.studio}`, middle, 160 + rows.length * lineHeight + 50, {
      size: 14,
      colour: '#8593a3',
      align: 'center',
    })
  })
}
