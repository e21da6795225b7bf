import { SEARCH_FILTERS } from '@ondine/contract/configuration-values'
import type { EditorialSummary } from '@ondine/contract/editorial'
import type { Item } from '@ondine/contract/entities'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import {
  MOST_ARTICLES,
  MOST_RESULTS,
  type RelatedExtras,
  type SearchCounts,
  type SearchKey,
  type SearchResult,
  type SearchType,
} from '@ondine/contract/search'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { notFoundBy } from '../../../http/errors.ts'
import { cardsOf } from '../../content/catalogue/cards.service.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import type { CatalogueParts } from '../../content/catalogue/catalogue.service.ts'
import type { CatalogueView } from '../../content/catalogue/catalogue-view.ts'
import { isVisible } from '../../rights/entitlements/entitlements.service.ts'
import type { NextShowings, SoughtTitles } from '../../television/channels/showings.service.ts'
import { articlesByWords } from '../editorial/editorial.service.ts'
import { findRelated } from './related.repository.ts'
import { type Found, findByFacets, findPopular, MOST_CANDIDATES, type Scope } from './search.repository.ts'
import { SEARCH_LANGUAGES, type SearchKind, type SearchLanguage } from './search.table.ts'
import type { SearchMemory } from './search-memory.ts'
import type { SearchedWords } from './searched-words.ts'
import {
  type Alternatives,
  alternativesOf,
  canBeMisspelt,
  correctionOf,
  highlightsOf,
  SHORTEST_PREFIX,
  type Term,
  textQuery,
} from './terms.ts'

/** Maximum number of showings listed in a result. */
const SHOWINGS = 3
const POPULAR = 12
/** More than {@link POPULAR}, because lists leave some out. */
const POPULAR_CANDIDATES = 4 * POPULAR
/** Maximum number of articles shown below other results. */
const FEW_ARTICLES = 6
const NO_ARTICLES: Articles = { articles: [], count: 0 }

/** Words or metadata to search for. */
export type Wanted = { words: string } | { facets: readonly [key: SearchKey, value: string][] }

export interface Page {
  type: SearchType
  /** Counted from 1. */
  page: number
  size: number
}

export interface Answer {
  items: SearchResult[]
  page: number
  counts: SearchCounts
  correction: string | null
  highlight: string[]
  popular: SearchResult[]
  articles: EditorialSummary[]
}

/** Dependencies of searches. */
export type SearchSources = Pick<Context, 'db' | 'catalogue' | 'television' | 'searchMemory' | 'articleWords'>

/** The articles to show, and the number of articles found. */
type Articles = Awaited<ReturnType<typeof articlesByWords>>

/** Finds the articles with the words of a search, in the given fields of {@link textQuery} or in any field. */
type FindArticles = (alternatives: readonly Alternatives[], fields?: string) => Promise<Articles>

interface Hits {
  found: Found[]
  /** The words of the search; undefined for a search by metadata. */
  alternatives?: readonly Alternatives[]
  /** The articles with these words, if they were needed to find the titles. */
  articles?: Articles
  correction: string | null
  highlight: string[]
}

