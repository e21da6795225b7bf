import type { TFunction } from 'i18next'

/** Returns the kind of a series, with its number of seasons. A series of specials only has no season. */
export function seriesText({ seasonNumber }: { seasonNumber: number }, t: TFunction): string {
  return seasonNumber === 0 ? t('kind.seriesPlain') : t('kind.series', { count: seasonNumber })
}
