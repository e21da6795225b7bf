import { reportFault } from '../../ground/errors/report-fault.ts'
import { followDownloads, tellChange } from './changes.ts'
import { downloadFiles } from './chosen-files.ts'
import {
  type Download,
  type DownloadFailure,
  filesOf,
  haveSameFolders,
  isRunning,
  percentOf,
} from './download.ts'
import { failureOf, isFaultOfFile } from './failure.ts'
import { offlineMedia } from './offline-address.ts'
import { showFailure } from './show-failure.ts'
import { activeProfile, changeDownload, findDownload, listDownloads } from './store.ts'
import { fetchFile, missingFiles } from './stored-files.ts'

/** Name of the lock that one tab holds while it downloads. */
const LOCK = 'ondine-downloads'
/** Pauses after consecutive failures, in ms. The last pause repeats. */
const PAUSES_MS = [1000, 2000, 5000, 15_000, 60_000]

/** A title whose files the service could not deliver. */
interface Postponed {
  failures: number
  /** When the title is tried again, in the page's monotonic time. */
  until: number
}

/**
 * Downloads the titles in the queue one by one, and each title file by file. Waits until stored files can be
 * played. Only one tab of the browser downloads. If that tab is closed, another tab continues. Files on the device
 * are not fetched again. If the service cannot deliver the files of a title, the other titles come first, and the
 * title is tried again later.
 */
export async function continueDownloads(): Promise<void> {
  await downloadFiles().ready()
  await navigator.locks.request(LOCK, async () => {
    await sweep()
    const postponed = new Map<string, Postponed>()
    let losses = 0
    for (let queue = await queued(); queue.length > 0; queue = await queued()) {
      const now = performance.now()
      const untilOf = ({ key }: Download) => postponed.get(key)?.until ?? now
      const next = queue.find((download) => untilOf(download) <= now)
      if (next === undefined) {
        await pause(Math.min(...queue.map(untilOf)) - now)
        continue
      }
      // A weak connection that still delivers files gets no long pauses.
      const onStored = () => {
        losses = 0
        postponed.delete(next.key)
      }
      try {
        await fetchFiles(next, onStored)
      } catch (error) {
        const failure = failureOf(error)
        if (failure === 'unknown') reportFault(error)
        if (failure !== 'later') await fail(next, failure)
        // The service may have a fault with this title only, so the other titles come first.
        else if (isFaultOfFile(error)) postpone(postponed, next)
        else await pause(pauseAfter(losses++))
      }
    }
  })
}

function postpone(postponed: Map<string, Postponed>, { key }: Download): void {
  const failures = postponed.get(key)?.failures ?? 0
  postponed.set(key, { failures: failures + 1, until: performance.now() + pauseAfter(failures) })
}

/** Returns the pause before the next attempt, in ms. `failures` is the number of earlier failures. */
function pauseAfter(failures: number): number {
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
}

/** Returns the queue: begun downloads first, then the others, each group with the oldest first. */
async function queued(): Promise<Download[]> {
  return (await listDownloads())
    .filter(({ state }) => isRunning(state))
    .toSorted(
      (one, other) =>
        Number(other.state === 'DOWNLOADING') - Number(one.state === 'DOWNLOADING') ||
        one.addedAt - other.addedAt,
    )
}

/** @param onStored called after each file that was stored */
async function fetchFiles(download: Download, onStored: () => void): Promise<void> {
  const files = filesOf(download.folders)
  const missing = await missingFiles(files)
  let done = files.length - missing.length
  if (!(await report(download, percentOf(done, files.length)))) return
  for (const file of missing) {
    const content = await fetchWanted(file, download)
    if (content === undefined) return
    await downloadFiles().put(offlineMedia(file), content)
    onStored()
    done += 1
    // The viewer may have stopped or removed the download, in any tab.
    if (!(await report(download, percentOf(done, files.length)))) return
  }
  // If files were deleted meanwhile, the queue fetches them again.
  if ((await missingFiles(files)).length > 0) return
  await changeDownload(download.key, (known) =>
    isWanted(known, download) ? { state: 'COMPLETED', failure: null } : undefined,
  )
  tellChange()
}

/**
 * Fetches a file of a download. Aborts the transfer as soon as the download is stopped or removed, in any tab, and
 * then returns undefined.
 */
async function fetchWanted(file: string, download: Download): Promise<Response | undefined> {
  const ended = new AbortController()
  const check = async () => {
    const known = await findDownload(download.key)
    if (known === undefined || !isWanted(known, download)) ended.abort()
  }
  const unfollow = followDownloads(() => void check().catch(reportFault))
  try {
    return await fetchFile(file, ended.signal)
  } catch (error) {
    if (ended.signal.aborted) return undefined
    throw error
  } finally {
    unfollow()
  }
}

/**
 * Returns whether the stored download `known` still needs the files of `download`. The viewer may have removed the
 * download and requested it again in another quality.
 */
function isWanted(known: Download, download: Download): boolean {
  return isRunning(known.state) && known.addedAt === download.addedAt && haveSameFolders(known, download)
}

/** Stores the progress of a download. Returns whether the download is still wanted. */
async function report(download: Download, percentDownloaded: number): Promise<boolean> {
  const { key } = download
  const known = await findDownload(key)
  if (known === undefined || !isWanted(known, download)) return false
  if (known.state === 'DOWNLOADING' && known.downloadProgress.percentDownloaded === percentDownloaded)
    return true
  const changed = await changeDownload(key, (now) =>
    isWanted(now, download) ? { state: 'DOWNLOADING', downloadProgress: { percentDownloaded } } : undefined,
  )
  tellChange()
  return changed !== undefined && isWanted(changed, download)
}

/**
 * Deletes media that no download needs. A removal leaves media behind if it is interrupted, or if the files are
 * still being fetched.
 */
async function sweep(): Promise<void> {
  const files = downloadFiles()
  const needed = new Set((await listDownloads()).flatMap(({ folders }) => filesOf(folders).map(offlineMedia)))
  const media = (await files.list()).filter((file) => file.startsWith(offlineMedia('/media/')))
  for (const file of media) if (!needed.has(file)) await files.delete(file)
}

/** Waits for some time, or until the browser reports a connection or the viewer changes a download. */
async function pause(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      unfollow()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
    const unfollow = followDownloads(end)
  })
}

async function fail(download: Download, failure: DownloadFailure): Promise<void> {
  const { key, title, profileId } = download
  await changeDownload(key, (known) => (isWanted(known, download) ? { state: 'FAILED', failure } : undefined))
  tellChange()
  // The queue has the downloads of all profiles. A child must not see the title of a parent's film.
  if ((await activeProfile()) !== profileId) return
  // Not awaited, so that the other downloads continue while the message is open.
  showFailure(title, failure).catch(reportFault)
}
