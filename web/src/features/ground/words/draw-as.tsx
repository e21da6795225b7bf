import type { Session } from '@ondine/contract/accounts'
import type { Configuration } from '@ondine/contract/configuration'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { ClockContext } from '../../../design/time/clock.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { PlaceProvider } from '../../../words/place.tsx'
import { ConfigurationContext } from '../configuration/use-configuration.ts'
import { ViewerContext } from '../session/session.ts'

/** The viewer for whom a test renders a part of a screen. `queries` contains the data of the part. */
interface Scene {
  session: Session
  configuration: Configuration
  queries: QueryClient
}

/** Renders a part of a screen in French as the server does, for tests. */
export function drawAs(part: ReactNode, scene: Scene): string {
  return renderToStaticMarkup(inScene(part, scene))
}

/** Returns a part of a screen in French with all contexts that it needs, for tests that use it. */
export function inScene(part: ReactNode, { session, configuration, queries }: Scene): ReactNode {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  return (
    <RouterContextProvider router={router}>
      <QueryClientProvider client={queries}>
        <I18nextProvider i18n={bundledWords('fra')}>
          <ConfigurationContext value={{ configuration, tag: '', revisions: {} }}>
            <ViewerContext value={{ session }}>
              <PlaceProvider language="fra" timeZone="Europe/Paris" dateFormat="D MMMM YYYY">
                <ClockContext
                  value={{ everySecond: () => () => {}, now: () => session.now, drawnAt: session.now }}
                >
                  {part}
                </ClockContext>
              </PlaceProvider>
            </ViewerContext>
          </ConfigurationContext>
        </I18nextProvider>
      </QueryClientProvider>
    </RouterContextProvider>
  )
}
