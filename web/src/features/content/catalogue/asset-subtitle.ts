import type { Asset } from '@ondine/contract/entities'
import { languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { dateText } from '../../../words/dates.ts'
import { episodeNumbers } from '../../../words/episode-numbers.ts'
import { capitalised, lengthText, type Place } from '../../../words/format.ts'
import { remainingSeconds } from './playing.ts'

/**
 * Returns the text below the title of an asset's card: the episode and the length. A begun asset shows its
 * remaining time instead of the length, and an ended rental the date of its end.
 */
export function assetSubtitle(
  asset: Asset,
  { isBegun, place }: { isBegun: boolean; place: Place },
  t: TFunction,
): string {
  const numbers = episodeNumbers(asset.directMetadata)
  const parts = [
    numbers === undefined ? '' : t('meta.episode', numbers),
    timeFact(asset, { isBegun, place }, t),
  ]
  return capitalised(parts.filter(Boolean).join(' · '), languageTag(place.language))
}

function timeFact(
  asset: Asset,
  { isBegun, place }: { isBegun: boolean; place: Place },
  t: TFunction,
): string {
  const { rentalEndedAt, durationInSeconds } = asset
  if (rentalEndedAt !== undefined) return t('meta.rentalEnded', { date: dateText(rentalEndedAt, place) })
  if (isBegun) return t('meta.remaining', { duration: lengthText(remainingSeconds(asset), t) })
  return durationInSeconds > 0 ? lengthText(durationInSeconds, t) : ''
}
