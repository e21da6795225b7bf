import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createRouter,
  createRouterConfig,
  createSerializationAdapter,
  type ParsedLocation,
} from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { ApiError, fieldsOf } from './api/api-error.ts'
import { environment, serverContext } from './api/environment.ts'
import { type LanguagePrefix, withoutPrefix, withPrefix } from './api/language-prefix.ts'
import { isNative } from './api/native.ts'
import type { ConfigurationState } from './api/page-context.ts'
import { PAGE_DATA_ID, readPageData } from './api/page-data.ts'
import { PageParts } from './api/page-parts.ts'
import { hashOf } from './api/query-hash.ts'
import { PageSkeleton } from './design/skeletons/skeleton.tsx'
import { configurationQuery } from './features/ground/configuration/configuration-query.ts'
import { sessionQuery } from './features/ground/session/session.ts'
import { reportMissingText } from './features/ground/words/report-missing-text.ts'
import { routeTree } from './route-tree.gen.ts'
import { followBrowser } from './shell/browser/follow-browser.ts'
import { connection, mayPrefetch } from './shell/browser/prefetch.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { WholePage } from './shell/whole-page.tsx'
import { fetchWords } from './words/fetch-words.ts'
import { wordsOf } from './words/words.ts'

/**
 * Returns the configuration on the server, which has it before any call. The browser gets it with the page's data.
 */
const known = createIsomorphicFn().server((): ConfigurationState => serverContext().configuration)
/** Returns whether to preload a link's target when the pointer approaches it. */
const preload = createIsomorphicFn()
  .server(() => false as const)
  .client(() => (mayPrefetch(connection()) ? ('intent' as const) : (false as const)))
const follow = createIsomorphicFn().client(followBrowser)
/** Returns the texts of the page's language. The server has them in memory, and the browser fetches them. */
const words = createIsomorphicFn()
  .server(async () => wordsOf(serverContext().language, serverContext().texts))
  .client(async () => await fetchWords(environment(), reportMissingText))
/** Loads the page's data into the query client before the browser's first call. */
const takePageData = createIsomorphicFn().client((queryClient: QueryClient) => {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (text) readPageData(queryClient, text)
})

/** Length of an interval in which no time zone begins a new day: days begin at multiples of 15 minutes. */
const QUARTER_SECONDS = 900

/**
 * Creates the {@link PageParts} of a page. A cached part is valid for a page with equal values in `page` below.
 */
const partsOf = createIsomorphicFn().server((queryClient: QueryClient, location: () => ParsedLocation) => {
  const { identityKey, language, prefix, timeZone, wordsAddress, configuration } = serverContext()
  return new PageParts(() => {
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    const { pathname, searchStr } = location()
    const page = [
      identityKey,
      language,
      prefix,
      timeZone,
      wordsAddress,
      configuration.tag,
      pathname,
      session?.account == null,
      Math.floor((session?.now ?? 0) / QUARTER_SECONDS),
    ]
    return { page: JSON.stringify(page), search: searchStr }
  })
})

/** Sends an ApiError that occurs during rendering on the server to the browser as an ApiError, with all its fields. */
const apiErrors = createSerializationAdapter({
  key: 'ApiError',
  test: (value): value is ApiError => value instanceof ApiError,
  toSerializable: fieldsOf,
  fromSerializable: (fault) => new ApiError(fault),
})

/**
 * Query options for the native app. By default, queries without a connection wait, and so does their page. With
 * these options a query is sent anyway, and gets an answer or an error at once.
 */
const OFFLINE_TOO = { networkMode: 'always', refetchOnReconnect: true } as const

/** Creates a router: for one request on the server, or for the whole visit in the browser. */
export async function getRouter() {
  const queryClient = new QueryClient({
    // Data that the server has just used must not be fetched again at hydration.
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        queryKeyHashFn: hashOf,
        ...(isNative() ? OFFLINE_TOO : {}),
      },
      mutations: isNative() ? { networkMode: 'always' } : {},
    },
  })
  const configuration = known()
  if (configuration) queryClient.setQueryData(configurationQuery.queryKey, configuration)
  takePageData(queryClient)
  const page = environment()
  const router = createRouter({
    ...createRouterConfig({ serializationAdapters: [apiErrors] }),
    routeTree,
    context: {
      queryClient,
      environment: page,
      words: await words(),
      parts: partsOf(queryClient, (): ParsedLocation => router.latestLocation),
    },
    ...(page.prefix.path === '' ? {} : { rewrite: prefixing(page.prefix) }),
    defaultPreload: preload(),
    // Lets the query client decide how long preloaded data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // The router's own error boundary would show an English message without a link.
    disableGlobalCatchBoundary: true,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    InnerWrap: WholePage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
  })
  follow(router)
  return router
}

/**
 * Rewrites addresses with a language prefix to paths without the prefix, because screens do not know prefixes
 * (V2.3-08).
 */
function prefixing(prefix: LanguagePrefix) {
  const move = (change: (pathname: string, prefix: LanguagePrefix) => string) => {
    return ({ url }: { url: URL }) => {
      url.pathname = change(url.pathname, prefix)
      return url
    }
  }
  return { input: move(withoutPrefix), output: move(withPrefix) }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>
  }
}
