import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wdth-normal.woff2?url'
import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { languageTag } from '@ondine/contract/languages'
import { createRootRouteWithContext, HeadContent, Outlet, Scripts, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import '../design/base.css'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { ViewerProvider } from '../features/accounts/viewer-provider.tsx'
import { ConfigurationProvider } from '../features/configuration/configuration-provider.tsx'
import { configurationQuery } from '../features/configuration/configuration-query.ts'
import { ErrorWatch } from '../features/errors/error-watch.tsx'
import { reportFault } from '../features/errors/report-fault.ts'
import { ModalHost } from '../modals/modal-host.tsx'
import { guarded } from '../shell/guarded.ts'
import { type RouterContext, routeHead } from '../shell/route-head.ts'
import { PlaceProvider } from '../words/place.tsx'
import { words } from '../words/words.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, location }) => {
    await Promise.all([
      load(context.queryClient.ensureQueryData(configurationQuery)),
      load(context.queryClient.ensureQueryData(sessionQuery)),
    ])
    guarded(context.queryClient, location)
  },
  head: ({ match }) => {
    const { meta } = routeHead(match.context, { title: '', description: '', path: match.pathname })
    return {
      meta: [
        { charSet: 'utf-8' },
        { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
        { name: 'theme-color', content: '#080b10' },
        ...meta,
      ],
      links: [
        { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
        ...[figtree, bricolage].map((href) => ({
          rel: 'preload',
          href,
          as: 'font',
          type: 'font/woff2',
          crossOrigin: 'anonymous' as const,
        })),
      ],
    }
  },
  // Stands around an error page too.
  shellComponent: Document,
  component: Root,
})

function Root() {
  const { language, timeZone } = Route.useRouteContext({ select: ({ environment }) => environment })
  return (
    <PlaceProvider language={language} timeZone={timeZone}>
      <ViewerProvider>
        <Outlet />
        <ModalHost onFault={reportFault} />
        <ErrorWatch />
      </ViewerProvider>
    </PlaceProvider>
  )
}

function Document({ children }: { children: ReactNode }) {
  const { language, timeZone, identityKey, shuffle } = useRouter().options.context.environment
  return (
    <html
      lang={languageTag(language)}
      data-language={language}
      data-time-zone={timeZone}
      data-identity-key={identityKey}
      data-shuffle={shuffle}
    >
      <head>
        <HeadContent />
      </head>
      <body>
        <ConfigurationProvider>
          <I18nextProvider i18n={words(language)}>{children}</I18nextProvider>
        </ConfigurationProvider>
        <Scripts />
      </body>
    </html>
  )
}
