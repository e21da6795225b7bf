import { readPairs } from '@ondine/contract/asset-state'
import { PLAYER } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { sameLanguage } from '../../words/same-language.ts'
import type { Languages } from '../content/playable.ts'

/**
 * Returns the languages for opening an asset (V4-19). A language that the profile chose earlier has precedence, if
 * the asset has it (spec 21). Next come the first pair of the asset's list (`AD_LIASMEDI`), and the operator's
 * `defaults`.
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
    captions: chosen.captions,
    audioLabel: chosen.audioLabel,
    audioAddition: chosen.audioAddition,
  }
}
