import type { Context } from '@ondine/server/context'
import type { Page } from 'playwright-core'
import { percentileFigures } from '../percentile-figures.ts'
import { type Players, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/** Number of downloads on the device. */
const DOWNLOADS = 20
const BARE = '/offline/bare'

/**
 * Measures the start of the application without a connection, until its downloads are visible. The service worker
 * is stopped before each start, as on a device that has not used the application for some time.
 */
export const offlineStart: Row = {
  name: 'offline-start',
  measure: async ({ browserTries }) => {
    const times = await withPlayers(
      async ({ origin, app }: Players) => {
        await prepare(app, origin)
        await app.context().setOffline(true)
        const subject: number[] = []
        const reference: number[] = []
        // The first turn only fills the caches of the disk.
        for (let turn = 0; turn <= browserTries; turn++) {
          const ours = await startAt(app, `${origin}/`)
          const bare = await startAt(app, origin + BARE)
          if (turn === 0) continue
          subject.push(ours)
          reference.push(bare)
        }
        return { subject, reference }
      },
      { settings: {}, fill: offerDownloads },
    )
    return percentileFigures(
      'start without a connection until the downloads are visible',
      times,
      [
        { mustReach: 1000, aimsAt: 500 },
        { mustReach: 1000, aimsAt: 500 },
      ],
      `From the navigation to the first frame with all ${DOWNLOADS} downloads, in Chromium without a graphics card, with a service worker that starts first. The bare page lists the same downloads from the same database, and comes from the same service worker. ${browserTries} tries.`,
      'a bare page of the same service worker',
    )
  },
}

async function offerDownloads({ configurations, storefronts }: Context): Promise<void> {
  const { id } = storefronts.first()
  const { revision } = configurations.stored(id)
  const changes = [{ path: 'downloads.downloadWebEnabled', value: true }]
  await configurations.change(id, revision, changes, { author: 'bench', reason: 'Downloads' })
}

/**
 * Visits the application until it works without a connection. Stores downloads, and the page that is the
 * reference.
 */
async function prepare(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const rows = `<!doctype html><meta charset="utf-8"><title>Downloads</title><ul></ul><script>
    indexedDB.open('ondine-downloads', 1).onsuccess = ({ target: { result } }) => {
      result.transaction('downloads').objectStore('downloads').getAll().onsuccess = ({ target: { result } }) => {
        document.querySelector('ul').innerHTML = result.map(({ title }) => '<li>' + title + '</li>').join('')
      }
    }
  </script>`
  await page.evaluate(
    async ({ count, address, text }) => {
      const answer = async <Result>(request: IDBRequest<Result>) =>
        await new Promise<Result>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error('No database')))
        })
      const database = await answer(indexedDB.open('ondine-downloads', 1))
      const stores = database.transaction(['downloads', 'values'], 'readwrite')
      const profileId: number = await answer(stores.objectStore('values').get('profile'))
      const now = Math.floor(Date.now() / 1000)
      for (let assetId = 1; assetId <= count; assetId++)
        await answer(
          stores.objectStore('downloads').put({
            key: `${profileId}-${assetId}`,
            accountId: 1,
            profileId,
            assetId,
            state: 'COMPLETED',
            downloadProgress: { percentDownloaded: 100 },
            failure: null,
            title: `Film ${assetId}`,
            subtitle: '',
            durationSeconds: 5400,
            bytes: 1e9,
            height: 720,
            folders: [],
            languages: { audio: 'fra', subtitle: 'non' },
            licence: null,
            addedAt: now - assetId,
            times: {
              expiresAt: now + 86_400,
              playSeconds: 86_400,
              firstPlayedAt: null,
              latestAt: now,
              aheadSeconds: 0,
            },
          }),
        )
      database.close()
      const headers = { 'content-type': 'text/html' }
      await (await caches.open('ondine-downloads')).put(address, new Response(text, { headers }))
    },
    { count: DOWNLOADS, address: BARE, text: rows },
  )
  await page.addInitScript(noteDownloads, DOWNLOADS)
}

declare global {
  interface Window {
    /** Milliseconds from the navigation to the first frame that shows all downloads. */
    downloadsShown: Promise<number>
  }
}

/** Records when all downloads are visible. Runs in the page before the page's own scripts. */
function noteDownloads(count: number): void {
  window.downloadsShown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll('li').length < count) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

async function startAt(page: Page, address: string): Promise<number> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
  await page.goto(address)
  return await page.evaluate(async () => await window.downloadsShown)
}
