import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import type { TFunction } from 'i18next'
import { lengthText, type Place } from '../../../words/format.ts'
import { momentText } from '../../ground/days/showing-when.ts'

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
