import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

it.each(globSync('{*,docs/*}.md', { cwd: ROOT }))(
  '%s writes the output of commands to files without npm, which adds lines to it',
  (file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    expect(lines.filter((line) => /npm run ondine -- .* > [\w<./]/.test(line))).toEqual([])
  },
)
