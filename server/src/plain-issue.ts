import type * as z from 'zod'

/** Kinds of values, in words for operators. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a list of names and values',
  record: 'a list of names and values',
  null: 'null',
}

/** The unit of a value's length, by the kind of value. */
const PARTS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' }

/**
 * Returns the reason of a fault as the end of a sentence that begins with the name of the field, such as `must be at
 * least 1`. It is for texts that an operator wrote: pass it to a parse as `{ error: plainIssue }`. Messages of the
 * schema itself take precedence.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${KINDS[issue.expected] ?? 'of another kind'}`
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${anyOf(issue.values)}`
    case 'too_small':
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : sized(issue.origin, issue.minimum, 'least')
    case 'too_big':
      return sized(issue.origin, issue.maximum, 'most')
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be a complete address, such as https://tv.example.org'
        : 'is not written as it must be'
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'is of the wrong kind'
    default:
      return undefined
  }
}

function anyOf(values: readonly z.core.util.Primitive[]): string {
  const all = values.map(String)
  return all.length > 1 ? `one of ${all.join(', ')}` : all.join('')
}

function sized(origin: string, limit: number | bigint, bound: 'least' | 'most'): string {
  const parts = PARTS[origin]
  if (parts === undefined) return `must be at ${bound} ${limit}`
  return bound === 'least' && limit === 1 ? 'must not be empty' : `must have at ${bound} ${limit} ${parts}`
}
