import { reportFault } from '../../ground/errors/report-fault.ts'
import { tellChange } from './changes.ts'
import { type Download, type DownloadFailure, filesOf, isRunning, percentOf } from './download.ts'
import { failureOf } from './failure.ts'
import { offlineMedia } from './offline-address.ts'
import { showFailure } from './show-failure.ts'
import { activeProfile, changeDownload, findDownload, listDownloads } from './store.ts'
import { fetchFile, missingFiles, openFiles, storedFiles } from './stored-files.ts'

/** Name of the lock that one tab holds while it downloads. */
const LOCK = 'ondine-downloads'
/** Pauses after a lost connection, in ms. The last one repeats. */
const PAUSES_MS = [1000, 2000, 5000, 15_000, 60_000]

/**
 * Downloads the titles in the queue one by one, and each title file by file. Only one tab of the browser downloads.
 * When that tab is closed, another tab continues. Files that are on the device already are not fetched again. Begins when
 * the service worker is active, because nothing can be played without it.
 */
export async function continueDownloads(): Promise<void> {
  await navigator.serviceWorker.ready
  await navigator.locks.request(LOCK, async () => {
    await sweep()
    let failures = 0
    for (let next = await nextDownload(); next !== undefined; next = await nextDownload()) {
      try {
        await fetchFiles(next)
        failures = 0
      } catch (error) {
        const failure = failureOf(error)
        if (failure === 'unknown') reportFault(error)
        if (failure === 'later') await pause(failures++)
        else await fail(next, failure)
      }
    }
  })
}

/** Returns the next download: the one that has begun, or else the oldest in the queue. */
async function nextDownload(): Promise<Download | undefined> {
  const waiting = (await listDownloads()).filter(({ state }) => isRunning(state))
  const [first] = waiting.toSorted(
    (one, other) =>
      Number(other.state === 'DOWNLOADING') - Number(one.state === 'DOWNLOADING') ||
      one.addedAt - other.addedAt,
  )
  return first
}

async function fetchFiles({ key, folders }: Download): Promise<void> {
  const cache = await openFiles()
  const files = filesOf(folders)
  const missing = await missingFiles(cache, files)
  let done = files.length - missing.length
  if (!(await report(key, percentOf(done, files.length)))) return
  for (const file of missing) {
    await cache.put(offlineMedia(file), await fetchFile(file))
    done += 1
    // The viewer may have stopped or removed the download, in any tab.
    if (!(await report(key, percentOf(done, files.length)))) return
  }
  await changeDownload(key, ({ state }) =>
    isRunning(state) ? { state: 'COMPLETED', failure: null } : undefined,
  )
  tellChange()
}

/** Stores the progress of a download. Returns whether the download is still wanted. */
async function report(key: string, percentDownloaded: number): Promise<boolean> {
  const known = await findDownload(key)
  if (known === undefined || !isRunning(known.state)) return false
  if (known.state === 'DOWNLOADING' && known.downloadProgress.percentDownloaded === percentDownloaded)
    return true
  const changed = await changeDownload(key, ({ state }) =>
    isRunning(state) ? { state: 'DOWNLOADING', downloadProgress: { percentDownloaded } } : undefined,
  )
  tellChange()
  return changed !== undefined && isRunning(changed.state)
}

/**
 * Deletes media that no download needs. A removal leaves media behind if it is interrupted, or if the download is
 * running.
 */
async function sweep(): Promise<void> {
  const cache = await openFiles()
  const needed = new Set((await listDownloads()).flatMap(({ folders }) => filesOf(folders).map(offlineMedia)))
  const media = (await storedFiles(cache)).filter((file) => file.startsWith(offlineMedia('/media/')))
  for (const file of media) if (!needed.has(file)) await cache.delete(file)
}

/** Waits until the browser reports a connection, or for some seconds. */
async function pause(failures: number): Promise<void> {
  const milliseconds = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
  })
}

async function fail({ key, title, profileId }: Download, failure: DownloadFailure): Promise<void> {
  await changeDownload(key, ({ state }) => (isRunning(state) ? { state: 'FAILED', failure } : undefined))
  tellChange()
  // The queue has the downloads of all profiles. A child must not read the title of its parents' film.
  if ((await activeProfile()) !== profileId) return
  // The other downloads do not wait until the viewer has read it.
  showFailure(title, failure).catch(reportFault)
}
