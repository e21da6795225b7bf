import { ACCOUNTS } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { useSyncExternalStore } from 'react'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useNative } from '../../ground/platform/use-platform.ts'
import { useSession } from '../../ground/session/session.ts'

/** Windows in which downloads are offered on the web (A4.9-01), and the installed app, whose window may be narrow. */
const WIDE = [`(min-width: ${ACCOUNTS.downloadMinWidth + 1}px)`, '(display-mode: standalone)']

/**
 * Returns whether this page offers downloads: on the web, in a wide window, where the operator offers them, and to a
 * signed-in viewer (A4.9-01, A4.9-02). False on the server, which knows neither the window nor the device.
 */
export function useOffersDownloads(): boolean {
  const { account, profile } = useSession()
  const { downloads } = useConfiguration()
  const isNative = useNative()
  const isAble = useSyncExternalStore(followWidth, isAbleToDownload, () => false)
  return isAble && account !== null && profile !== null && !isNative && downloads.downloadWebEnabled
}

/** Returns whether a title can be downloaded, and is not locked for the viewer (A4.9-02). */
export function mayDownload({
  downloadable,
  isIncludedInUserOffers,
}: Pick<Asset, 'downloadable' | 'isIncludedInUserOffers'>): boolean {
  return downloadable && isIncludedInUserOffers
}

function isAbleToDownload(): boolean {
  const isWide = WIDE.some((query) => matchMedia(query).matches)
  return isWide && 'serviceWorker' in navigator && 'locks' in navigator
}

function followWidth(changed: () => void): () => void {
  const queries = WIDE.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', changed)
  return () => {
    for (const query of queries) query.removeEventListener('change', changed)
  }
}
