import type { Channel, Programme } from '@ondine/contract/entities'
import type { LiveState } from '../../../design/time/live-state.ts'
import { pathOf } from '../../ground/links/content-link.ts'

/**
 * The page of a programme that begins within this many seconds reserves space for the content that appears at the
 * programme's start.
 */
export const SOON = 24 * 3600

/**
 * Returns whether a programme that has begun can be watched from its beginning. The channel and the programme must
 * both allow start-over. The start of the programme must be within the past that the channel keeps. Times are
 * seconds since the Unix epoch.
 */
export function mayStartOver(
  { startoverEnabled, startutc }: Pick<Programme, 'startoverEnabled' | 'startutc'>,
  { ottConfiguration }: Pick<Channel, 'ottConfiguration'>,
  now: number,
): boolean {
  if (!startoverEnabled || !ottConfiguration.startOver || startutc > now) return false
  return ottConfiguration.timeshift === 0 || now - startutc <= ottConfiguration.timeshift
}

/**
 * Returns the key of the text which says that a programme can be watched from its beginning. The text depends on
 * whether the programme has ended.
 */
export function startOverKey(state: LiveState): 'guide.replay' | 'guide.startOver' {
  return state === 'done' ? 'guide.replay' : 'guide.startOver'
}

/** Returns the path of the player that plays a programme from its beginning. */
export function startOverPath({ id_channel, startutc }: Pick<Programme, 'id_channel' | 'startutc'>): string {
  return `${pathOf('player')}?channel=${id_channel}&t=${startutc}`
}
