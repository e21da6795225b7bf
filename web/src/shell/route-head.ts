import type { QueryClient } from '@tanstack/react-query'
import type { PageEnvironment } from '../api/page-context.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { type PageHead, pageHead } from '../features/head/page-head.ts'
import { words } from '../words/words.ts'

/** What every route of the table gets. */
export interface RouterContext {
  queryClient: QueryClient
  environment: PageEnvironment
}

/** The head of a screen, with the storefront's name after its title and in place of an empty one. */
export function routeHead({ queryClient, environment }: RouterContext, page: PageHead) {
  const { t } = words(environment.language)
  const name = queryClient.getQueryData(sessionQuery.queryKey)?.storefront.name ?? ''
  const title = page.title === '' ? '' : [page.title, name].filter(Boolean).join(' · ')
  return pageHead(
    { ...page, title },
    {
      title: [name, t('head.tagline')].filter(Boolean).join(' · '),
      description: t('head.description'),
      origin: environment.origin,
    },
  )
}

/** The head of an address that leads nowhere (V2.1-27). */
export function notFoundHead(context: RouterContext, path: string) {
  const { t } = words(context.environment.language)
  return routeHead(context, {
    title: t('notFound.title'),
    description: t('notFound.text'),
    path,
    unlisted: true,
  })
}
