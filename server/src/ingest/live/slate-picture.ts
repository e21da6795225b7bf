import type { Image, SKRSContext2D } from '@napi-rs/canvas'
import { openSharp } from '../sharp.ts'

/** Texts, logo and colours of the slate. Colours are in CSS notation. */
export interface SlateLook {
  /** Name of the storefront, shown if the storefront has no logo. */
  name: string
  /** Logo as a `data:image` URL; empty for none. */
  logo: string
  sentence: string
  background: string
  /** Colour that lightens the middle of the background. */
  glow: string
  accent: string
  text: string
  quietText: string
}

/** Size of a picture, in pixels. */
interface Size {
  width: number
  height: number
}

/**
 * Sizes and positions. Sizes are shares of the picture's shorter side, and positions (`…At`) are shares of its
 * height.
 */
const LAYOUT = { logo: 0.13, name: 0.125, nameAt: 0.46, ruleAt: 0.555, sentence: 0.042, sentenceAt: 0.645 }
/** Maximum width of the logo and of a line of text, as a share of the picture's width. */
const WIDEST = 0.82
/**
 * Height at which a vector logo is drawn, as a multiple of its height in the picture. The logo is then scaled
 * down.
 */
const LOGO_SCALE = 2

/** Draws the picture that viewers see while an input is silent. @returns a PNG file */
export async function drawSlate(look: SlateLook, { width, height }: Size): Promise<Buffer> {
  // Loaded only when needed: the modules are large, and most processes never draw a slate.
  const { createCanvas } = await import('@napi-rs/canvas')
  const { useDisplayFace, useTextFace } = await import('@ondine/demo/fonts')
  const canvas = createCanvas(width, height)
  const picture = canvas.getContext('2d')
  const side = Math.min(width, height)
  paintBackground(picture, look, { width, height })
  picture.textAlign = 'center'
  const logo = await readLogo(look.logo, Math.round(side * LAYOUT.logo))
  if (logo) drawLogo(picture, logo, { width, height })
  else {
    picture.fillStyle = look.text
    write(picture, look.name, { width, height }, LAYOUT.nameAt, side * LAYOUT.name, (size) =>
      useDisplayFace(picture, size),
    )
  }
  drawWave(picture, look.accent, { width, height })
  picture.fillStyle = look.quietText
  write(picture, look.sentence, { width, height }, LAYOUT.sentenceAt, side * LAYOUT.sentence, (size) =>
    useTextFace(picture, size),
  )
  return await canvas.encode('png')
}

function paintBackground(picture: SKRSContext2D, { background, glow }: SlateLook, size: Size): void {
  const { width, height } = size
  picture.fillStyle = background
  picture.fillRect(0, 0, width, height)
  const light = picture.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, width * 0.6)
  light.addColorStop(0, glow)
  light.addColorStop(1, background)
  picture.globalAlpha = 0.6
  picture.fillStyle = light
  picture.fillRect(0, 0, width, height)
  picture.globalAlpha = 1
}

/** Writes a line of text in the middle of the picture. The text shrinks if the line is too wide. */
function write(
  picture: SKRSContext2D,
  text: string,
  { width, height }: Size,
  at: number,
  size: number,
  setFace: (size: number) => void,
): void {
  setFace(size)
  const wide = picture.measureText(text).width
  if (wide > width * WIDEST) setFace((size * width * WIDEST) / wide)
  picture.fillText(text, width / 2, height * at)
}

/** Draws a short wave between the name and the sentence. */
function drawWave(picture: SKRSContext2D, accent: string, { width, height }: Size): void {
  const side = Math.min(width, height)
  const [length, rise] = [side * 0.16, side * 0.012]
  const [left, middle] = [width / 2 - length / 2, height * LAYOUT.ruleAt]
  picture.strokeStyle = accent
  picture.lineWidth = Math.max(2, side * 0.006)
  picture.lineCap = 'round'
  picture.beginPath()
  picture.moveTo(left, middle)
  picture.bezierCurveTo(
    left + length / 3,
    middle - 3 * rise,
    left + (2 * length) / 3,
    middle + 3 * rise,
    left + length,
    middle,
  )
  picture.stroke()
}

function drawLogo(picture: SKRSContext2D, logo: Image, { width, height }: Size): void {
  const side = Math.min(width, height)
  const scale = Math.min((side * LAYOUT.logo) / logo.height, (width * WIDEST) / logo.width)
  const [wide, high] = [logo.width * scale, logo.height * scale]
  picture.drawImage(logo, (width - wide) / 2, height * LAYOUT.nameAt - high * 0.85, wide, high)
}

/** Reads a logo from its `data:image` URL; undefined if the URL is empty or no picture. */
async function readLogo(logo: string, height: number): Promise<Image | undefined> {
  const [, base64, content] = /^data:image\/[\w.+-]+(?:;[\w=-]+)*?(;base64)?,(.*)$/s.exec(logo) ?? []
  if (content === undefined) return undefined
  try {
    const file =
      base64 === undefined ? Buffer.from(decodeURIComponent(content)) : Buffer.from(content, 'base64')
    const sharp = await openSharp()
    // Draws a vector logo at twice its size in the picture. `drawLogo` scales the result down.
    const density = vectorDensity(await sharp(file).metadata(), height * LOGO_SCALE)
    const png = await sharp(file, { ...(density !== undefined && { density }) })
      .png()
      .toBuffer()
    const { loadImage } = await import('@napi-rs/canvas')
    return await loadImage(png)
  } catch {
    // Without a logo, the slate shows the storefront's name.
    return undefined
  }
}

/** Density at which one pixel of a vector picture becomes one dot. */
const OWN_DENSITY = 72
const MAX_DENSITY = 2400

/** Returns the density at which a vector picture has the height `wanted`; undefined for other pictures. */
function vectorDensity(
  { format, height }: { format?: string | undefined; height?: number | undefined },
  wanted: number,
): number | undefined {
  if (format !== 'svg' || height === undefined || height === 0) return undefined
  return Math.min(MAX_DENSITY, Math.max(OWN_DENSITY, (OWN_DENSITY * wanted) / height))
}
