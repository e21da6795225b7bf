import { readPairs } from '@ondine/contract/asset-state'
import { PLAYER } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import type { Languages } from './playable.ts'

/** What has no list of its own, channels and trailers, opens with the stream's main sound and without subtitles. */
export const STREAM_LANGUAGES: Languages = { audio: '', sub: PLAYER.defaultSubtitle }

/**
 * The languages that an asset opens with: the first pair of its list (`AD_LIASMEDI`), else English without subtitles
 * (V4-19); a choice that the profile made before wins where the asset has that language (decision 21).
 */
export function openingLanguages(
  asset: Pick<Asset, 'directMetadata' | 'medias'>,
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
    audio: audio ?? first?.audio ?? PLAYER.defaultAudio,
    sub: sub ?? first?.subtitle ?? PLAYER.defaultSubtitle,
  }
}

/** Whether two codes name one language: calls use three letters, manifests the shortest form. */
export function sameLanguage(one: string, other: string | undefined): boolean {
  return other !== undefined && baseLanguage(one) === baseLanguage(other)
}

function baseLanguage(code: string): string {
  return /^[a-z]{2,3}(-|$)/i.test(code) ? new Intl.Locale(code).language : code
}
