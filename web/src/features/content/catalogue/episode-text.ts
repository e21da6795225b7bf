import type { Asset } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'

/** Returns the season and the number of an episode, such as `S1 E2`; without numbers, only the word for an episode. */
export function episodeText({ directMetadata }: Pick<Asset, 'directMetadata'>, t: TFunction): string {
  const { AD_SERIESEA: season, AD_SERIESEP: episode } = directMetadata
  return season === undefined || episode === undefined
    ? t('kind.episode')
    : t('meta.episode', { season, episode })
}
