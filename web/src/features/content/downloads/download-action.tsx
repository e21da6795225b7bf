import type { Asset } from '@ondine/contract/entities'
import { lazy, Suspense } from 'react'
import { mayDownload, useDownloader } from './offer-downloads.ts'

// Loaded only where downloads are offered, so that pages without downloads do not load this code.
const DownloadButton = lazy(async () => ({
  default: (await import('./download-button.tsx')).DownloadButton,
}))
const HelperButton = lazy(async () => ({ default: (await import('./helper-button.tsx')).HelperButton }))
const SeasonButton = lazy(async () => ({ default: (await import('./season-button.tsx')).SeasonButton }))

/**
 * The button that downloads a title to this device, or through the local player (A4.9-04). Renders nothing where
 * downloads are not offered (A4.9-01, A4.9-02).
 */
export function DownloadAction({ asset, subtitle }: { asset: Asset; subtitle: string }) {
  const downloader = useDownloader()
  if (downloader === undefined || !mayDownload(asset)) return null
  return (
    <Suspense>
      {downloader === 'helper' ? (
        <HelperButton asset={asset} />
      ) : (
        <DownloadButton asset={asset} subtitle={subtitle} />
      )}
    </Suspense>
  )
}

/**
 * The button that downloads the episodes of a season to this device, where downloads are offered. The local player is
 * not offered for series (A4.9-03).
 */
export function SeasonAction({ episodes, series }: { episodes: readonly Asset[]; series: string }) {
  const open = episodes.filter(mayDownload)
  if (useDownloader() !== 'device' || open.length === 0) return null
  return (
    <Suspense>
      <SeasonButton episodes={open} series={series} />
    </Suspense>
  )
}
