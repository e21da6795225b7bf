import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { useDisplayFace, useTextFace } from './fonts.ts'
import { prerender } from './surface.ts'
import type { TitleLettering } from './title.ts'

/** Draws the lines of a title on a transparent picture without margins. `size` is the font size in pixels. */
export function titleArt(lettering: TitleLettering, size: number, colour = lettering.colour): Canvas {
  const lineHeight = size * 0.86
  const widths = prerenderedWidths(lettering, size)
  const width = Math.ceil(Math.max(...widths) + size * 0.12)
  const height = Math.ceil(size * 1.12 + lineHeight * (lettering.lines.length - 1))
  return prerender(width, height, (picture) => {
    setFace(picture, lettering, size)
    picture.fillStyle = colour
    picture.textBaseline = 'alphabetic'
    for (const [index, line] of lettering.lines.entries()) {
      const lineWidth = widths[index]!
      const slack = width - size * 0.12 - lineWidth
      const x =
        size * 0.06 + (lettering.align === 'left' ? 0 : lettering.align === 'center' ? slack / 2 : slack)
      picture.fillText(line, x, size * 0.88 + index * lineHeight)
    }
  })
}

/**
 * Returns the font size, in pixels, at which the widest line of a title is `width` pixels wide. Returns at most
 * `tallest`.
 */
export function fittingSize(lettering: TitleLettering, width: number, tallest: number): number {
  const widest = Math.max(...prerenderedWidths(lettering, 100))
  return Math.min(tallest, (width / widest) * 100)
}

/**
 * Draws a line in spaced capitals, as in the credits at the foot of a poster. The line starts at `x`, or is
 * centred on `x`.
 */
export function spacedLine(
  picture: SKRSContext2D,
  text: string,
  x: number,
  y: number,
  options: {
    size: number
    colour: string
    align?: 'left' | 'center' | 'right'
    weight?: number
    spacing?: number
  },
): void {
  useTextFace(picture, options.size, options.weight ?? 600)
  picture.letterSpacing = `${(options.spacing ?? 0.18) * options.size}px`
  picture.fillStyle = options.colour
  picture.textAlign = options.align ?? 'left'
  picture.textBaseline = 'alphabetic'
  picture.fillText(text.toUpperCase(), x, y)
  picture.letterSpacing = '0px'
  picture.textAlign = 'left'
}

function prerenderedWidths(lettering: TitleLettering, size: number): number[] {
  const widths: number[] = []
  prerender(1, 1, (picture) => {
    setFace(picture, lettering, size)
    for (const line of lettering.lines) widths.push(picture.measureText(line).width)
  })
  return widths
}

function setFace(picture: SKRSContext2D, lettering: TitleLettering, size: number): void {
  useDisplayFace(picture, size, lettering.stretch ?? 80)
  picture.letterSpacing = `${-0.012 * size}px`
}
