import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SERVER, WEB } from './floors.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe.each([
  ['server', SERVER],
  ['web', WEB],
])('floors of the %s', (_name, house) => {
  it('name each folder of a feature once', () => {
    const folders = globSync('*/*/', { cwd: join(ROOT, house.folder) }).map((path) => path.replace(/\/$/, ''))
    const declared = Object.entries(house.floors).flatMap(([floor, features]) =>
      features.map((feature) => `${floor}/${feature}`),
    )
    expect(folders.toSorted()).toEqual(declared.toSorted())
    const features = Object.values(house.floors).flat()
    expect(new Set(features).size).toBe(features.length)
  })
})
