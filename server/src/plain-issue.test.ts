import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { plainIssue } from './plain-issue.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(5).optional(),
  level: z.int().min(1).max(6).optional(),
  rate: z.number().positive().optional(),
  tags: z.array(z.string()).min(2).optional(),
  kind: z.enum(['film', 'series']).optional(),
  only: z.literal('live').optional(),
  logo: z.url().optional(),
  key: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  own: z
    .string()
    .regex(/^[a-z]+$/, 'must be letters')
    .optional(),
  either: z.union([z.number(), z.boolean()]).optional(),
})

describe('the reason of a fault', () => {
  it.each([
    [{ name: '' }, 'must not be empty'],
    [{ name: 'Rivage' }, 'must have at most 5 characters'],
    [{ name: 5 }, 'must be a text'],
    [{ level: 0 }, 'must be at least 1'],
    [{ level: 7 }, 'must be at most 6'],
    [{ level: 1.5 }, 'must be a whole number'],
    [{ rate: 0 }, 'must be more than 0'],
    [{ tags: ['one'] }, 'must have at least 2 entries'],
    [{ tags: 'one' }, 'must be a list'],
    [{ kind: 'book' }, 'must be one of film, series'],
    [{ only: 'film' }, 'must be live'],
    [{ logo: 'rive' }, 'must be a complete address, such as https://tv.example.org'],
    [{ key: '1' }, 'is not written as it must be'],
    [{ own: '1' }, 'must be letters'],
    [{ either: 'rive' }, 'is of the wrong kind'],
    [{ colour: 'blue', size: 1 }, 'has fields that are not known: colour, size'],
    ['film', 'must be a list of names and values'],
  ])('of %j reads "%s"', (value, reason) => {
    const parsed = schema.safeParse(value, { error: plainIssue })
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([reason])
  })

  it.each([z.string(), z.enum(['film', 'series']), z.union([z.number(), z.boolean()]), z.literal('live')])(
    'names a missing value as missing (%#)',
    (required) => {
      const parsed = z.object({ value: required }).safeParse({}, { error: plainIssue })
      expect(parsed.error?.issues.map(({ message }) => message)).toEqual(['is missing'])
    },
  )
})
