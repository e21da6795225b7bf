import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import type { Language, PageContext, Rail } from './page-context.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: PageContext }
  }
}

function serverContext(): PageContext {
  const context: Partial<PageContext> | undefined = getGlobalStartContext()
  if (context?.nonce === undefined) throw new Error('A page was asked for without its context.')
  return context as PageContext
}

/** The language of the page. */
export const pageLanguage = createIsomorphicFn()
  .server((): Language => serverContext().language)
  .client((): Language => (document.documentElement.lang === 'en' ? 'en' : 'fr'))

/** What the scripts of the page are told by; browsers show it to none of them. */
export const pageNonce = createIsomorphicFn().server((): string | undefined => serverContext().nonce)

/** The rails of home. */
export const fetchHome = createIsomorphicFn()
  .server(async () => await serverContext().home())
  .client(async (): Promise<readonly Rail[]> => await (await fetch('/api/home')).json())
