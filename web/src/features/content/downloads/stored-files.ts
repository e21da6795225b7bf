import type { DownloadFolder } from '@ondine/contract/downloads'
import { downloadFiles } from './chosen-files.ts'
import { filesOf } from './download.ts'
import { FileError } from './failure.ts'
import { offlineManifest, offlineMedia, offlinePicture } from './offline-address.ts'

/**
 * Fetches a file of the service without the browser's HTTP cache, because a cached copy would take the same space
 * again.
 *
 * @throws FileError
 */
export async function fetchFile(address: string): Promise<Response> {
  const response = await fetch(address, { cache: 'no-store' })
  if (!response.ok) throw new FileError(response.status)
  return response
}

/** Returns the files that are not stored yet. */
export async function missingFiles(files: readonly string[]): Promise<string[]> {
  const stored = new Set(await downloadFiles().list())
  return files.filter((file) => !stored.has(offlineMedia(file)))
}

/** Deletes the files that only one download has: its manifest and its picture. */
export async function deleteOwnFiles(key: string): Promise<void> {
  for (const file of [offlineManifest(key), offlinePicture(key)]) await downloadFiles().delete(file)
}

/** Deletes the media in some folders. */
export async function deleteMedia(folders: readonly DownloadFolder[]): Promise<void> {
  for (const file of filesOf(folders)) await downloadFiles().delete(offlineMedia(file))
}
