import type { QueryClient } from '@tanstack/react-query'
import { environment } from '../../../api/environment.ts'
import { configurationQuery } from '../../ground/configuration/configuration-query.ts'

/** Maximum time to wait for the service worker, in ms. At its installation, it fetches the whole application. */
const PATIENCE_MS = 30_000

/** Thrown when the service worker is not active. */
export class NoWorkerError extends Error {
  override readonly name = 'NoWorkerError'
}

/**
 * Waits until the service worker is active. Without it, no file of a download can be played.
 *
 * @throws NoWorkerError
 */
export async function requireWorker(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoWorkerError('The service worker is not active')), PATIENCE_MS)
  })
  try {
    await Promise.race([navigator.serviceWorker.ready, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Registers the service worker. It stores the application for use without a connection, and shows notifications. Its
 * address names the language and the configuration, because the worker stores the offline page in one language, with
 * the configuration of the day. A new address makes the browser install the worker anew. The address also names the
 * storefront of the worker's calls, because a worker can run without a page.
 */
export async function registerWorker(queryClient: QueryClient): Promise<void> {
  const { language, identityKey } = environment()
  const { tag = '' } = queryClient.getQueryData(configurationQuery.queryKey) ?? {}
  const parameters = new URLSearchParams({ language, identityKey, configuration: tag })
  await navigator.serviceWorker.register(`/service-worker.js?${parameters}`)
}
