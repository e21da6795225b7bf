import { episodeRange } from '@ondine/contract/episode-range'
import type { Recording } from '@ondine/contract/recordings'
import type { TFunction } from 'i18next'

/** Returns the name of a recording, with the number of its episode. */
export function nameOf(
  recording: Pick<Recording, 'title' | 'season' | 'episode' | 'lastEpisode'>,
  t: TFunction,
): string {
  return [recording.title, ...numbersText(recording, t)].join(' · ')
}

/** The fields of a recording that name it. */
export type Named = Pick<Recording, 'title' | 'subtitle' | 'season' | 'episode' | 'lastEpisode'>

/** Returns the name of a recording with its episode: `Le Métier · S1 É2 · La trame`. */
export function fullNameOf(recording: Named, t: TFunction): string {
  const episode = episodeName(recording, t)
  return episode === '' ? recording.title : `${recording.title} · ${episode}`
}

/** Returns the number and the name of an episode: `S1 É2 · La trame`. Empty without either. */
export function episodeName(recording: Omit<Named, 'title'>, t: TFunction): string {
  return [...numbersText(recording, t), recording.subtitle].filter((part) => part !== '').join(' · ')
}

/** Returns the number of an episode as a text, `S1 É2`; no text without a number. */
function numbersText(
  { season, episode, lastEpisode }: Pick<Recording, 'season' | 'episode' | 'lastEpisode'>,
  t: TFunction,
): string[] {
  if (season === null || episode === null) return []
  return [t('meta.episode', { season, episode: episodeRange(episode, lastEpisode) })]
}
