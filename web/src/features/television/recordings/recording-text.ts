import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import type { TFunction } from 'i18next'
import { lengthText, type Place } from '../../../words/format.ts'
import { momentText } from '../../ground/days/showing-when.ts'

/** Returns the name of a recording, with the number of its episode. */
export function nameOf(
  { title, season, episode }: Pick<Recording, 'title' | 'season' | 'episode'>,
  t: TFunction,
): string {
  return season !== null && episode !== null ? `${title} · ${t('meta.episode', { season, episode })}` : title
}

/** The fields of a recording that name it. */
export type Named = Pick<Recording, 'title' | 'subtitle' | 'season' | 'episode'>

/** Returns the name of a recording with its episode: `Le Métier · S1 É2 · La trame`. */
export function fullNameOf(recording: Named, t: TFunction): string {
  const episode = episodeName(recording, t)
  return episode === '' ? recording.title : `${recording.title} · ${episode}`
}

/** Returns the number and the name of an episode: `S1 É2 · La trame`. Empty without either. */
export function episodeName({ subtitle, season, episode }: Omit<Named, 'title'>, t: TFunction): string {
  const number = season !== null && episode !== null ? t('meta.episode', { season, episode }) : ''
  return [number, subtitle].filter((part) => part !== '').join(' · ')
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
