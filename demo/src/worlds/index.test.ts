import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../catalogue.ts'
import type { WorldName } from '../title.ts'
import { buildWorld } from './index.ts'

const SIZE = { width: 320, height: 180 }

function still(name: WorldName, progress: number, variation = 0): Uint8ClampedArray {
  const canvas = createCanvas(SIZE.width, SIZE.height)
  const picture = canvas.getContext('2d')
  buildWorld(name, { ...SIZE, seed: 'test', variation }).draw(picture, {
    seconds: progress * 70,
    progress,
    duration: 70,
  })
  return new Uint8ClampedArray(picture.getImageData(0, 0, SIZE.width, SIZE.height).data)
}

/** Returns the mean difference of two pictures, from 0 to 255. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0))
  return sum / a.length
}

describe.each(CATALOGUE.map((title) => title.world))('the world %s', (name) => {
  it('is the same each time it is built', () => {
    expect(difference(still(name, 0.4), still(name, 0.4))).toBe(0)
  })

  it('moves', () => {
    expect(difference(still(name, 0.3), still(name, 0.6))).toBeGreaterThan(0.5)
  })

  it('covers the whole picture, from the first moment to the last', () => {
    for (const progress of [0, 1]) {
      const picture = still(name, progress)
      for (let at = 3; at < picture.length; at += 4)
        if (picture[at] !== 255) throw new Error(`Pixel ${(at - 3) / 4} is transparent`)
    }
  })
})

it('weaves a different cloth for each episode', () => {
  expect(difference(still('loom', 0.5, 0), still('loom', 0.5, 1))).toBeGreaterThan(5)
})
