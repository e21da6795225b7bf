import { readPairs } from '@ondine/contract/asset-state'
import { PLAYER } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { sameLanguage } from '../../words/same-language.ts'
import type { Languages } from '../content/playable.ts'

/**
 * Returns the languages for opening an asset: the first pair of its list (`AD_LIASMEDI`), else the operator's
 * `defaults` (V4-19). An earlier choice of the profile has precedence if the asset has that language (spec
 * 21).
 */
export function openingLanguages(
  asset: Pick<Asset, 'directMetadata' | 'medias'>,
  defaults: Languages,
  chosen: Partial<Languages> = {},
): Languages {
  const [first] = readPairs(asset.directMetadata)
  const audioLanguages = asset.medias.flatMap((media) => media.audioLanguages)
  const subtitleLanguages = asset.medias.flatMap((media) => media.subtitleLanguages)
  const audio = audioLanguages.find((language) => sameLanguage(language, chosen.audio))
  const sub = [PLAYER.defaultSubtitle, ...subtitleLanguages].find((language) =>
    sameLanguage(language, chosen.sub),
  )
  return {
    audio: audio ?? first?.audio ?? defaults.audio,
    sub: sub ?? first?.subtitle ?? defaults.sub,
  }
}
