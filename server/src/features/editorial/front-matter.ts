import { slugify } from '@ondine/contract/slugs'
import { isMap, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import * as z from 'zod'

/** Longest front matter, in characters. */
const LONGEST = 20_000

const line = (max: number) =>
  z
    .string('must be text')
    .trim()
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'must be one line without control characters')

const name = line(80)
  .min(1, 'must not be empty')
  .refine((value) => slugify(value) === value, 'must be words in lower case joined by dashes')

const day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], 'must be a date as 2026-01-31')
  .transform((value) =>
    Date.parse(value.length > 10 && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value),
  )

const keywordList = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(line(60), 'must be a list of words').max(30, 'must be at most 30'),
)

/** What a file says of itself before its text. */
const fields = z.strictObject({
  title: line(300).min(1, 'must not be empty'),
  slug: name.optional(),
  type: name.optional(),
  language: z.string('must be a language code').optional(),
  description: line(1000).default(''),
  author: line(200).default(''),
  date: day.optional(),
  keywords: keywordList.default([]),
  /** Slugs of what it belongs to, such as a discipline, where its keywords do not say so. */
  topics: z.array(name, 'must be a list of slugs').max(12).default([]),
  rank: z.int('must be a whole number').min(0).max(1_000_000).nullable().default(null),
  /** A file beside it. */
  image: line(300).optional(),
  imageAlt: line(500).default(''),
  imageCredit: line(200).default(''),
  draft: z.boolean('must be true or false').default(false),
  /** When it is shown first, and no longer. */
  publish: day.nullable().default(null),
  until: day.nullable().default(null),
  level: z.int().min(0, 'must be from 0 to 6').max(6, 'must be from 0 to 6').default(0),
  related: z.array(name, 'must be a list of slugs').max(12).default([]),
  metadata: z
    .record(z.string().regex(/^\w{1,60}$/), z.union([line(500), z.number()]), 'must be names with values')
    .default({}),
})
export type FrontMatter = z.output<typeof fields>

/** A file that cannot be taken: why, and where in it, from 1. */
export interface Fault {
  line: number
  reason: string
}

/** A file's parts. Its text begins at `bodyLine`. */
export interface Article {
  front: FrontMatter
  body: string
  bodyLine: number
}

/** Reads a Markdown file with YAML front matter: its parts, or everything that is wrong with it. */
export function readArticle(file: string): Article | Fault[] {
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const lines = text.split('\n')
  if (lines[0]?.trimEnd() !== '---') return [{ line: 1, reason: 'it does not begin with front matter (---)' }]
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return [{ line: 1, reason: 'its front matter has no end (---)' }]
  const source = lines.slice(1, end).join('\n')
  if (source.length > LONGEST)
    return [{ line: 1, reason: `its front matter has more than ${LONGEST} characters` }]
  const front = readFrontMatter(source)
  if (Array.isArray(front)) return front
  return { front, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 }
}

function readFrontMatter(source: string): FrontMatter | Fault[] {
  const counter = new LineCounter()
  // The core schema has no types but those of JSON: no dates, no binary, no sets, nothing of the language itself.
  const document = parseDocument(source, {
    lineCounter: counter,
    schema: 'core',
    merge: false,
    prettyErrors: false,
  })
  // The front matter begins on the second line of the file.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) {
    return faults.map((error) => ({ line: lineAt(error.pos[0]), reason: `YAML: ${error.message}` }))
  }
  if (!isMap(document.contents))
    return [{ line: 2, reason: 'its front matter is no list of names and values' }]
  let values: unknown
  try {
    // Aliases are how a few lines become gigabytes; nobody needs them here.
    values = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    return [{ line: 2, reason: `YAML: ${error instanceof Error ? error.message : String(error)}` }]
  }
  const parsed = fields.safeParse(values)
  if (parsed.success) return parsed.data
  return parsed.error.issues.flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    return unknown.map((key) => {
      const path = key === undefined ? issue.path : [...issue.path, key]
      return {
        line: lineAt(offsetOf(document.contents, path)),
        reason: `${path.join('.')} ${key === undefined ? wording(issue.message) : 'is not known here'}`,
      }
    })
  })
}

function wording(message: string): string {
  return message.startsWith('Invalid input') ? 'is missing or of the wrong kind' : message
}

/** Where in the YAML a value stands, or the closest thing around it. */
function offsetOf(root: ParsedNode | null, path: readonly PropertyKey[]): number {
  let node: unknown = root
  let offset = root?.range[0] ?? 0
  for (const step of path) {
    if (!isMap(node)) break
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
    if (pair === undefined) break
    if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
    node = pair.value
  }
  return offset
}
