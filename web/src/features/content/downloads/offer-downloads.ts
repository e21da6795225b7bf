import { ACCOUNTS } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { useSyncExternalStore } from 'react'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useNative } from '../../ground/platform/use-platform.ts'
import { useSession } from '../../ground/session/session.ts'

/**
 * Media queries for windows in which the web offers downloads (A4.9-01): a wide window, or the installed app with
 * any width.
 */
const WIDE = [`(min-width: ${ACCOUNTS.downloadMinWidth + 1}px)`, '(display-mode: standalone)']

/** The program that downloads: this browser or native app, or the local player on the viewer's computer. */
type Downloader = 'device' | 'helper'

/**
 * Returns the program that downloads for this page; undefined if the page offers no downloads. Only a signed-in
 * viewer can download. On the web, the window must be wide, and the operator must have enabled new downloads
 * (A4.9-01 to A4.9-03). The native app has a separate setting (V1-05, spec 39). Undefined on the server, which
 * knows neither the window nor the device.
 */
export function useDownloader(): Downloader | undefined {
  const { account, profile } = useSession()
  const { downloads } = useConfiguration()
  const isNative = useNative()
  const isWide = useSyncExternalStore(followWidth, isWindowWide, () => false)
  if (account === null || profile === null) return undefined
  if (isNative) return downloads.downloadEnabled ? 'device' : undefined
  if (!isWide || !downloads.downloadWebEnabled || !downloads.newDownloadsEnabled) return undefined
  if (downloads.helperUrl !== '') return 'helper'
  return 'serviceWorker' in navigator && 'locks' in navigator ? 'device' : undefined
}

/** Returns whether a title can be downloaded, and is not locked for the viewer (A4.9-02). */
export function mayDownload({
  downloadable,
  isIncludedInUserOffers,
}: Pick<Asset, 'downloadable' | 'isIncludedInUserOffers'>): boolean {
  return downloadable && isIncludedInUserOffers
}

function isWindowWide(): boolean {
  return WIDE.some((query) => matchMedia(query).matches)
}

function followWidth(changed: () => void): () => void {
  const queries = WIDE.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', changed)
  return () => {
    for (const query of queries) query.removeEventListener('change', changed)
  }
}