/** Returns one page of a search, and the number of results for each filter (V2.4-22, V3-33, V7-27). */
export async function search(
  sources: SearchSources,
  wanted: Wanted,
  { type, page, size }: Page,
  reader: Reader & { storefrontId: number },
): Promise<Answer> {
  const scope: Scope = { language: indexLanguage(reader.language), viewer: reader.viewer, now: reader.now }
  const { db, catalogue, television, articleWords } = sources
  const view = await catalogue.memory.view(reader)
  const isListed = listedIn(view)
  const articlesOf: FindArticles = async (alternatives, fields) =>
    (await articleWords.haveAll(alternatives))
      ? await articlesByWords(db, reader, textQuery(alternatives, fields), {
          most: MOST_ARTICLES,
          shown: type === 'articles' ? MOST_ARTICLES : FEW_ARTICLES,
        })
      : NO_ARTICLES
  const hits = await find(sources, wanted, scope, isListed, articlesOf)
  const [next, written] = await Promise.all([
    television.showings.next(shownOf(hits.found), reader.viewer, reader.now),
    page === 1 && hits.alternatives ? (hits.articles ?? articlesOf(hits.alternatives)) : NO_ARTICLES,
  ])
  // A programme without an asset is a result only while it has future showings.
  const all = hits.found
    .map((found): Match => {
      const startsAt = startOf(found, next)
      const isOn = startsAt !== undefined && startsAt <= reader.now
      return { found, isShown: startsAt !== undefined, isLive: isOn || isLive(found, view) }
    })
    .filter(({ found, isShown }) => found.kind !== 'programme' || isShown)
  const counts = { ...countsOf(all), articles: written.count }
  const from = (page - 1) * size
  const shown = all
    .filter((match) => FITS[type](match))
    .slice(0, MOST_RESULTS)
    .slice(from, from + size)
    .map(({ found }) => found)
  const popular =
    page === 1 && all.length === 0 && written.count === 0
      ? (await findPopular(db, POPULAR_CANDIDATES, { ...scope, kinds: ['film', 'series'] }))
          .filter(isListed)
          .slice(0, POPULAR)
      : []
  return {
    items: withEpisodesInOrder(await present(sources, shown, reader)),
    page,
    counts,
    correction: hits.correction,
    highlight: hits.highlight,
    popular: await present(sources, popular, reader),
    articles: written.articles,
  }
}

/** Decides whether lists show a search result. */
type IsListed = (found: Pick<Found, 'kind' | 'targetId'>) => boolean

/** Leaves out series without an episode that the reader may see. */
function listedIn(view: CatalogueView): IsListed {
  return ({ kind, targetId }) => kind !== 'series' || view.hasAssets(targetId)
}

async function find(
  sources: SearchSources,
  wanted: Wanted,
  scope: Scope,
  isListed: IsListed,
  articlesOf: FindArticles,
): Promise<Hits> {
  if ('facets' in wanted) {
    const found = await findByFacets(sources.db, wanted.facets, scope)
    return { found: found.filter(isListed), correction: null, highlight: [] }
  }
  const { searched } = sources.searchMemory
  const read = await searched.read(wanted.words, scope.language)
  if (read.length === 0) return { found: [], correction: null, highlight: [] }
  const memory = await sources.searchMemory.of(scope.language)
  const terms = read.map(({ word, stem }) => {
    const known = word.length < SHORTEST_PREFIX || memory.words.has(word)
    return { word, stem, known, begins: known || memory.words.hasBeginning(word) }
  })
  const last = terms.at(-1)
  const unknown = terms.filter((term) => !term.known && !(term === last && term.begins))
  const findWith = async (doubtful: readonly Term[]) =>
    await findAs(searched, memory, terms, doubtful, scope, isListed)
  const first = await findWith(unknown)
  if (first.found.length > 0 || unknown.length === terms.length) return first
  const articles = await articlesOf(first.alternatives ?? [])
  if (articles.count > 0 && (await areTogether(first.alternatives ?? [], articlesOf)))
    return { ...first, articles }
  // Each word exists, but nothing that the reader may see is about all words. So one of the words may be misspelt.
  const second = await findWith(terms)
  return second.found.length === 0 && articles.count > 0 ? { ...first, articles } : second
}

/**
 * Returns whether articles with these words prove that the viewer means them. One word is right if any article has
 * it. Several words must be in the title, the keywords or the description of an article, because a long text has
 * most words somewhere.
 */
async function areTogether(
  alternatives: readonly Alternatives[],
  articlesOf: FindArticles,
): Promise<boolean> {
  return alternatives.length === 1 || (await articlesOf(alternatives, 'ABC')).count > 0
}

