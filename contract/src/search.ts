import * as z from 'zod'
import { RELATED_CRITERIA, RELATED_ORDERS, SEARCH_FILTERS } from './configuration-values.ts'
import { TEXTS } from './constants.ts'
import { editorialSummary } from './editorial.ts'
import { asset, category, channel, item, programme } from './entities.ts'
import { operation } from './operation.ts'
import { id, integer, json, text } from './wire.ts'

/** What a search can be narrowed to (V2.4-22). */
export type SearchType = (typeof SEARCH_FILTERS)[number]

/** Metadata that a search can be by, instead of by words (V2.1-18): who plays, who directs, genre, studio, year, series, tag. */
export const SEARCH_KEYS = [
  'AD_LIACTORS',
  'AD_LIREALIS',
  'AD_LIGENRES',
  'AD_LIPRODUC',
  'TS_PRODYEAR',
  'AD_SURTITLE',
  'TAGS',
] as const
export type SearchKey = (typeof SEARCH_KEYS)[number]

/** Longest term that a call takes, in characters: longer than the search box lets in, since names of people are terms too. */
const TERM_MAX = 200
/** Searches end here: what has not been found by then is better looked for with another word. */
export const MOST_RESULTS = 500

/** One result: what was found, and where it can be watched (V3-33). */
export const searchResult = z.object({
  item: z.discriminatedUnion('type', [
    z.object({ type: z.literal('asset'), payload: asset }),
    z.object({ type: z.literal('series'), payload: category }),
    z.object({ type: z.literal('channel'), payload: channel, programme: programme.nullable() }),
    /** A programme that is only in the guide, by its next showing. */
    z.object({ type: z.literal('programme'), payload: programme, channel }),
  ]),
  usedIn: z.object({
    /** In the catalogue; `live` while it is on the air now. */
    vod: z.object({ live: z.boolean() }).nullable(),
    /** Its showings, on now or to come, by time. Each says its channel's name in `direct_metadata.channel_name`. */
    epg: z.array(programme),
  }),
})
export type SearchResult = z.infer<typeof searchResult>

const facetValue = z.string().trim().min(1).max(TERM_MAX)

/** Conditions that must all hold; at least one. */
export const searchFilter = z
  .strictObject({
    type: z.enum(SEARCH_FILTERS).optional(),
    AD_LIACTORS: facetValue.optional(),
    AD_LIREALIS: facetValue.optional(),
    AD_LIGENRES: facetValue.optional(),
    AD_LIPRODUC: facetValue.optional(),
    TS_PRODYEAR: facetValue.optional(),
    AD_SURTITLE: facetValue.optional(),
    TAGS: facetValue.optional(),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'has no condition')
export type SearchFilter = z.infer<typeof searchFilter>

/** Most articles that a search finds. */
export const MOST_ARTICLES = 50

/** How many results each filter of the screen has, at most {@link MOST_RESULTS}. */
const counts = z.object({
  /** Without the articles. */
  all: z.int(),
  movies: z.int(),
  series: z.int(),
  lives: z.int(),
  programs: z.int(),
  /** On the first page only, at most {@link MOST_ARTICLES}. */
  articles: z.int(),
})
export type SearchCounts = z.infer<typeof counts>

/**
 * Finds titles, series, channels and programmes (V7-27): by words, `count` on a page, or by a filter, `itemsPerPage` on a
 * page. Pages go on until one is empty.
 */
export const search = operation({
  method: 'GET',
  path: '/cms/search',
  as: 'visitor',
  summary: 'Titles, series, channels and programmes that fit words or a filter, the best first.',
  input: z.object({
    term: text(TERM_MAX).optional(),
    /** Looks for `term` as the value of this metadata instead of as words. */
    searchBy: z.enum(SEARCH_KEYS).optional(),
    type: z.enum(SEARCH_FILTERS).default('all'),
    count: integer(1, 200).default(TEXTS.searchCount),
    filter: json(searchFilter).optional(),
    itemsPerPage: integer(1, 100).default(TEXTS.pageSize),
    /** From 1. */
    page: integer(1, 10_000).default(1),
  }),
  output: z.object({
    items: z.array(searchResult),
    page: z.int(),
    counts,
    /** The term that was searched for instead of a misspelt one. */
    correction: z.string().nullable(),
    /** Words, and beginnings of words, that were looked for: lower case, without accents. */
    highlight: z.array(z.string()),
    /** What is worth seeing instead, when there is no result at all. */
    popular: z.array(searchResult),
    /** Articles and pages of the storefront that fit the words: all of them when narrowed to `articles`, else a few. On the first page only. */
    articles: z.array(editorialSummary),
  }),
})

/** What makes titles related, how many are wanted, in which order: from the configuration (V7-28). */
export const relatedExtras = z.strictObject({
  criteria: z.array(z.enum(RELATED_CRITERIA)).max(10).default(['genre', 'category']),
  count: z.int().min(0).max(50).default(12),
  order: z.enum(RELATED_ORDERS).default('relevance'),
})
export type RelatedExtras = z.infer<typeof relatedExtras>

/** Titles that are like another (V7-28). */
export const related = operation({
  method: 'GET',
  path: '/cms/search/related',
  as: 'visitor',
  summary: 'Titles that are like another one.',
  input: z.object({
    /** An asset's or a category's, as `contentType` says. */
    contentId: id.optional(),
    contentType: z.enum(['asset', 'category']).default('asset'),
    extras: json(relatedExtras).optional(),
  }),
  output: z.array(item),
  errors: ['contentIdMissing', 'notFound'],
  // A page without it is still a page (A8.3-04).
  otherwise: [],
})
