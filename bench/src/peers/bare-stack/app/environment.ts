import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import type { Language, PageContext, Rail } from './page-context.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: PageContext }
  }
}

function serverContext(): PageContext {
  const context: Partial<PageContext> | undefined = getGlobalStartContext()
  if (context?.nonce === undefined) throw new Error('The page has no context.')
  return context as PageContext
}

/** The language of the page. */
export const pageLanguage = createIsomorphicFn()
  .server((): Language => serverContext().language)
  .client((): Language => (document.documentElement.lang === 'en' ? 'en' : 'fr'))

/** Returns the nonce of the page's scripts on the server. In the browser, scripts cannot read the nonce. */
export const pageNonce = createIsomorphicFn().server((): string | undefined => serverContext().nonce)

/** Fetches the rails of home. */
export const fetchHome = createIsomorphicFn()
  .server(async () => await serverContext().home())
  .client(async (): Promise<readonly Rail[]> => await (await fetch('/api/home')).json())
