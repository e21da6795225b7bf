import type { Asset } from '@ondine/contract/entities'
import { type Language, languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { capitalised, lengthText } from '../../../words/format.ts'
import { remainingSeconds } from './playing.ts'

/** Stands below the title of an asset's card: which episode it is, and its length or, once it is begun, what is left of it. */
export function assetSubtitle(
  asset: Asset,
  { isBegun, language }: { isBegun: boolean; language: Language },
  t: TFunction,
): string {
  const { AD_SERIESEA: season, AD_SERIESEP: episode } = asset.directMetadata
  const parts = [
    season === undefined || episode === undefined ? '' : t('meta.episode', { season, episode }),
    isBegun
      ? t('meta.remaining', { duration: lengthText(remainingSeconds(asset), t) })
      : asset.durationInSeconds > 0
        ? lengthText(asset.durationInSeconds, t)
        : '',
  ]
  return capitalised(parts.filter(Boolean).join(' · '), languageTag(language))
}
