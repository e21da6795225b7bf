import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import { kept } from './kept.ts'
import { type PageContext, type PageEnvironment, SORT_COOKIE, sortOf } from './page-context.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: PageContext }
  }
}

/**
 * Returns the context of the current request. Works only on the server, which provides the context with each
 * request.
 */
export function serverContext(): PageContext {
  const context: Partial<PageContext> | undefined = getGlobalStartContext()
  if (context?.apiFetch === undefined) throw new Error('The page request has no context')
  return context as PageContext
}

/**
 * Returns the language, time zone and storefront of the page: from the request on the server, from the attributes of
 * `<html>` in the browser.
 */
export const environment = createIsomorphicFn()
  .server((): PageEnvironment => serverContext())
  .client((): PageEnvironment => {
    const { dataset } = document.documentElement
    const { language = '', timeZone = 'UTC', identityKey = '', words: wordsAddress = '' } = dataset
    return {
      language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
      prefix: { path: dataset.prefix ?? '', atRoot: dataset.prefixAtRoot === 'true' },
      timeZone,
      identityKey,
      origin: dataset.origin ?? location.origin,
      isKnownOrigin: dataset.origin !== undefined,
      shuffle: Number(dataset.shuffle ?? 0),
      sort: sortOf(kept(SORT_COOKIE)),
      wordsAddress,
    }
  })
