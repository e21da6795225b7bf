import { SEARCH_FILTERS } from '@ondine/contract/configuration-values'
import { MOST_RESULTS, type SearchCounts, type SearchResult, type SearchType } from '@ondine/contract/search'
import { useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { QueryLink, TextLink } from '../../../design/buttons/link.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { areFew } from '../../../design/tokens/layouts.ts'
import { ContentRails } from '../../content/catalogue/content-rails.tsx'
import { ArticleCard } from '../../content/editorial/article-card.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { MoreResults } from './more-results.tsx'
import { nearQuery, resultsQuery, type Wanted } from './queries.ts'
import { ResultCard } from './result-card.tsx'
import { resultKey, resultPath } from './results.ts'
import { type SearchQuery, searchPath } from './search-address.ts'
import styles from './search-screen.module.css'
import { useRemembered } from './use-recent-searches.ts'

/**
 * The results of a search: the filters, and a grid of cards. More cards load as the viewer scrolls (V2.4-22, V7-27).
 */
export function SearchScreen({
  wanted,
  heading,
  term,
  path,
}: {
  wanted: Wanted
  heading: string
  /** The search term, as displayed. */
  term: string
  /** Address of the search without its filter by type. */
  path: string
}) {
  const { t } = useTranslation()
  const { search } = useConfiguration()
  const query = useSuspenseInfiniteQuery(resultsQuery(wanted, search))
  const [first] = query.data.pages
  const results = query.data.pages.flatMap(({ items }) => items)
  const byWords = 'term' in wanted && wanted.searchBy === undefined
  useRemembered(byWords && first !== undefined && foundAny(first.counts) ? wanted.term : undefined)
  if (first === undefined) return null
  const { counts, correction } = first
  // Without a filter, the results contain a few articles. The filter for articles shows all articles, and any
  // other filter shows none.
  const withArticles = wanted.type === 'all' || wanted.type === 'articles'
  const articles = withArticles ? first.articles : []
  const nothing = !foundAny(counts)
  const found = counts[wanted.type] + (wanted.type === 'all' ? counts.articles : 0)
  const left = Math.max(0, counts[wanted.type] - results.length)
  const near = nearQuery(first, wanted.type)
  const isBesideArticles = articles.length > 0 && results.length > 0 && results.length <= MOST_BESIDE_ARTICLES
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title} dir="auto">
          {nothing
            ? t('search.none', { term })
            : byWords
              ? t('search.resultsFor', { term: correction ?? term })
              : heading}
        </h1>
        <output className={styles.note} data-advice={nothing || undefined}>
          {nothing ? t('search.noneText') : countText(found, t)}
        </output>
      </header>
      {correction !== null && (
        <p className={styles.correction}>
          {t('search.corrected', { term })}{' '}
          <TextLink to={searchPath(correction) ?? path}>{t('search.term', { term: correction })}</TextLink>
        </p>
      )}
      <Filters counts={counts} chosen={wanted.type} />
      <div className={styles.found} data-few={isBesideArticles ? results.length : undefined}>
        {results.length > 0 ? (
          <section aria-label={t('search.results')}>
            {articles.length > 0 && <h2 className={styles.heading}>{t(`search.${kindOf(results)}`)}</h2>}
            <Grid
              layout="Cover"
              perRow={2}
              few={areFew(counts[wanted.type])}
              waiting={query.hasNextPage && !query.isFetchNextPageError ? left : 0}
            >
              {results.map((result) => (
                <ResultCard key={resultKey(result)} result={result} highlight={first.highlight} />
              ))}
            </Grid>
            <MoreResults query={query} expected={left > 0} />
          </section>
        ) : (
          wanted.type !== 'all' &&
          articles.length === 0 &&
          !nothing && (
            <p className={styles.empty}>
              {t('search.noneHere')} <TextLink to={path}>{t('search.showAll')}</TextLink>
            </p>
          )
        )}
        {articles.length > 0 && (
          <section className={styles.popular} aria-labelledby="found-articles">
            <h2 id="found-articles">{t('search.articles')}</h2>
            <Grid layout="Inline">
              {articles.map((article) => (
                <ArticleCard key={article.id} article={article} layout="Inline" />
              ))}
            </Grid>
          </section>
        )}
      </div>
      {near !== undefined && <NearRail key={path} query={near} besides={results} />}
      {first.popular.length > 0 && (
        <section className={styles.popular} aria-labelledby="popular-titles">
          <h2 id="popular-titles">{t('search.popular')}</h2>
          <Grid layout="Cover" perRow={2}>
            {first.popular.map((result) => (
              <ResultCard key={resultKey(result)} result={result} highlight={NOTHING} />
            ))}
          </Grid>
        </section>
      )}
    </div>
  )
}

