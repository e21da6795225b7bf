import { SecureStorage } from '@aparajita/capacitor-secure-storage'
import '@capacitor/browser'
import { provideDeviceStore } from '@ondine/web/api/device-store'
import { environment } from '@ondine/web/api/environment'
import { keep, kept } from '@ondine/web/api/kept'
import { LANGUAGE_COOKIE } from '@ondine/web/api/page-context'
import { configurationQuery, fetchNewer } from '@ondine/web/features/ground/configuration/configuration-query'
import { reportFault } from '@ondine/web/features/ground/errors/report-fault'
import { getRouter } from '@ondine/web/router'
import { browserTimeZone } from '@ondine/web/words/place'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { appLanguage } from './app-language.ts'
import { followBackButton } from './back-button.ts'
import { keepingDeviceId } from './device-id.ts'
import { DEVICE_STORE, listenForPurchases } from './device-store.ts'
import { startDownloads } from './downloads.ts'
import { openLinksOutside } from './outside-links.ts'
import { type ResponseCache, responseCache } from './response-cache.ts'
import { sendBy, serviceFetch } from './service-fetch.ts'
import { keepTree } from './start-data.ts'
import { Tokens } from './tokens.ts'
import { visitSeed } from './visit-seed.ts'

/** Storage key. Its value records that the key store no longer contains tokens of an earlier installation. */
const STARTED = 'started'

void start()

/**
 * Starts the app. The page comes from the app, and all data from the service (V4-01). The attributes of `<html>`
 * in `index.html` contain the service's address and the storefront, as on the website.
 */
async function start(): Promise<void> {
  listenForPurchases().catch(reportFault)
  const cache = await fetchFromService()
  openLinksOutside()
  provideDeviceStore(DEVICE_STORE)
  startDownloads()
  const configuration = await fetchNewer(undefined).catch(() => undefined)
  Object.assign(document.documentElement.dataset, {
    language: appLanguage(kept(LANGUAGE_COOKIE), navigator.languages, configuration?.configuration.languages),
    timeZone: browserTimeZone(),
    shuffle: visitSeed(cache),
  })
  const router = await getRouter()
  const { queryClient } = router.options.context
  if (configuration !== undefined) queryClient.setQueryData(configurationQuery.queryKey, configuration)
  keepTree(queryClient)
  await followBackButton(router)
  // The router loads the first page itself. Waiting for the load here would fail if the first page redirects.
  createRoot(document).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}

/** Redirects the pages' `fetch` to the service, with the viewer's tokens. Returns the cache of the answers. */
async function fetchFromService(): Promise<ResponseCache> {
  const direct = globalThis.fetch.bind(globalThis)
  const isFirstStart = kept(STARTED) === undefined
  const started = () => keep(STARTED, '1')
  const tokens = await Tokens.read(SecureStorage, { isFirstStart, started, report: reportFault })
  const cache = responseCache()
  const send = tokens.carriedBy(cache.wrap(keepingDeviceId(sendBy(direct))), cache.forget)
  globalThis.fetch = serviceFetch({ service: environment().origin, direct, send })
  return cache
}
