import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('../docs/decisions', import.meta.url))
const FILES = globSync('*.md', { cwd: FOLDER }).toSorted()
const NUMBERS = new Set(FILES.map((file) => file.slice(0, 4)))

/** Every form of a status. A record that is no longer in force names its successor. */
const STATUS = /^Status: (?:in force(?:, amended by \d{4}(?:, \d{4})*)?|superseded by \d{4})$/

describe.each(FILES)('decision record %s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const [title = '', , status = ''] = text.split('\n')

  it('has its number in its title', () => {
    expect(title).toMatch(new RegExp(`^# ${Number(basename(file).slice(0, 4))}\\. .`))
  })

  it('has a status, and refers to existing records only', () => {
    expect(status).toMatch(STATUS)
    const named = [...text.matchAll(/(?:docs\/decisions\/|amended by |superseded by )(\d{4})/g)]
    expect(named.map(([, number = '']) => number).filter((number) => !NUMBERS.has(number))).toEqual([])
  })
})

it('gives each decision record a number of its own', () => {
  expect(NUMBERS.size).toBe(FILES.length)
})
