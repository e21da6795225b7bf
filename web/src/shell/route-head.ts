import { LAYOUT } from '@ondine/contract/constants'
import type { EditorialSummary } from '@ondine/contract/editorial'
import type { QueryClient } from '@tanstack/react-query'
import { isNotFound } from '@tanstack/react-router'
import type { i18n, ParseKeys } from 'i18next'
import { withPrefix } from '../api/language-prefix.ts'
import type { PageEnvironment } from '../api/page-context.ts'
import type { PageParts } from '../api/page-parts.ts'
import { articleData } from '../features/content/editorial/structured-data.ts'
import { configurationQuery } from '../features/ground/configuration/configuration-query.ts'
import { type PageHead, pageHead } from '../features/ground/head/page-head.ts'
import { aboveLevelOf } from '../features/people/parental/above-level.ts'

/** The router's context, which every route receives. */
export interface RouterContext {
  queryClient: QueryClient
  environment: PageEnvironment
  words: i18n
  /** The parts of the page that the server caches; undefined in the browser. */
  parts: PageParts | undefined
}

/**
 * Returns the head of a screen. The document's title is the screen's title with the service's name. For a screen
 * without a title, it is the configured default title (V2.4-25).
 */
export function routeHead({ queryClient, environment, words: { t } }: RouterContext, page: PageHead) {
  const { language } = environment
  // The configuration may be missing on an error page.
  const configuration = queryClient.getQueryData(configurationQuery.queryKey)?.configuration
  const name = configuration?.brand.name ?? ''
  const seo = configuration?.seo
  const title = page.title === '' ? '' : [page.title, name].filter(Boolean).join(' · ')
  return pageHead(
    {
      ...page,
      path: withPrefix(page.path, environment.prefix),
      title,
      unlisted: page.unlisted === true || seo?.indexed === false,
    },
    {
      title:
        seo?.title[language] ??
        [name, configuration?.brand.tagline[language] ?? t('head.tagline')].filter(Boolean).join(' · '),
      description: seo?.description[language] ?? t('head.description'),
      origin: environment.isKnownOrigin ? environment.origin : undefined,
      image: seo?.image ?? '',
      imageHeights: configuration?.catalogue.imageHeights ?? LAYOUT.imageHeights,
    },
  )
}

/** The fields of a route match that the head needs. */
interface Match {
  context: RouterContext
  pathname: string
  error: unknown
}

/** Returns the head of a screen that search engines must not index: a personal screen, or a step of a flow. */
export function unlistedHead({ context, pathname }: Pick<Match, 'context' | 'pathname'>, title: ParseKeys) {
  return routeHead(context, {
    title: context.words.t(title),
    description: '',
    path: pathname,
    unlisted: true,
  })
}

/** Returns the head of a 404 page (V2.1-27), or of the page that replaces content above a child's level. */
export function notFoundHead({ context, pathname, error }: Match) {
  const { t } = context.words
  const above = isNotFound(error) ? aboveLevelOf(error.data) : undefined
  return routeHead(context, {
    title: t(above === undefined ? 'notFound.title' : `aboveLevel.${above}`),
    description: t(above === undefined ? 'notFound.text' : 'aboveLevel.text'),
    path: pathname,
    unlisted: true,
  })
}

/** Returns the head of an article, with structured data for search engines. */
export function articleHead(context: RouterContext, content: EditorialSummary) {
  const { origin, isKnownOrigin, prefix } = context.environment
  const configuration = context.queryClient.getQueryData(configurationQuery.queryKey)?.configuration
  const site = {
    origin,
    name: configuration?.brand.name ?? '',
    prefix,
    imageHeights: configuration?.catalogue.imageHeights ?? LAYOUT.imageHeights,
  }
  return routeHead(context, {
    title: content.title,
    description: content.description,
    path: content.detailRoute,
    image: content.image,
    kind: 'article',
    data: isKnownOrigin ? articleData(content, site) : undefined,
  })
}

/** Returns the head of an editorial page. All addresses of the page have the same canonical path. */
export function pageContentHead(context: RouterContext, content: EditorialSummary) {
  const { title, description, detailRoute: path, image } = content
  return routeHead(context, { title, description, path, image })
}
