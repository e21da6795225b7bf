import * as z from 'zod'
import { RELATED_CRITERIA, RELATED_ORDERS, SEARCH_FILTERS } from './configuration-values.ts'
import { TEXTS } from './constants.ts'
import { editorialSummary } from './editorial.ts'
import { asset, category, channel, item, programme } from './entities.ts'
import { operation } from './operation.ts'
import { id, integer, json, language, text } from './wire.ts'

/** A filter of search results (V2.4-22). */
export type SearchType = (typeof SEARCH_FILTERS)[number]

/**
 * Metadata keys for a search by value instead of by words (V2.1-18): actor, director, genre, studio, year, series, tag.
 */
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

/**
 * Longest search term, in characters. The limit is higher than that of the search box, because a search by person
 * uses the full name.
 */
const TERM_MAX = 200
/** Maximum number of results. A search cannot return results beyond this number. */
export const MOST_RESULTS = 500

/** A search result, and where it can be watched (V3-33). */
const searchResult = z.object({
  item: z.discriminatedUnion('type', [
    z.object({ type: z.literal('asset'), payload: asset }),
    z.object({ type: z.literal('series'), payload: category }),
    z.object({ type: z.literal('channel'), payload: channel, programme: programme.nullable() }),
    /** A programme that is only in the guide, with its next showing. */
    z.object({ type: z.literal('programme'), payload: programme, channel }),
  ]),
  usedIn: z.object({
    /**
     * Set if the result is in the catalogue. `live` is true if the title is live, or a programme with the title is
     * on air.
     */
    vod: z.object({ live: z.boolean() }).nullable(),
    /**
     * Current and future showings of the result, sorted by time. Each has its channel's name in
     * `direct_metadata.channel_name`.
     */
    epg: z.array(programme),
  }),
})
export type SearchResult = z.infer<typeof searchResult>

const facetValue = z.string().trim().min(1).max(TERM_MAX)

/** Conditions of a search. A result must meet all of them. At least one condition is required. */
const searchFilter = z
  .strictObject({
    /** Language of the results, instead of the call's `languageId`. Not a condition. */
    languageId: language.optional(),
    type: z.enum(SEARCH_FILTERS).optional(),
    AD_LIACTORS: facetValue.optional(),
    AD_LIREALIS: facetValue.optional(),
    AD_LIGENRES: facetValue.optional(),
    AD_LIPRODUC: facetValue.optional(),
    TS_PRODYEAR: facetValue.optional(),
    AD_SURTITLE: facetValue.optional(),
    TAGS: facetValue.optional(),
  })
  .refine(
    (filter) => Object.entries(filter).some(([key, value]) => key !== 'languageId' && value !== undefined),
    'has no condition',
  )
export type SearchFilter = z.infer<typeof searchFilter>

/** Maximum number of articles in a search. */
export const MOST_ARTICLES = 50

/** Number of results for each filter of the screen, at most {@link MOST_RESULTS}. */
const counts = z.object({
  /** Number of all results, without articles. */
  all: z.int(),
  movies: z.int(),
  series: z.int(),
  lives: z.int(),
  programs: z.int(),
  /** Number of articles, at most {@link MOST_ARTICLES}; 0 unless the first page of results is requested. */
  articles: z.int(),
})
export type SearchCounts = z.infer<typeof counts>

/**
 * Finds titles, series, channels and programmes (V7-27), either by words, with `count` results per page, or by a
 * filter, with `itemsPerPage` results per page. A page after the last page is empty.
 */
export const search = operation({
  method: 'GET',
  path: '/cms/search',
  as: 'visitor',
  summary: 'Titles, series, channels and programmes that match words or a filter, the best first.',
  input: z.object({
    term: text(TERM_MAX).optional(),
    /** If set, the call finds titles with the value `term` under this metadata key, instead of searching for words. */
    searchBy: z.enum(SEARCH_KEYS).optional(),
    type: z.enum(SEARCH_FILTERS).default('all'),
    count: integer(1, 200).default(TEXTS.searchCount),
    filter: json(searchFilter).optional(),
    itemsPerPage: integer(1, 100).default(TEXTS.pageSize),
    /** Number of the page of results, counted from 1. */
    page: integer(1, 10_000).default(1),
  }),
  output: z.object({
    items: z.array(searchResult),
    page: z.int(),
    counts,
    /** The corrected search term, if the given one was misspelt; else null. */
    correction: z.string().nullable(),
    /** The words and beginnings of words that were searched, in lower case and without accents. */
    highlight: z.array(z.string()),
    /** Popular items, shown if the search has no results. */
    popular: z.array(searchResult),
    /**
     * Articles and pages of the storefront that match the words, only on the first page of results: all of them if
     * `type` is `articles`, else a few.
     */
    articles: z.array(editorialSummary),
  }),
})

/** The criteria, number and order of related titles, from the configuration (V7-28). */
const relatedExtras = z.strictObject({
  criteria: z.array(z.enum(RELATED_CRITERIA)).max(10).default(['genre', 'category']),
  count: z.int().min(0).max(50).default(12),
  order: z.enum(RELATED_ORDERS).default('relevance'),
})
export type RelatedExtras = z.infer<typeof relatedExtras>

/** Returns titles that are related to an asset or a category (V7-28). */
export const related = operation({
  method: 'GET',
  path: '/cms/search/related',
  as: 'visitor',
  summary: 'Titles similar to another one.',
  input: z.object({
    /** Id of an asset or a category, according to `contentType`. */
    contentId: id.optional(),
    contentType: z.enum(['asset', 'category']).default('asset'),
    extras: json(relatedExtras).optional(),
  }),
  output: z.array(item),
  errors: ['contentIdMissing', 'notFound'],
  // If the call fails, a client uses an empty list, because a page is useful without related titles too (A8.3-04).
  otherwise: [],
})
