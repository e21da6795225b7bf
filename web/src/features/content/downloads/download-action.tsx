import type { Asset } from '@ondine/contract/entities'
import { lazy, Suspense } from 'react'
import { mayDownload, useOffersDownloads } from './offer-downloads.ts'

// Loaded only where downloads are offered, so that other pages of titles do not load this code.
const DownloadButton = lazy(async () => ({
  default: (await import('./download-button.tsx')).DownloadButton,
}))
const SeasonButton = lazy(async () => ({ default: (await import('./season-button.tsx')).SeasonButton }))

/** The button that downloads a title, where downloads are offered (A4.9-01, A4.9-02). */
export function DownloadAction({ asset, subtitle }: { asset: Asset; subtitle: string }) {
  if (!useOffersDownloads() || !mayDownload(asset)) return null
  return (
    <Suspense>
      <DownloadButton asset={asset} subtitle={subtitle} />
    </Suspense>
  )
}

/** The button that downloads the episodes of a season, where downloads are offered. */
export function SeasonAction({ episodes, series }: { episodes: readonly Asset[]; series: string }) {
  const open = episodes.filter(mayDownload)
  if (!useOffersDownloads() || open.length === 0) return null
  return (
    <Suspense>
      <SeasonButton episodes={open} series={series} />
    </Suspense>
  )
}
