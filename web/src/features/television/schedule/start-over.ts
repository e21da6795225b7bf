import type { Channel, Programme } from '@ondine/contract/entities'
import type { LiveState } from '../../../design/time/live-state.ts'
import { pathOf } from '../../ground/links/content-link.ts'

/**
 * If a programme begins within this many seconds, its page reserves room for the content that appears at the
 * start.
 */
export const SOON = 24 * 3600

/**
 * Returns whether a begun programme can be watched from its beginning: the channel and the programme must allow
 * it, and its start must be within the past that the channel keeps, if that is limited. Times are seconds since
 * the Unix epoch.
 */
export function mayStartOver(
  { startoverEnabled, startutc }: Pick<Programme, 'startoverEnabled' | 'startutc'>,
  { ottConfiguration }: Pick<Channel, 'ottConfiguration'>,
  now: number,
): boolean {
  if (!startoverEnabled || !ottConfiguration.startOver || startutc > now) return false
  return ottConfiguration.timeshift === 0 || now - startutc <= ottConfiguration.timeshift
}

/** Returns the text key that says that a programme in `state` can be watched from its beginning. */
export function startOverKey(state: LiveState): 'guide.replay' | 'guide.startOver' {
  return state === 'done' ? 'guide.replay' : 'guide.startOver'
}

/** Returns the player's path for a programme from its beginning. */
export function startOverPath({ id_channel, startutc }: Pick<Programme, 'id_channel' | 'startutc'>): string {
  return `${pathOf('player')}?channel=${id_channel}&t=${startutc}`
}
