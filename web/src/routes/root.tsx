import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import type { Configuration } from '@ondine/contract/configuration'
import { languageTag, textDirection } from '@ondine/contract/languages'
import { APP_ICON_PNG, siteIcon } from '@ondine/contract/site-icon'
import { createRootRouteWithContext, HeadContent, Outlet, Scripts, useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ReactNode } from 'react'
import { atService } from '../api/at-service.ts'
import { PAGE_DATA_ID } from '../api/page-data.ts'
import { writePageData } from '../api/write-page-data.ts'
import '../design/tokens/base.css'
import bricolageTitle from '../design/tokens/faces/bricolage-grotesque-title.woff2?url'
import { ConfigurationProvider } from '../features/ground/configuration/configuration-provider.tsx'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { ThemeStyle } from '../features/ground/configuration/theme-style.tsx'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { reportFault } from '../features/ground/errors/report-fault.ts'
import { isTelevision } from '../features/ground/platform/use-platform.ts'
import { WordsProvider } from '../features/ground/words/words-provider.tsx'
import { ViewerProvider } from '../features/viewing/accounts/viewer-provider.tsx'
import { ModalHost } from '../modals/modal-host.tsx'
import { EVENT_REPLAY_SCRIPT } from '../shell/browser/event-replay.ts'
import { LATE_START_SCRIPT } from '../shell/browser/late-start.ts'
import { ErrorWatch } from '../shell/error-watch.tsx'
import { guarded } from '../shell/guarded.ts'
import { type RouterContext, routeHead } from '../shell/route-head.ts'
import { startSession } from '../shell/start-order.ts'
import { PlaceProvider } from '../words/place.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, location }) => {
    await startSession(context.queryClient)
    guarded(context.queryClient, location)
  },
  head: ({ match }) => {
    const { meta } = routeHead(match.context, { title: '', description: '', path: match.pathname })
    const { brand, colors, style } = configurationOf(match.context.queryClient)
    return {
      meta: [
        { charSet: 'utf-8' },
        { name: 'viewport', content: isTelevision() ? TELEVISION_VIEWPORT : VIEWPORT },
        { name: 'theme-color', content: colors.surface0 },
        ...meta,
      ],
      links: [
        { rel: 'icon', href: siteIcon(brand) },
        { rel: 'apple-touch-icon', href: APP_ICON_PNG },
        ...fontFiles(style).map((href) => ({
          rel: 'preload',
          href,
          as: 'font',
          type: 'font/woff2',
          crossOrigin: 'anonymous' as const,
        })),
      ],
    }
  },
  // The shell also renders around an error page.
  shellComponent: Document,
  component: Root,
})

const VIEWPORT = 'width=device-width, initial-scale=1, viewport-fit=cover'
/**
 * A fixed width, so that the layout has the same size on all televisions. Android televisions report half of their
 * pixels or fewer.
 */
const TELEVISION_VIEWPORT = 'width=1920'

/**
 * The service's own font files, by font name. Each file is a subset with the glyphs that the first screen shows.
 */
const OWN_FILES: Readonly<Record<string, string>> = {
  Figtree: figtree,
  'Bricolage Grotesque': bricolageTitle,
}

/** Returns the font files to preload (V3-48). */
function fontFiles({
  textFont,
  textFontFile,
  displayFont,
  displayFontFile,
}: Configuration['style']): string[] {
  const files = [
    atService(textFontFile) || OWN_FILES[textFont],
    atService(displayFontFile) || OWN_FILES[displayFont],
  ]
  return [...new Set(files)].filter((file) => file !== undefined)
}

function Root() {
  const { language, timeZone } = Route.useRouteContext({ select: ({ environment }) => environment })
  const { dateFormats } = useConfiguration().languages
  return (
    <PlaceProvider language={language} timeZone={timeZone} dateFormat={dateFormats[language]}>
      <ViewerProvider>
        <Outlet />
        <ModalHost onFault={reportFault} />
        <ErrorWatch />
      </ViewerProvider>
    </PlaceProvider>
  )
}

function Document({ children }: { children: ReactNode }) {
  const { context } = useRouter().options
  const { prefix, language, timeZone, identityKey, origin, isKnownOrigin, shuffle, wordsAddress } =
    context.environment
  return (
    <ConfigurationProvider>
      <html
        lang={languageTag(language)}
        dir={textDirection(language)}
        data-language={language}
        data-time-zone={timeZone}
        data-prefix={prefix.path || undefined}
        data-prefix-at-root={prefix.atRoot || undefined}
        data-identity-key={identityKey}
        data-origin={isKnownOrigin ? origin : undefined}
        data-shuffle={shuffle}
        data-words={wordsAddress}
        data-television={isTelevision() ? '' : undefined}
      >
        <head>
          <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstScript() }} />
          <HeadContent />
          <ThemeStyle />
        </head>
        <body>
          <WordsProvider>{children}</WordsProvider>
          <PageData />
          <Scripts />
        </body>
      </html>
    </ConfigurationProvider>
  )
}

/**
 * The element with the page's data. It precedes the scripts, because a script may run as soon as it arrives. The
 * data is inserted after everything else has been rendered, because it is not complete before.
 */
function PageData() {
  const { context } = useRouter().options
  return (
    <script
      id={PAGE_DATA_ID}
      type="application/json"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: pageData(context) }}
    />
  )
}

/** The script that runs while the page loads. The browser's build does not contain this text. */
const firstScript = createIsomorphicFn()
  .server(() => `${EVENT_REPLAY_SCRIPT};${LATE_START_SCRIPT}`)
  .client(() => '')

const pageData = createIsomorphicFn()
  .server(
    ({ parts, queryClient }: RouterContext): string => parts?.insert(() => writePageData(queryClient)) ?? '',
  )
  .client((_context: RouterContext): string => '')
