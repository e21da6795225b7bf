import type { Channel, Programme } from '@ondine/contract/entities'

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