/** Returns whether a search found anything, titles or articles. */
function foundAny({ all, articles }: SearchCounts): boolean {
  return all + articles > 0
}

/** Returns the word for the kind of the results, or a general word for several kinds. */
function kindOf(results: readonly SearchResult[]): 'movies' | 'series' | 'results' {
  if (results.every(({ item }) => item.type === 'asset')) return 'movies'
  return results.every(({ item }) => item.type === 'series') ? 'series' : 'results'
}

/**
 * In a wide window, at most this many results share a line with the articles. Alone, they would leave the line
 * nearly empty.
 */
const MOST_BESIDE_ARTICLES = 2

/** A rail for a search with few results: titles related to the best result, without the results themselves. */
function NearRail({
  query,
  besides,
}: {
  query: NonNullable<ReturnType<typeof nearQuery>>
  besides: readonly SearchResult[]
}) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query)
  const found = new Set(besides.map(resultPath))
  const items = data.filter(({ payload }) => !found.has(payload.detailRoute))
  if (items.length === 0) return null
  return (
    <div className={styles.near}>
      <ContentRails rails={[{ id: 'near', title: t('search.near'), layout: 'Poster', items }]} />
    </div>
  )
}

const NOTHING: readonly string[] = []

/**
 * The filters that the configuration selects, as links in the configured order (V2.4-22). Leaves out filters
 * without results. Renders nothing if all filters show the same results. The filters have no numbers, because
 * their sum would exceed the total: a film that is on air is one result, but matches three filters.
 */
function Filters({ counts, chosen }: { counts: SearchCounts; chosen: SearchType }) {
  const { t } = useTranslation()
  const { search } = useConfiguration()
  const filters = SEARCH_FILTERS.toSorted(
    (a, b) => search.filters.indexOf(a) - search.filters.indexOf(b),
  ).filter((filter) => search.filters.includes(filter) && (counts[filter] > 0 || filter === chosen))
  if (!areDifferent(filters, counts)) return null
  return (
    <nav className={styles.filters} aria-label={t('search.filters')}>
      <ul>
        {filters.map((filter) => (
          <li key={filter}>
            <QueryLink query={(query) => withType(query, filter)} className={styles.filter}>
              {t(`search.${filter}`)}
            </QueryLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * Returns whether the filters show different results, judged by the numbers of results. If the total has reached
 * {@link MOST_RESULTS}, the numbers are not exact and count as different.
 */
function areDifferent(filters: readonly SearchType[], counts: SearchCounts): boolean {
  const sizes = filters.map((filter) => counts[filter] + (filter === 'all' ? counts.articles : 0))
  return counts.all >= MOST_RESULTS || new Set(sizes).size > 1
}

/** Returns the query parameters of a search with another filter. */
function withType(query: SearchQuery, type: SearchType): SearchQuery {
  const next = { ...query }
  if (type === 'all') delete next.type
  else next.type = type
  return next
}

/** Formats the number of results. {@link MOST_RESULTS} means that more results may exist. */
function countText(count: number, t: TFunction): string {
  return count >= MOST_RESULTS ? t('search.most', { count: MOST_RESULTS }) : t('search.count', { count })
}
