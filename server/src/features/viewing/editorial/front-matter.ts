import { slugify } from '@ondine/contract/slugs'
import * as z from 'zod'
import { readYaml, type YamlFault } from '../../../read-yaml.ts'

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

/** Fields of the front matter. */
const fields = z.strictObject({
  title: line(300).min(1, 'must not be empty'),
  slug: name.optional(),
  type: name.optional(),
  language: z.string('must be a language code').optional(),
  description: line(1000).default(''),
  author: line(200).default(''),
  date: day.optional(),
  keywords: keywordList.default([]),
  /** Slugs of topics to which the text belongs, such as a discipline, in addition to its keywords. */
  topics: z.array(name, 'must be a list of slugs').max(12).default([]),
  rank: z.int('must be a whole number').min(0).max(1_000_000).nullable().default(null),
  /** File name in the same folder. */
  image: line(300).optional(),
  imageAlt: line(500).default(''),
  imageCredit: line(200).default(''),
  draft: z.boolean('must be true or false').default(false),
  /** The text is shown from `publish` on, and before `until`. A day means its beginning in UTC. */
  publish: day.nullable().default(null),
  until: day.nullable().default(null),
  level: z.int().min(0, 'must be from 0 to 6').max(6, 'must be from 0 to 6').default(0),
  related: z.array(name, 'must be a list of slugs').max(12).default([]),
  metadata: z
    .record(z.string().regex(/^\w{1,60}$/), z.union([line(500), z.number()]), 'must be names with values')
    .default({}),
})
export type FrontMatter = z.output<typeof fields>

/** Parts of a file. The text begins at line `bodyLine`. */
export interface Article {
  front: FrontMatter
  body: string
  bodyLine: number
}

/** Parses a Markdown file with YAML front matter: returns its parts, or all faults. */
export function readArticle(file: string): Article | YamlFault[] {
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const lines = text.split('\n')
  if (lines[0]?.trimEnd() !== '---') return [{ line: 1, reason: 'it does not begin with front matter (---)' }]
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return [{ line: 1, reason: 'its front matter has no end (---)' }]
  const source = lines.slice(1, end).join('\n')
  if (source.length > LONGEST)
    return [{ line: 1, reason: `its front matter has more than ${LONGEST} characters` }]
  // The front matter begins on the second line of the file.
  const front = readYaml(source, fields, { what: 'its front matter', firstLine: 2 })
  if (Array.isArray(front)) return front
  return { front: front.values, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 }
}
