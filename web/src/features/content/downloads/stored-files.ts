import type { DownloadFolder } from '@ondine/contract/downloads'
import { downloadFiles } from './chosen-files.ts'
import { filesOf } from './download.ts'
import { FileError } from './failure.ts'
import { offlineManifest, offlineMedia, offlinePicture } from './offline-address.ts'

/** Time without any byte after which a transfer is aborted, in ms. */
const STALLED_MS = 30_000

/**
 * Fetches a whole file of the service without the browser's HTTP cache, because a cached copy would take the same
 * space again.
 *
 * @param ended aborts the transfer
 * @throws FileError; DOMException `TimeoutError` if the transfer stalls; the reason of `ended` if that aborts it
 */
export async function fetchFile(address: string, ended?: AbortSignal): Promise<Response> {
  const transfer = new AbortController()
  const end = () => transfer.abort(ended?.reason)
  let timer: ReturnType<typeof setTimeout> | undefined
  const expectBytes = () => {
    clearTimeout(timer)
    timer = setTimeout(() => transfer.abort(new DOMException('No bytes arrive', 'TimeoutError')), STALLED_MS)
  }
  if (ended?.aborted === true) end()
  ended?.addEventListener('abort', end)
  try {
    expectBytes()
    const response = await fetch(address, { cache: 'no-store', signal: transfer.signal })
    if (!response.ok) throw new FileError(response.status)
    return await wholeOf(response, expectBytes)
  } catch (error) {
    // Some browsers end the body of an aborted transfer with an `AbortError` instead of the reason.
    throw transfer.signal.aborted ? transfer.signal.reason : error
  } finally {
    clearTimeout(timer)
    ended?.removeEventListener('abort', end)
  }
}

/**
 * Returns a response whose whole content has arrived. The content is not passed on as a stream, so that a stalled
 * transfer never reaches the storage.
 *
 * @param arrived called whenever bytes arrive
 */
async function wholeOf({ body, status, headers }: Response, arrived: () => void): Promise<Response> {
  const reader = body?.getReader()
  const parts: BlobPart[] = []
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    arrived()
    parts.push(part.value)
  }
  return new Response(new Blob(parts), { status, headers })
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
