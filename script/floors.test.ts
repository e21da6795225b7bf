import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type House, SERVER, WEB } from './floors.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  from: string
  to: string
}

/** Returns the imports between features of files that are no tests. */
function importsOf({ folder }: House): Import[] {
  const cwd = join(ROOT, folder)
  return globSync('*/*/*.{ts,tsx}', { cwd })
    .filter((from) => !/\.test\.tsx?$/.test(from))
    .flatMap((from) =>
      [...readFileSync(join(cwd, from), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
        ([, path = '']) => ({ from, to: relative(cwd, join(cwd, dirname(from), path)) }),
      ),
    )
    .filter(({ from, to }) => dirname(from) !== dirname(to))
}

describe.each([
  ['server', SERVER],
  ['web', WEB],
])('floors of the %s', (_name, house) => {
  const imports = importsOf(house)

  it('name each folder of a feature once', () => {
    const folders = globSync('*/*/', { cwd: join(ROOT, house.folder) }).map((path) => path.replace(/\/$/, ''))
    const declared = Object.entries(house.floors).flatMap(([floor, features]) =>
      features.map((feature) => `${floor}/${feature}`),
    )
    expect(folders.toSorted()).toEqual(declared.toSorted())
    const features = Object.values(house.floors).flat()
    expect(new Set(features).size).toBe(features.length)
  })

  it('list no door that nothing enters', () => {
    const entered = new Set(imports.map(({ to }) => to))
    expect((house.doors ?? []).filter((door) => !entered.has(door))).toEqual([])
  })
})
