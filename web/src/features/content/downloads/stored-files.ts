import { FileError } from './failure.ts'
import { DOWNLOADS_CACHE, offlineManifest, offlineMedia, offlinePicture } from './offline-address.ts'

/** Opens the cache with the files of all downloads. */
export async function openFiles(): Promise<Cache> {
  return await caches.open(DOWNLOADS_CACHE)
}

/**
 * Fetches a file of the service, past the browser's HTTP cache, which would take the room of the file a second time.
 *
 * @throws FileError
 */
export async function fetchFile(address: string): Promise<Response> {
  const response = await fetch(address, { cache: 'no-store' })
  if (!response.ok) throw new FileError(response.status)
  return response
}

/** Returns the files that are not stored yet. */
export async function missingFiles(cache: Cache, files: readonly string[]): Promise<string[]> {
  const stored = new Set(await storedFiles(cache))
  return files.filter((file) => !stored.has(offlineMedia(file)))
}

/** Returns the offline addresses of all stored files. */
export async function storedFiles(cache: Cache): Promise<string[]> {
  return (await cache.keys()).map(({ url }) => new URL(url).pathname)
}

/** Deletes the files that only one download has: its manifest and its picture. */
export async function deleteOwnFiles(key: string): Promise<void> {
  const cache = await openFiles()
  for (const file of [offlineManifest(key), offlinePicture(key)]) await cache.delete(file)
}