/** Searches for all terms. For terms in `doubtful`, also searches similar words. */
async function findAs(
  searched: SearchedWords,
  { index, words }: Awaited<ReturnType<SearchMemory['of']>>,
  terms: readonly Term[],
  doubtful: readonly Term[],
  { language, viewer, now }: Scope,
  isListed: IsListed,
): Promise<Hits> {
  const similar = new Map(doubtful.filter(canBeMisspelt).map((term) => [term, words.near(term.word)]))
  const stems = await searched.stems([...similar.values()].flat(), language)
  const near = new Map(
    [...similar].map(([term, some]) => [term, some.map((word) => ({ word, stem: stems.get(word) ?? null }))]),
  )
  const alternatives = alternativesOf(terms, (term) => near.get(term) ?? [])
  const found = index.find(
    {
      alternatives,
      folded: terms.map(({ word }) => word).join(' '),
      begins: (terms.at(-1)?.word ?? '').length < SHORTEST_PREFIX,
    },
    (document) =>
      document.validFrom <= now &&
      (document.validTo === null || document.validTo > now) &&
      isVisible(viewer, document) &&
      isListed(document),
    MOST_CANDIDATES,
  )
  // A similar word that no result contains corrects nothing, and may be from a title that the viewer must not see.
  const contained = index.containedIn(
    found,
    [...near.values()].flat().flatMap(({ word, stem }) => [word, stem ?? word]),
  )
  const likely = alternativesOf(terms, (term) =>
    (near.get(term) ?? []).filter(({ word }) => contained.has(word)),
  )
  // A result may contain only another form of the similar word. Then the stem is highlighted, and the word stays unknown.
  const marked = alternativesOf(terms, (term) =>
    (near.get(term) ?? []).flatMap(({ word, stem }) => {
      if (contained.has(word)) return { word, stem }
      return stem !== null && contained.has(stem) ? { word: stem, stem } : []
    }),
  )
  const best = found[0]?.folded ?? ''
  return {
    found,
    alternatives,
    correction: found.length === 0 ? null : correctionOf(terms, likely, best),
    highlight: highlightsOf(marked),
  }
}

function indexLanguage(language: Language): SearchLanguage {
  return SEARCH_LANGUAGES.find((known) => known === language) ?? DEFAULT_LANGUAGE
}

function shownOf(found: readonly Found[]): SoughtTitles {
  const ids = (...kinds: SearchKind[]) =>
    found.filter(({ kind }) => kinds.includes(kind)).map(({ targetId }) => targetId)
  return {
    assetIds: ids('film', 'episode'),
    serieIds: ids('series'),
    programmeKeys: found.flatMap(({ kind, programmeKey }) => (kind === 'programme' ? [programmeKey] : [])),
  }
}

/** Returns when the title of a result is shown next; undefined if no showing is announced. */
function startOf({ kind, targetId, programmeKey }: Found, next: NextShowings): number | undefined {
  if (kind === 'programme') return next.programmes.get(programmeKey)?.startsAt
  if (kind === 'series') return next.series.get(targetId)?.startsAt
  return kind === 'channel' ? undefined : next.assets.get(targetId)?.startsAt
}

/** Returns whether a result is live without a showing on a channel: a channel itself, or an event that is on. */
function isLive({ kind, targetId }: Found, view: CatalogueView): boolean {
  return kind === 'channel' || ((kind === 'film' || kind === 'episode') && view.isOn(targetId))
}

/** A match with the facts that the filters use. */
interface Match {
  found: Found
  /** Whether a channel shows the title now or later. */
  isShown: boolean
  isLive: boolean
}

/** The results that each filter keeps (V2.4-22). */
const FITS: Record<SearchType, (match: Match) => boolean> = {
  all: () => true,
  movies: ({ found }) => found.kind === 'film',
  series: ({ found }) => found.kind === 'series' || found.kind === 'episode',
  lives: (match) => match.isLive,
  programs: (match) => match.isShown,
  // Articles are not titles, and are found by a separate search.
  articles: () => false,
}

/** Counts the results for each filter. */
function countsOf(all: readonly Match[]): SearchCounts {
  const counts: SearchCounts = { all: 0, movies: 0, series: 0, lives: 0, programs: 0, articles: 0 }
  for (const match of all) {
    for (const type of SEARCH_FILTERS) {
      if (counts[type] < MOST_RESULTS && FITS[type](match)) counts[type] += 1
    }
  }
  return counts
}

