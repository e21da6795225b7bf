import { clamp, mix } from './random.ts'

/** Red, green and blue, each from 0 to 255. The values may have fractions. */
export type Rgb = readonly [number, number, number]

/** Parses a colour `#rrggbb`. */
export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** Returns a CSS colour with the opacity `alpha`, from 0 to 1. */
export function css(colour: Rgb, alpha = 1): string {
  return `rgba(${Math.round(clamp(colour[0], 0, 255))},${Math.round(clamp(colour[1], 0, 255))},${Math.round(clamp(colour[2], 0, 255))},${alpha.toFixed(3)})`
}

/** Blends two colours. `share` is the fraction of `b`, from 0 to 1. */
export function blend(a: Rgb, b: Rgb, share: number): Rgb {
  return [mix(a[0], b[0], share), mix(a[1], b[1], share), mix(a[2], b[2], share)]
}

/**
 * Returns a function that interpolates colours. Each of `stops` is a position from 0 to 1 and a colour `#rrggbb`.
 * Positions must ascend.
 */
export function ramp(stops: readonly (readonly [number, string])[]): (position: number) => Rgb {
  const points = stops.map(([position, hex]) => ({ position, colour: rgb(hex) }))
  return (position) => {
    let before = points[0]!
    for (const point of points) {
      if (point.position >= position) {
        const span = point.position - before.position
        return span <= 0
          ? point.colour
          : blend(before.colour, point.colour, (position - before.position) / span)
      }
      before = point
    }
    return before.colour
  }
}
