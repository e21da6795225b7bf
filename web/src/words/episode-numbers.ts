import type { Asset } from '@ondine/contract/entities'
import { episodeRange } from '@ondine/contract/episode-range'

/** The numbers of an episode, for texts such as `S1 E2`. */
type EpisodeNumbers = {
  season: number | string
  /** For several episodes in one file, the first and the last: `2–3`. */
  episode: string
}

/** Returns the numbers of an episode from its metadata; undefined without numbers. */
export function episodeNumbers({
  AD_SERIESEA: season,
  AD_SERIESEP: first,
  AD_SERIESEPEND: last,
}: Asset['directMetadata']): EpisodeNumbers | undefined {
  return season === undefined || first === undefined
    ? undefined
    : { season, episode: episodeRange(first, last) }
}
