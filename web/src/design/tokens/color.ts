/** A colour as red, green and blue, from 0 to 255. */
export interface Rgb {
  r: number
  g: number
  b: number
}

/**
 * Parses `#rgb`, `#rrggbb` or `#rrggbbaa`. A translucent colour is blended with `ground`.
 *
 * @throws RangeError for any other text
 */
export function parseColor(text: string, ground: Rgb = BLACK): Rgb {
  const match = /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.exec(text)
  if (match === null) throw new RangeError(`Not a colour: ${text}`)
  const digits = text.length === 4 ? text.slice(1).replaceAll(/./g, '$&$&') : text.slice(1)
  const [r = 0, g = 0, b = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  return mix(ground, { r, g, b }, alpha / 255)
}

/** Formats a colour as `#rrggbb`. */
export function hex({ r, g, b }: Rgb): string {
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

export const BLACK: Rgb = { r: 0, g: 0, b: 0 }
export const WHITE: Rgb = { r: 255, g: 255, b: 255 }

/** Mixes two colours. `share` is the fraction of `to`, from 0 to 1, and the rest is `from`. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (a: number, b: number) => a + (b - a) * share
  return { r: part(from.r, to.r), g: part(from.g, to.g), b: part(from.b, to.b) }
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance({ r, g, b }: Rgb): number {
  const linear = (part: number) => {
    const share = Math.round(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** Returns black or white, whichever has more contrast with `ground`. The contrast is at least 4.58. */
export function inkFor(ground: Rgb): Rgb {
  return contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK
}

const MIX_STEPS = 50

/**
 * Moves `color` towards `limit` until `enough` returns true for the first time. Returns `limit` if `enough` never
 * returns true.
 */
export function towards(color: Rgb, limit: Rgb, enough: (candidate: Rgb) => boolean): Rgb {
  for (let step = 0; step < MIX_STEPS; step++) {
    const candidate = mix(color, limit, step / MIX_STEPS)
    if (enough(candidate)) return candidate
  }
  return limit
}

/** A colour by hue in degrees, and saturation and lightness from 0 to 1. */
export interface Hsl {
  hue: number
  saturation: number
  lightness: number
}

export function toHsl({ r, g, b }: Rgb): Hsl {
  const max = Math.max(r, g, b) / 255
  const min = Math.min(r, g, b) / 255
  const lightness = (max + min) / 2
  const range = max - min
  if (range === 0) return { hue: 0, saturation: 0, lightness }
  const sector =
    max === r / 255
      ? (g - b) / 255 / range
      : max === g / 255
        ? 2 + (b - r) / 255 / range
        : 4 + (r - g) / 255 / range
  return { hue: (sector * 60 + 360) % 360, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness }
}

export function fromHsl({ hue, saturation, lightness }: Hsl): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { r: part(0), g: part(8), b: part(4) }
}
