import type { Channel, Programme } from '@ondine/contract/entities'
import { pathOf } from '../links/content-link.ts'

/** What begins within so many seconds is awaited on its page: it has a place for what will be there then. */
export const SOON = 24 * 3600

/**
 * Whether a programme that has begun can be watched from its beginning: where the channel and the programme allow it, and
 * not further back than the channel's recording reaches, when it says how far. Seconds since the Unix epoch.
 */
export function mayStartOver(
  { startoverEnabled, startutc }: Pick<Programme, 'startoverEnabled' | 'startutc'>,
  { ottConfiguration }: Pick<Channel, 'ottConfiguration'>,
  now: number,
): boolean {
  if (!startoverEnabled || !ottConfiguration.startOver || startutc > now) return false
  return ottConfiguration.timeshift === 0 || now - startutc <= ottConfiguration.timeshift
}

/** Where a programme plays from its beginning on. */
export function startOverPath({ id_channel, startutc }: Pick<Programme, 'id_channel' | 'startutc'>): string {
  return `${pathOf('player')}?channel=${id_channel}&t=${startutc}`
}
