import * as z from 'zod'
import { changed, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { integer, language, text } from './wire.ts'

// What operators do with single texts: articles, pages, sections. Each is Markdown with front matter, as a folder's files are.

/** Longest text with its front matter, in characters: what a call can carry. */
const LONGEST_TEXT = 100_000
const PAGE_SIZE = 100

/** A type or a slug, as both stand in addresses. */
const name = z
  .string()
  .regex(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u, 'must be words joined by dashes')
  .max(100)

/** Which text: its language, its type and its slug. */
const subject = { language, type: name, slug: name }

const PATH = '/operator/editorial/:language/:type/:slug'

/** A text as operators see it. */
const textSummary = z.object({
  language: z.string(),
  type: z.string(),
  slug: z.string(),
  title: z.string(),
  draft: z.boolean(),
  /** The file that it comes from, within its folder; null when an operator wrote it. */
  file: z.string().nullable(),
  /** How often it was changed by operators. */
  revision: z.int(),
  /** Seconds since the Unix epoch. */
  updatedAt: z.number(),
})
export type TextSummary = z.infer<typeof textSummary>

/** All texts of a storefront, drafts too (V3-34). */
export const listTexts = operation({
  name: 'listTexts',
  method: 'GET',
  path: '/operator/editorial',
  as: 'operator',
  summary: 'The articles, pages and sections of a storefront, drafts too, a hundred on a page.',
  input: z.object({
    type: name.optional(),
    /** All languages when left out. */
    language: language.optional(),
    /** From 1; pages go on until one is empty. */
    page: integer(1, 10_000).default(1),
    count: integer(1, PAGE_SIZE).default(PAGE_SIZE),
  }),
  output: z.array(textSummary),
})

/** One text. */
export const readText = operation({
  name: 'readText',
  method: 'GET',
  path: PATH,
  as: 'operator',
  summary: 'A text with its revision, as an operator wrote it.',
  input: z.object(subject),
  output: z.object({
    revision: z.int(),
    /** Null when no operator wrote it, or its last change took it away. */
    markdown: z.string().nullable(),
    /** Null when viewers have no such text. */
    text: textSummary.nullable(),
  }),
})

/** Writes a text, be it new or not. One that came from a folder is the operator's from then on. */
export const writeText = operation({
  name: 'writeText',
  method: 'POST',
  path: `${PATH}/write`,
  as: 'operator',
  summary: 'Writes a text: Markdown with front matter, as a file of a folder.',
  input: z.object({ ...subject, revision, markdown: text(LONGEST_TEXT), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Takes a text away. */
export const removeText = operation({
  name: 'removeText',
  method: 'POST',
  path: `${PATH}/remove`,
  as: 'operator',
  summary: 'Takes a text away; what a folder still holds comes back when that is imported again.',
  input: z.object({ ...subject, revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Returns to an earlier revision, as a new one. */
export const restoreText = operation({
  name: 'restoreText',
  method: 'POST',
  path: `${PATH}/restore`,
  as: 'operator',
  summary: 'Makes an earlier revision of a text the newest again.',
  input: z.object({ ...subject, revision, to: revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Takes the last change back; again, the one before it. */
export const undoText = operation({
  name: 'undoText',
  method: 'POST',
  path: `${PATH}/undo`,
  as: 'operator',
  summary: 'Takes the last change of a text back; called again, the one before it.',
  input: z.object({ ...subject, revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Who changed what, when and why; the newest first. */
export const textHistory = operation({
  name: 'textHistory',
  method: 'GET',
  path: `${PATH}/history`,
  as: 'operator',
  summary: 'The changes of a text, the newest first; of long texts their beginnings.',
  input: z.object({ ...subject, ...historyPage }),
  output: history,
})
