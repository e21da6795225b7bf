import type { DownloadFiles } from './download-files.ts'
import { DOWNLOADS_CACHE } from './offline-address.ts'
import { requireWorker } from './require-worker.ts'

/**
 * The files of downloads in the Cache API. The service worker answers requests for them. It does not control a page
 * after a forced reload (Shift and Reload), so such a page reads the files itself.
 */
export const browserFiles: DownloadFiles = {
  ready: async () => {
    await navigator.serviceWorker.ready
  },
  requireReady: requireWorker,
  protect: async () => {
    await navigator.storage.persist()
  },
  bytesLeft: async () => {
    try {
      const { quota, usage = 0 } = await navigator.storage.estimate()
      return quota === undefined ? undefined : Math.max(0, quota - usage)
    } catch {
      // Some browsers reject the call of `estimate`.
      return undefined
    }
  },
  areThere: async () => await caches.has(DOWNLOADS_CACHE),
  put: async (address, content) => await (await open()).put(address, content),
  list: async () => (await (await open()).keys()).map(({ url }) => new URL(url).pathname),
  delete: async (address) => {
    await (await open()).delete(address)
  },
  pictureAt: async (address) => address,
  get read() {
    const isUncontrolled = 'serviceWorker' in navigator && navigator.serviceWorker.controller === null
    return isUncontrolled ? read : undefined
  },
}

async function read(address: string): Promise<ArrayBuffer | undefined> {
  return await (await (await open()).match(address, { ignoreVary: true }))?.arrayBuffer()
}

async function open(): Promise<Cache> {
  return await caches.open(DOWNLOADS_CACHE)
}
