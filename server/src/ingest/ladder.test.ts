import { expect, it } from 'vitest'
import { rungs } from './ladder.ts'

const film = { numerator: 24, denominator: 1 }
const sizes = (width: number, height: number) =>
  rungs(width, height, film).map((rung) => `${rung.width}x${rung.height}`)

it.each<[string, string[]]>([
  ['3840x2160', ['1920x1080', '1280x720', '640x360']],
  ['1920x1080', ['1920x1080', '1280x720', '640x360']],
  ['1920x800', ['1920x800', '1280x534', '640x266']],
  ['1440x1080', ['1440x1080', '960x720', '480x360']],
  ['1280x720', ['1280x720', '640x360']],
  ['1080x1920', ['1080x1920', '720x1280', '360x640']],
  ['854x480', ['854x480', '640x360']],
  ['720x576', ['720x576', '450x360']],
  ['640x360', ['640x360']],
  ['321x181', ['320x180']],
  ['16x16', ['16x16']],
])('of %s are %j', (source, expected) => {
  const [width = 0, height = 0] = source.split('x').map(Number)
  expect(sizes(width, height)).toEqual(expected)
})

it.each<[string, number[], string[]]>([
  ['1920x1080', [720, 360], ['1280x720', '640x360']],
  ['1920x1080', [360], ['640x360']],
  ['960x540', [1080, 720, 360], ['960x540', '640x360']],
  ['640x360', [1080, 720, 360], ['640x360']],
  ['320x180', [720, 360], ['320x180']],
])('issue 19: of %s are those of a ladder of %j', (source, ladder, expected) => {
  const [width = 0, height = 0] = source.split('x').map(Number)
  expect(rungs(width, height, film, ladder).map((rung) => `${rung.width}x${rung.height}`)).toEqual(expected)
})

it('have the same names for every aspect ratio', () => {
  const lines = (width: number, height: number) => rungs(width, height, film).map((rung) => rung.lines)
  expect(lines(1920, 800)).toEqual([1080, 720, 360])
  expect(lines(1080, 1920)).toEqual([1080, 720, 360])
  expect(lines(1440, 1080)).toEqual([1080, 720, 360])
  expect(lines(854, 480)).toEqual([480, 360])
  expect(lines(900, 720)).toEqual([720, 360])
})

it('have different names for every picture, because the names are those of files', () => {
  const lines = (width: number, height: number) => rungs(width, height, film).map((rung) => rung.lines)
  expect(lines(1720, 720)).toEqual([968, 720, 360])
  expect(lines(854, 360)).toEqual([480, 360])
  for (let long = 16; long < 2000; long += 6) {
    for (const short of [360, 720, 700, 1080, Math.round(long / 3)]) {
      for (const names of [lines(long, short), lines(short, long)]) {
        expect(new Set(names).size, `${long}x${short}`).toBe(names.length)
        expect(names).toEqual(names.toSorted((a, b) => b - a))
      }
    }
  }
})

it('are even, never above the source, and never above 1080 lines', () => {
  for (let width = 16; width < 4000; width += 37) {
    for (let height = 16; height < 4000; height += 41) {
      for (const rung of rungs(width, height, film)) {
        expect((rung.width % 2) + (rung.height % 2)).toBe(0)
        expect(rung.width).toBeLessThanOrEqual(Math.max(2, width))
        expect(rung.height).toBeLessThanOrEqual(Math.max(2, height))
        expect(Math.min(rung.width, rung.height)).toBeLessThanOrEqual(1080)
        expect(rung.maxRate).toBeGreaterThan(0)
      }
    }
  }
})

it('have lower rates for smaller sizes, and higher rates for more frames a second', () => {
  const rates = rungs(1920, 1080, film).map(({ maxRate }) => maxRate)
  expect(rates).toEqual(rates.toSorted((a, b) => b - a))
  const fast = rungs(1920, 1080, { numerator: 60, denominator: 1 })
  expect(fast[0]?.maxRate).toBeGreaterThan(rates[0] ?? 0)
})
