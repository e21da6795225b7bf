import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { ChannelRow } from './channels.repository.ts'

/** Fields that decide how far back a channel reaches. */
export type Shiftable = Pick<ChannelRow, 'kind' | 'timeshiftSeconds'>

/** The same fields, with the beginning of the channel's media. */
export interface ShiftableWithHoles extends Shiftable {
  /**
   * When the media of the channel begins without a gap, in milliseconds since the Unix epoch: the end of the last gap
   * in a schedule, or else the beginning of the schedule, or the first segment of a live input. Null if unknown.
   */
  unbrokenSince: number | null
}

/**
 * Returns how far back a channel may be watched, in seconds; 0 for not at all. A channel without a setting of its own
 * has the operator's general setting (V3-47, spec 14); 0 is a setting too. How much of a relay is available depends on
 * its source, so a relay has no time-shift unless an operator sets one.
 */
export function timeshiftOf({ kind, timeshiftSeconds }: Shiftable, { live }: Pick<Viewer, 'live'>): number {
  return timeshiftSeconds ?? (kind === 'relay' ? 0 : live.timeshiftOttConfig)
}

/**
 * Returns whether programmes of a channel may be watched from their beginning, as far back as {@link
 * timeshiftOf} reaches (V1-08). This requires past media, and programmes that begin exactly at the time in
 * the guide. A relay has neither.
 */
export function hasStartOver(channel: Shiftable, viewer: Pick<Viewer, 'live'>): boolean {
  return channel.kind !== 'relay' && viewer.live.startOverEnabled && timeshiftOf(channel, viewer) > 0
}

/**
 * Returns whether a programme may be watched from its beginning. It may not if the channel's schedule has had a gap
 * since the programme began.
 */
export function canStartOver(
  channel: ShiftableWithHoles,
  { startsAt }: { startsAt: number },
  viewer: Pick<Viewer, 'live'>,
): boolean {
  return hasStartOver(channel, viewer) && startsAt >= (channel.unbrokenSince ?? 0)
}
