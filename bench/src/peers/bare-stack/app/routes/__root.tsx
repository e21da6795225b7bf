import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import type { i18n } from 'i18next'
import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { I18nextProvider } from 'react-i18next'
import { Footer } from '../footer.tsx'
import { Header } from '../header.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient; words: i18n }>()({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { name: 'theme-color', content: '#080b10' },
    ],
  }),
  shellComponent: Document,
  component: () => (
    <>
      <Header />
      <main id="content">
        <Outlet />
      </main>
      <Footer />
    </>
  ),
})

function Document({ children }: { children: ReactNode }) {
  const { words } = Route.useRouteContext()
  return (
    <html lang={words.language}>
      <head>
        <HeadContent />
      </head>
      <body>
        <I18nProvider locale={words.language}>
          <I18nextProvider i18n={words}>{children}</I18nextProvider>
        </I18nProvider>
        <Scripts />
      </body>
    </html>
  )
}