/** Presents results in their order, without results that were deleted in the meantime. */
async function present(
  { catalogue, television }: Pick<SearchSources, 'catalogue' | 'television'>,
  found: readonly Found[],
  reader: Reader,
): Promise<SearchResult[]> {
  if (found.length === 0) return []
  const { viewer, language, now } = reader
  const shown = shownOf(found)
  const needsChannels = found.some(({ kind }) => kind === 'channel' || kind === 'programme')
  const [cards, showings, channelItems] = await Promise.all([
    cardsOf(catalogue, shown, reader),
    television.showings.list(shown, viewer, language, now, SHOWINGS),
    needsChannels ? television.channels.items(viewer, language, now) : [],
  ])
  const channels = new Map(channelItems.map((one) => [one.payload.idChannel, one]))
  const onAir = (epg: SearchResult['usedIn']['epg']) => epg.some(({ startutc }) => startutc * 1000 <= now)
  return found.flatMap(({ kind, targetId, programmeKey }): SearchResult[] => {
    if (kind === 'channel') {
      const item = channels.get(targetId)
      return item ? [{ item, usedIn: { vod: null, epg: item.programme ? [item.programme] : [] } }] : []
    }
    if (kind === 'programme') {
      const epg = showings.programmes.get(programmeKey) ?? []
      const [payload] = epg
      const channel = payload && channels.get(payload.id_channel)?.payload
      return payload && channel
        ? [{ item: { type: 'programme', payload, channel }, usedIn: { vod: null, epg } }]
        : []
    }
    if (kind === 'series') {
      const payload = cards.series.get(targetId)
      const epg = showings.series.get(targetId) ?? []
      return payload
        ? [{ item: { type: 'series', payload }, usedIn: { vod: { live: onAir(epg) }, epg } }]
        : []
    }
    const payload = cards.assets.get(targetId)
    const epg = showings.assets.get(targetId) ?? []
    return payload
      ? [{ item: { type: 'asset', payload }, usedIn: { vod: { live: payload.live || onAir(epg) }, epg } }]
      : []
  })
}

/**
 * Sorts the episodes of each series by season and number. An episode can only take the place of another episode of
 * its series. Without this, the length of their texts would decide their order.
 */
function withEpisodesInOrder(results: readonly SearchResult[]): SearchResult[] {
  const serieOf = ({ item }: SearchResult) =>
    item.type === 'asset' && item.payload.isSerie ? item.payload.serieId : undefined
  const numbersOf = ({ item }: SearchResult) =>
    item.type === 'asset'
      ? [Number(item.payload.directMetadata.AD_SERIESEA), Number(item.payload.directMetadata.AD_SERIESEP)]
      : []
  const episodes = new Map(
    [...Map.groupBy(results, serieOf)].map(([serie, some]) => [
      serie,
      some
        .toSorted((one, other) => {
          const [season = 0, episode = 0] = numbersOf(one)
          const [otherSeason = 0, otherEpisode = 0] = numbersOf(other)
          return season - otherSeason || episode - otherEpisode
        })
        .values(),
    ]),
  )
  return results.map((result) => {
    const serie = serieOf(result)
    return serie === undefined ? result : (episodes.get(serie)?.next().value ?? result)
  })
}

/** Returns titles that are related to another title (V7-28); none if the viewer may not see that title. */
export async function related(
  db: Database,
  parts: CatalogueParts,
  content: { type: 'asset' | 'category'; id: number },
  extras: RelatedExtras,
  reader: Reader,
): Promise<Item[]> {
  const itself = await cardsOf(
    parts,
    content.type === 'asset'
      ? { assetIds: [content.id], serieIds: [] }
      : { assetIds: [], serieIds: [content.id] },
    reader,
  )
  if (itself.assets.size + itself.series.size === 0) throw notFoundBy('contentId')
  if (extras.count === 0 || extras.criteria.length === 0) return []
  const scope: Scope = { language: indexLanguage(reader.language), viewer: reader.viewer, now: reader.now }
  const found = await findRelated(db, content, itself.assets.get(content.id)?.serieId ?? -1, extras, scope)
  const listed = found.filter(listedIn(await parts.memory.view(reader)))
  const cards = await cardsOf(parts, shownOf(listed), reader)
  return listed.flatMap(({ kind, targetId }): Item[] => {
    const asset = kind === 'film' ? cards.assets.get(targetId) : undefined
    if (asset) return [{ type: 'asset', payload: asset }]
    const series = kind === 'series' ? cards.series.get(targetId) : undefined
    return series ? [{ type: 'category', payload: series }] : []
  })
}
