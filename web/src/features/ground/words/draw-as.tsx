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

/** Renders a part of a screen in French as the server does, for tests. `queries` contains the data of the part. */
export function drawAs(
  part: ReactNode,
  {
    session,
    configuration,
    queries,
  }: { session: Session; configuration: Configuration; queries: QueryClient },
): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  return renderToStaticMarkup(
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
    </RouterContextProvider>,
  )
}
