import type { PushMessage } from '@ondine/contract/push'
import { inTime } from '../src/api/in-time.ts'
import {
  DOWNLOADS_CACHE,
  OFFLINE_BASE,
  OFFLINE_PAGE,
  offlinePageInsteadOf,
  SHELL_PREFIX,
} from '../src/features/content/downloads/offline-address.ts'
import { activeProfile } from '../src/features/content/downloads/store.ts'
import { addressToOpen, notificationOf } from './notifications.ts'
import { filesIn } from './page-files.ts'
import { renewSubscription } from './renew-subscription.ts'
import { unredirected } from './unredirected.ts'
import { wordsAddressIn } from './words-address.ts'

/** The files of the application that the offline page needs. The build inserts them (`web/build/service-worker.ts`). */
declare const SHELL_FILES: readonly string[]
/** Identifies the build. Each build has a separate cache, so that a page never mixes files of two builds. */
declare const BUILD: string

// TypeScript declares `self` as a `Window`.
declare const self: ServiceWorkerGlobalScope

const SHELL = SHELL_PREFIX + BUILD

const FILES: ReadonlySet<string> = new Set(SHELL_FILES)

/**
 * Time after which a page request fails, and the offline page opens, in milliseconds. After the same time, the texts of
 * a page come from the cache.
 */
const PAGE_MS = 8000

// Does not call `skipWaiting`, so that a new worker never takes over during playback. It takes over when the last
// page of the site is closed.
self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const answer = answerTo(event)
  if (answer !== undefined) event.respondWith(answer)
})

self.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(show(event.data))
})
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event, self.registration.pushManager, parameter('identityKey')))
})
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(addressToOpen(event.notification.data, self.location.origin)))
})

/** Returns a parameter of the worker's address, which `registerWorker` sets. */
function parameter(name: 'language' | 'identityKey'): string {
  return new URL(self.location.href).searchParams.get(name) ?? ''
}

async function install(): Promise<void> {
  const cache = await caches.open(SHELL)
  // The same build is installed again for another language or configuration.
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll([...FILES].filter((file) => !kept.has(file)))
  await keepOfflinePage(cache)
}

/**
 * Caches the offline page with its texts, in the language of the worker's address. Fetches the page without
 * credentials, so that it contains nothing of an account. During an update of the service, the page may come from
 * another build, whose files are not in this cache. The installation then fails, and the next visit tries again.
 */
async function keepOfflinePage(cache: Cache): Promise<void> {
  const response = await fetch(`${OFFLINE_PAGE}&language=${parameter('language')}`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The offline page was answered with status ${response.status}`)
  const text = await response.clone().text()
  const foreign = filesIn(text).find((file) => !FILES.has(file))
  if (foreign !== undefined) throw new Error(`The offline page is of another build: ${foreign}`)
  const words = wordsAddressIn(text)
  // If addresses contain the language, the service has redirected this request to the address with the language
  // prefix.
  await cache.put(OFFLINE_PAGE, await unredirected(response))
  if (words !== undefined) await cache.add(words)
}

/** Removes the caches of earlier builds, because no open page uses them any more. */
async function activate(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL)
  await Promise.all(old.map((name) => caches.delete(name)))
  // Not all browsers support navigation preload.
  if ('navigationPreload' in self.registration) await self.registration.navigationPreload.enable()
  // Without `claim`, the first page of the first visit could not use downloads.
  await self.clients.claim()
}

/** Returns the response to a request of a page; undefined if the browser must handle the request. */
function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin || request.method !== 'GET') return undefined
  if (pathname.startsWith(OFFLINE_BASE)) return fromDownloads(request)
  if (request.mode === 'navigate') return page(event)
  if (FILES.has(pathname)) return fromShell(request)
  if (pathname.startsWith('/translations/')) return fromNetworkOrShell(request)
  return undefined
}

async function fromDownloads(request: Request): Promise<Response> {
  const cache = await caches.open(DOWNLOADS_CACHE)
  // Without `ignoreSearch`, with which Chromium reads every entry of the cache. A film has thousands of entries.
  const kept = await cache.match(request, { ignoreVary: true })
  return kept ?? new Response(null, { status: 404 })
}

/**
 * Returns a page from the network. Without a connection, or without an answer within {@link PAGE_MS}, redirects to
 * the offline page. The offline page itself always comes from the cache, because a request could take another
 * {@link PAGE_MS}.
 */
async function page(event: FetchEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url)
  const isOfflinePage = pathname + search === OFFLINE_PAGE
  const kept = isOfflinePage ? await inShell(OFFLINE_PAGE) : undefined
  if (kept !== undefined) return kept
  const loaded = fromNetwork(event)
  if (isOfflinePage) return await loaded
  try {
    return await inTime(loaded, PAGE_MS)
  } catch {
    return Response.redirect(offlinePageInsteadOf(pathname + search))
  }
}

/**
 * Returns the preloaded response of a navigation, which the browser requested while it started the worker.
 * Otherwise requests the page.
 */
async function fromNetwork({ preloadResponse, request }: FetchEvent): Promise<Response> {
  const preloaded: Response | undefined = await preloadResponse
  return preloaded ?? (await fetch(request))
}

async function fromShell(request: Request): Promise<Response> {
  return (await inShell(request)) ?? (await fetch(request))
}

/** Returns texts from the network; from the cache if there is no answer within {@link PAGE_MS}. */
async function fromNetworkOrShell(request: Request): Promise<Response> {
  const loaded = fetch(request)
  try {
    return await inTime(loaded, PAGE_MS)
  } catch {
    return (await inShell(request)) ?? (await loaded)
  }
}

/** The cache of this build. It is opened at the first request. */
let shell: Promise<Cache> | undefined

async function inShell(request: RequestInfo): Promise<Response | undefined> {
  shell ??= caches.open(SHELL)
  return await (await shell).match(request, { ignoreVary: true })
}

/**
 * Shows the notification of a message. The message is not validated, because only the service can encrypt messages
 * for this browser.
 */
async function show(data: PushMessageData): Promise<void> {
  const message: PushMessage = data.json()
  const { title, options } = notificationOf(message, await activeProfile())
  await self.registration.showNotification(title, options)
}

/**
 * Focuses the window that shows this address, or else opens a new window. An existing window is never navigated,
 * because it may be playing something.
 */
async function open(address: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const known = windows.find(({ url }) => url === address)
  await (known === undefined ? self.clients.openWindow(address) : known.focus())
}
