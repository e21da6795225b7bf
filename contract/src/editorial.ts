import * as z from 'zod'
import { image, item, metadata } from './entities.ts'
import { operation } from './operation.ts'
import { block } from './rich-text.ts'
import { integer } from './wire.ts'

/** Types with a special meaning. Any other word is a type of articles. */
export const EDITORIAL_TYPES = {
  /** Shown at `/{slug}`, and not in lists (V2.2-15). */
  page: 'page',
  /** Questions and answers. Each text is a group of them. */
  faq: 'faq',
  /** Introduces the list of articles of a type. The slug of the section is the name of that type. */
  section: 'section',
  /** Shown at `/disciplines/{slug}`, with all texts that have its slug as a keyword. */
  discipline: 'disciplines',
} as const

/** The default type of a text: an article of the magazine (V2.2-07). */
export const ARTICLES = 'articles'

/** A type or a slug, as it appears in addresses. */
const name = z
  .string()
  .min(1)
  .max(100)
  .refine((value) => !/\p{Cc}/u.test(value), 'has control characters')

/** An article, a page or a section in a list (V3-34). */
export const editorialSummary = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  slug: z.string(),
  isPage: z.boolean(),
  /** The language of the text, which may differ from the requested one. */
  language: z.string(),
  author: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  /** Seconds since the Unix epoch. */
  creationDate: z.int(),
  detailRoute: z.string(),
  image: image.nullable(),
  /** Alternative text of the picture. Empty if the title describes the picture. */
  imageAlt: z.string(),
  imageCredit: z.string(),
  /** Reading time in minutes for a slow reader; at least 1. */
  readingMinutes: z.int(),
  directMetadata: metadata,
})
export type EditorialSummary = z.infer<typeof editorialSummary>

/** A whole text. `cards` are the catalogue items that the text shows, by the `reference` that its blocks use. */
const editorialContent = editorialSummary.extend({
  content: z.array(block),
  cards: z.record(z.string(), item),
})
export type EditorialContent = z.infer<typeof editorialContent>

/**
 * Returns one page of the list of articles with a type, a keyword, or both. The list is sorted by the operator's
 * rank, then newest first.
 */
export const listEditorial = operation({
  method: 'POST',
  path: '/proxy/listEditorial',
  as: 'visitor',
  summary: 'Articles of a type or with a keyword.',
  input: z.object({
    type: name.optional(),
    keyword: name.optional(),
    page: integer(1, 10_000).default(1),
    itemsPerPage: integer(1, 100).default(24),
  }),
  output: z.object({
    items: z.array(editorialSummary),
    total: z.int(),
    /** The section that introduces the type, if there is one. */
    section: editorialSummary.nullable(),
  }),
})

/** Returns an article or page, with related texts (V3-34). If the type is omitted, the text is a page. */
export const editorialData = operation({
  method: 'POST',
  path: '/proxy/editorialData',
  as: 'visitor',
  summary: 'One article or page.',
  input: z.object({ type: name.optional(), slug: name }),
  output: z.object({
    content: editorialContent,
    /** Texts with the same keywords or type. */
    related: z.array(editorialSummary),
    /** The texts before and after this one in the list of texts of its type. */
    previous: editorialSummary.nullable(),
    next: editorialSummary.nullable(),
  }),
  errors: ['notFound'],
})

/** Returns questions and answers in order, by group (A7.1-31, spec 42). */
export const faqData = operation({
  method: 'POST',
  path: '/proxy/faqData',
  as: 'visitor',
  summary: 'Questions and answers.',
  input: z.object({}),
  output: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      slug: z.string(),
      language: z.string(),
      questions: z.array(
        z.object({
          /** Anchor of the question on the page. */
          id: z.string(),
          question: z.string(),
          answer: z.array(block),
        }),
      ),
      cards: z.record(z.string(), item),
    }),
  ),
})
