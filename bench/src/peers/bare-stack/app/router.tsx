import { dehydrate, hydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { pageLanguage, pageNonce } from './environment.ts'
import { routeTree } from './route-tree.gen.ts'
import { WORDS } from './words.ts'

/** Creates a router: for one request on the server, or for the whole visit in the browser. */
export function getRouter() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  const nonce = pageNonce()
  return createRouter({
    routeTree,
    context: { queryClient, words: WORDS[pageLanguage()] },
    ...(nonce === undefined ? {} : { ssr: { nonce } }),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // The cast is safe, because the state is serialisable, although its type does not say so.
    dehydrate: () => ({ queries: dehydrate(queryClient) as object }),
    hydrate: ({ queries }) => hydrate(queryClient, queries),
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>
  }
}
