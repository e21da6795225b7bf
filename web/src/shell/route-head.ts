import type { EditorialSummary } from '@ondine/contract/editorial'
import type { QueryClient } from '@tanstack/react-query'
import { isNotFound } from '@tanstack/react-router'
import type { i18n, ParseKeys } from 'i18next'
import { withPrefix } from '../api/language-prefix.ts'
import type { PageEnvironment } from '../api/page-context.ts'
import type { PageParts } from '../api/page-parts.ts'
import { configurationQuery } from '../features/configuration/configuration-query.ts'
import { articleData } from '../features/editorial/structured-data.ts'
import { type PageHead, pageHead } from '../features/head/page-head.ts'
import { aboveLevelOf } from '../features/parental/above-level.ts'

/** What every route of the table gets. */
export interface RouterContext {
  queryClient: QueryClient
  environment: PageEnvironment
  words: i18n
  /** What of the page React need not write; undefined in the browser. */
  parts: PageParts | undefined
}

/** The head of a screen: the name of the service after its title, and what is configured in place of an empty one (V2.4-25). */
export function routeHead({ queryClient, environment, words: { t } }: RouterContext, page: PageHead) {
  const { language } = environment
  // An error page may have to be made without it.
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
    },
  )
}

/** What of a match the head of a page goes by. */
interface Match {
  context: RouterContext
  pathname: string
  error: unknown
}

/** The head of a screen of one's own, or of one that a step leads through: searches are not to list it. */
export function unlistedHead({ context, pathname }: Pick<Match, 'context' | 'pathname'>, title: ParseKeys) {
  return routeHead(context, {
    title: context.words.t(title),
    description: '',
    path: pathname,
    unlisted: true,
  })
}

/** The head of an address that leads nowhere (V2.1-27), or to what is above a child's level. */
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

/** The head of an article, with what search engines want to know of it. */
export function articleHead(context: RouterContext, content: EditorialSummary) {
  const { origin, isKnownOrigin } = context.environment
  const name = context.queryClient.getQueryData(configurationQuery.queryKey)?.configuration.brand.name ?? ''
  return routeHead(context, {
    title: content.title,
    description: content.description,
    path: content.detailRoute,
    image: content.image,
    kind: 'article',
    data: isKnownOrigin ? articleData(content, { origin, name }) : undefined,
  })
}

/** The head of an editorial page, wherever it is shown: one address is its own. */
export function pageContentHead(context: RouterContext, content: EditorialSummary) {
  const { title, description, detailRoute: path, image } = content
  return routeHead(context, { title, description, path, image })
}
