import type { Asset } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import { episodeNumbers } from '../../../words/episode-numbers.ts'

/** Returns the season and the number of an episode, such as `S1 E2`; without numbers, only the word for an episode. */
export function episodeText({ directMetadata }: Pick<Asset, 'directMetadata'>, t: TFunction): string {
  const numbers = episodeNumbers(directMetadata)
  return numbers === undefined ? t('kind.episode') : t('meta.episode', numbers)
}
