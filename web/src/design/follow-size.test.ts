import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

test('sizes are followed in one way, which never reports “ResizeObserver loop”', () => {
  const observers = globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bnew ResizeObserver\b/.test(readFileSync(join(WEB, file), 'utf8')))
  expect(observers).toEqual(['design/follow-size.ts'])
})
