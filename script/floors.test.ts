import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SERVER, WEB } from './floors.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

it('the floors of the server are in docs/architecture.md', () => {
  const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const [, drawn = ''] = /^## Floors of the server\n\n([^]*?)^ +-{5,}$/m.exec(document) ?? []
  // A floor with many features continues on the next line.
  const lines = drawn
    .trim()
    .replaceAll(/\n {5,}/g, ' ')
    .split('\n')
  const floors = lines
    .map((line) => line.trim().split(/\s+/))
    .map(([floor, ...features]) => [floor, features])
  expect(floors.toReversed()).toEqual(Object.entries(SERVER.floors))
})

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
