import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { ChannelRow } from './channels.repository.ts'

/** Fields of a channel that decide how far back it may be watched. */
export type Shiftable = Pick<ChannelRow, 'kind' | 'timeshiftSeconds'>

/** The fields of {@link Shiftable}, and the time since which the channel's media have no gap. */
export interface ShiftableWithHoles extends Shiftable {
  /**
   * Since when the media of the channel have no gap, in milliseconds since the Unix epoch. For a schedule: the end
   * of its last gap, or its beginning. For a live input: its first segment. Null if unknown.
   */
  unbrokenSince: number | null
}

/**
 * Returns how far back a channel may be watched, in seconds; 0 for not at all. The channel's own setting has
 * precedence, even if it is 0. Otherwise the operator's general setting applies (V3-47, spec 14). A relay has no
 * time-shift without its own setting, because the provider decides how much of the stream is available.
 */
export function timeshiftOf({ kind, timeshiftSeconds }: Shiftable, { live }: Pick<Viewer, 'live'>): number {
  return timeshiftSeconds ?? (kind === 'relay' ? 0 : live.timeshiftOttConfig)
}

/**
 * Returns whether programmes of a channel may be watched from their beginning (V1-08), as far back as {@link
 * timeshiftOf} allows. False for a relay: the service does not store its past media, and its programmes do not begin
 * exactly at their announced time.
 */
export function hasStartOver(channel: Shiftable, viewer: Pick<Viewer, 'live'>): boolean {
  return channel.kind !== 'relay' && viewer.live.startOverEnabled && timeshiftOf(channel, viewer) > 0
}

/**
 * Returns whether a programme may be watched from its beginning. This is not possible if the channel's media have
 * had a gap since the programme began.
 */
export function canStartOver(
  channel: ShiftableWithHoles,
  { startsAt }: { startsAt: number },
  viewer: Pick<Viewer, 'live'>,
): boolean {
  return hasStartOver(channel, viewer) && startsAt >= (channel.unbrokenSince ?? 0)
}
