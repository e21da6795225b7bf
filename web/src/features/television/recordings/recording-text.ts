import { episodeRange } from '@ondine/contract/episode-range'
import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import type { TFunction } from 'i18next'
import { lengthText, type Place } from '../../../words/format.ts'
import { momentText } from '../../ground/days/showing-when.ts'

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

/**
 * Returns whether something is wrong with a recording: it failed, its programme was dropped, or a part is missing.
 */
export function isImpaired({ state, note }: Pick<Recording, 'state' | 'note'>): boolean {
  return note !== null || recordedStateOf(state) === 'failed'
}

/** Returns the state of a recording as text, with its failure and the next showing, if they exist. */
export function stateText(
  { state, note, missing, next, idChannel }: Recording,
  now: number,
  place: Place,
  t: TFunction,
): string {
  const said =
    note === 'incomplete' && recordedStateOf(state) !== 'failed'
      ? t('recordings.incomplete', { missing: lengthText(missing, t) })
      : t(note === 'dropped' ? 'recordings.dropped' : `recordings.state-${state}`)
  if (next === null) return said
  const when = momentText(next.startutc, now, place, t)
  const showing =
    next.idChannel === idChannel
      ? t('recordings.next', { when })
      : t('recordings.nextOn', { when, channel: next.channel })
  return `${said} ${showing}`
}
