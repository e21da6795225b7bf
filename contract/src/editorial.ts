import * as z from 'zod'
import { image, item, metadata } from './entities.ts'
import { operation } from './operation.ts'
import { block } from './rich-text.ts'
import { integer } from './wire.ts'

/** The types that mean something to the product; any other word is a type of articles too. */
export const EDITORIAL_TYPES = {
  /** Stands at `/{slug}`, without a place in a list (V2.2-15). */
  page: 'page',
  /** Questions and answers, one group in each content. */
  faq: 'faq',
  /** Introduces the list of the type that its slug names. */
  section: 'section',
  /** Stands at `/disciplines/{slug}`, with all that carries its slug among the keywords. */
  discipline: 'disciplines',
} as const

/** A type or a slug, as both stand in addresses. */
const name = z
  .string()
  .min(1)
  .max(100)
  .refine((value) => !/\p{Cc}/u.test(value), 'has control characters')

/** What a list shows of an article, a page or a section (V3-34). */
export const editorialSummary = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  slug: z.string(),
  isPage: z.boolean(),
  /** The language that it is written in: not always the one asked for. */
  language: z.string(),
  author: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  /** Seconds since the Unix epoch. */
  creationDate: z.int(),
  detailRoute: z.string(),
  image: image.nullable(),
  /** What the picture shows; empty when the title says it. */
  imageAlt: z.string(),
  imageCredit: z.string(),
  /** At a calm pace, at least one. */
  readingMinutes: z.int(),
  directMetadata: metadata,
})
export type EditorialSummary = z.infer<typeof editorialSummary>

/** All of it, with the catalogue's things that it shows, by their reference. */
export const editorialContent = editorialSummary.extend({
  content: z.array(block),
  cards: z.record(z.string(), item),
})
export type EditorialContent = z.infer<typeof editorialContent>

/** What is written, by type or keyword, in order: by rank, the newest first. */
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
    /** What introduces the type, where something does. */
    section: editorialSummary.nullable(),
  }),
})

/** One article or page with what is near it (V3-34). Without a type it is a page. */
export const editorialData = operation({
  method: 'POST',
  path: '/proxy/editorialData',
  as: 'visitor',
  summary: 'One article or page.',
  input: z.object({ type: name.optional(), slug: name }),
  output: z.object({
    content: editorialContent,
    /** What shares its keywords or its type. */
    related: z.array(editorialSummary),
    /** In the order of its type's list. */
    previous: editorialSummary.nullable(),
    next: editorialSummary.nullable(),
  }),
  errors: ['notFound'],
})

/** Questions and answers, by group, in order (A7.1-31, decision 42). */
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
          /** Its anchor on the page. */
          id: z.string(),
          question: z.string(),
          answer: z.array(block),
        }),
      ),
      cards: z.record(z.string(), item),
    }),
  ),
})
