import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type ParsedLocation } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { environment, serverContext } from './api/environment.ts'
import { type LanguagePrefix, withoutPrefix, withPrefix } from './api/language-prefix.ts'
import type { ConfigurationState } from './api/page-context.ts'
import { PAGE_DATA_ID, readPageData } from './api/page-data.ts'
import { PageParts } from './api/page-parts.ts'
import { hashOf } from './api/query-hash.ts'
import { PageSkeleton } from './design/skeleton.tsx'
import { sessionQuery } from './features/accounts/session.ts'
import { configurationQuery } from './features/configuration/configuration-query.ts'
import { reportMissingText } from './features/words/report-missing-text.ts'
import { routeTree } from './route-tree.gen.ts'
import { followBrowser } from './shell/browser/follow-browser.ts'
import { connection, mayPrefetch } from './shell/browser/prefetch.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { WholePage } from './shell/whole-page.tsx'
import { fetchWords } from './words/fetch-words.ts'
import { rememberTexts } from './words/remember-texts.ts'
import { wordsOf } from './words/words.ts'

/** What the server knows before the first question. */
const known = createIsomorphicFn().server((): ConfigurationState => serverContext().configuration)
/** Whether a link that a hand nears may fetch what it leads to. */
const preload = createIsomorphicFn()
  .server(() => false as const)
  .client(() => (mayPrefetch(connection()) ? ('intent' as const) : (false as const)))
const follow = createIsomorphicFn().client(followBrowser)
/** The texts of the page's language: the server has them, the browser fetches them. */
const words = createIsomorphicFn()
  .server(async () => rememberTexts(wordsOf(serverContext().language, serverContext().texts)))
  .client(async () => await fetchWords(environment(), reportMissingText))
/** What the server made the page from is there before the browser asks. */
const takePageData = createIsomorphicFn().client((queryClient: QueryClient) => {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (text) readPageData(queryClient, text)
})
const nonce = createIsomorphicFn().server((): string | undefined => serverContext().nonce)

/** Days begin, in every time zone, where one of these does. */
const QUARTER_SECONDS = 900

/** What of a page need not be drawn again goes by all this. */
const partsOf = createIsomorphicFn().server((queryClient: QueryClient, location: () => ParsedLocation) => {
  const { identityKey, language, prefix, timeZone, wordsAddress, nonce, configuration } = serverContext()
  return new PageParts(nonce, () => {
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

/** A router for one request on the server, or for the whole visit in the browser. */
export async function getRouter() {
  const queryClient = new QueryClient({
    // What the server has just rendered is not asked for again while the page comes alive.
    defaultOptions: {
      queries: { staleTime: 60_000, retry: false, refetchOnWindowFocus: false, queryKeyHashFn: hashOf },
    },
  })
  const configuration = known()
  if (configuration) queryClient.setQueryData(configurationQuery.queryKey, configuration)
  takePageData(queryClient)
  const page = environment()
  const scriptNonce = nonce()
  const router = createRouter({
    routeTree,
    context: {
      queryClient,
      environment: page,
      words: await words(),
      parts: partsOf(queryClient, (): ParsedLocation => router.latestLocation),
    },
    ...(page.prefix.path === '' ? {} : { rewrite: prefixing(page.prefix) }),
    ...(scriptNonce === undefined ? {} : { ssr: { nonce: scriptNonce } }),
    defaultPreload: preload(),
    // The query client decides how long data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // The router's own last resort says what is wrong in English, and leads nowhere.
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

/** Leads addresses that begin with a language to the screens, which know nothing of it (V2.3-08). */
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
