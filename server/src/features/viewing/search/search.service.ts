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
const NO_ARTICLES = { articles: [], count: 0 }

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

interface Hits {
  found: Found[]
  /** The words of the search; undefined for a search by metadata. */
  alternatives?: readonly Alternatives[]
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
  const isListed = await listedBy(catalogue, reader)
  const hits = await find(sources, wanted, scope, isListed)
  const [next, written] = await Promise.all([
    television.showings.next(shownOf(hits.found), reader.viewer, reader.now),
    page === 1 && hits.alternatives && (await articleWords.haveAll(hits.alternatives))
      ? articlesByWords(db, reader, textQuery(hits.alternatives), {
          most: MOST_ARTICLES,
          shown: type === 'articles' ? MOST_ARTICLES : FEW_ARTICLES,
        })
      : NO_ARTICLES,
  ])
  // A programme without an asset is a result only while it has future showings.
  const all = hits.found
    .map((found) => ({ found, startsAt: startOf(found, next) }))
    .filter(({ found, startsAt }) => found.kind !== 'programme' || startsAt !== undefined)
  const counts = { ...countsOf(all, reader.now), articles: written.count }
  const from = (page - 1) * size
  const shown = all
    .filter(({ found, startsAt }) => FITS[type](found.kind, startsAt, reader.now))
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
async function listedBy({ memory }: CatalogueParts, reader: Reader): Promise<IsListed> {
  const view = await memory.view(reader)
  return ({ kind, targetId }) => kind !== 'series' || view.hasAssets(targetId)
}

async function find(sources: SearchSources, wanted: Wanted, scope: Scope, isListed: IsListed): Promise<Hits> {
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
  // Each word exists, but no document contains all words. So one of the words may be misspelt.
  return await findWith(terms)
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
  const near = new Map(doubtful.filter(canBeMisspelt).map((term) => [term, words.near(term.word)]))
  const stems = await searched.stems([...near.values()].flat(), language)
  const alternatives = alternativesOf(terms, (term) =>
    (near.get(term) ?? []).map((word) => ({ word, stem: stems.get(word) ?? null })),
  )
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
  const best = found[0]?.folded ?? ''
  return {
    found,
    alternatives,
    correction: found.length === 0 ? null : correctionOf(terms, alternatives, best),
    highlight: highlightsOf(alternatives),
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

/** The results that each filter keeps (V2.4-22). */
const FITS: Record<SearchType, (kind: SearchKind, startsAt: number | undefined, now: number) => boolean> = {
  all: () => true,
  movies: (kind) => kind === 'film',
  series: (kind) => kind === 'series' || kind === 'episode',
  lives: (kind, startsAt, now) => kind === 'channel' || (startsAt !== undefined && startsAt <= now),
  programs: (_kind, startsAt) => startsAt !== undefined,
  // Articles are not titles, and are found by a separate search.
  articles: () => false,
}

/** Counts the results for each filter, from the matches and their next showings. */
function countsOf(all: readonly { found: Found; startsAt: number | undefined }[], now: number): SearchCounts {
  const counts: SearchCounts = { all: 0, movies: 0, series: 0, lives: 0, programs: 0, articles: 0 }
  for (const { found, startsAt } of all) {
    for (const type of SEARCH_FILTERS) {
      if (counts[type] < MOST_RESULTS && FITS[type](found.kind, startsAt, now)) counts[type] += 1
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
  const listed = found.filter(await listedBy(parts, reader))
  const cards = await cardsOf(parts, shownOf(listed), reader)
  return listed.flatMap(({ kind, targetId }): Item[] => {
    const asset = kind === 'film' ? cards.assets.get(targetId) : undefined
    if (asset) return [{ type: 'asset', payload: asset }]
    const series = kind === 'series' ? cards.series.get(targetId) : undefined
    return series ? [{ type: 'category', payload: series }] : []
  })
}
