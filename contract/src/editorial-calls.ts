import * as z from 'zod'
import { changed, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { integer, language, text } from './wire.ts'

// Operator calls for editorial texts: articles, pages and sections. Each text is Markdown with front matter, as in
// an imported file.

/** Longest text with its front matter, in characters. */
const LONGEST_TEXT = 100_000
const PAGE_SIZE = 100

/** A type or a slug, as it appears in addresses. */
const name = z
  .string()
  .regex(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u, 'must be words joined by dashes')
  .max(100)

/** Identifies a text. */
const subject = { language, type: name, slug: name }

const PATH = '/operator/editorial/:language/:type/:slug'

/** A text in operator calls. */
const textSummary = z.object({
  language: z.string(),
  type: z.string(),
  slug: z.string(),
  title: z.string(),
  draft: z.boolean(),
  /** The source file, relative to its folder; null when an operator wrote the text. */
  file: z.string().nullable(),
  /** Number of changes by operators. */
  revision: z.int(),
  /** Seconds since the Unix epoch. */
  updatedAt: z.number(),
})
export type TextSummary = z.infer<typeof textSummary>

/** All texts of a storefront, including drafts (V3-34). */
export const listTexts = operation({
  name: 'listTexts',
  method: 'GET',
  path: '/operator/editorial',
  as: 'operator',
  summary: 'The articles, pages and sections of a storefront, including drafts, a hundred per page.',
  input: z.object({
    type: name.optional(),
    /** If omitted, all languages. */
    language: language.optional(),
    /** Number of the page of the list, counted from 1. A page after the last page is empty. */
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
    /** Null if no operator wrote this text, or if the last change removed it. */
    markdown: z.string().nullable(),
    /** The text that viewers see; null if there is none. */
    text: textSummary.nullable(),
  }),
})

/** Creates or replaces a text. Later imports do not change the text, even if it was imported from a folder. */
export const writeText = operation({
  name: 'writeText',
  method: 'POST',
  path: `${PATH}/write`,
  as: 'operator',
  summary: 'Writes a text: Markdown with front matter, like a file of a folder.',
  input: z.object({ ...subject, revision, markdown: text(LONGEST_TEXT), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Removes a text. */
export const removeText = operation({
  name: 'removeText',
  method: 'POST',
  path: `${PATH}/remove`,
  as: 'operator',
  summary: 'Removes a text. If a folder still holds it, importing the folder restores it.',
  input: z.object({ ...subject, revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Restores an earlier revision by adding a new revision with the same content. */
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

/** Undoes the last change. A repeated call undoes the change before that. */
export const undoText = operation({
  name: 'undoText',
  method: 'POST',
  path: `${PATH}/undo`,
  as: 'operator',
  summary: 'Undoes the last change of a text. Called again, undoes the one before it.',
  input: z.object({ ...subject, revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Returns the changes with their author, time and reason, newest first. */
export const textHistory = operation({
  name: 'textHistory',
  method: 'GET',
  path: `${PATH}/history`,
  as: 'operator',
  summary: 'The changes of a text, the newest first. Long texts are shortened.',
  input: z.object({ ...subject, ...historyPage }),
  output: history,
})
