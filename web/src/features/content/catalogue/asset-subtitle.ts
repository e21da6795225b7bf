import type { Asset } from '@ondine/contract/entities'
import { type Language, languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { capitalised, lengthText } from '../../../words/format.ts'
import { remainingSeconds } from './playing.ts'

/**
 * Returns the text below the title of an asset's card: the episode, and the length, or the remaining time once it is
 * begun.
 */
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
