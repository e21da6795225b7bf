import type { Viewer } from '../entitlements/entitlements.service.ts'
import type { ChannelRow } from './channels.repository.ts'

/** What says how far back a channel reaches. */
export type Shiftable = Pick<ChannelRow, 'kind' | 'timeshiftSeconds'>

/** The same, with the last hole in what the channel has played. */
export interface ShiftableWithHoles extends Shiftable {
  /** Nothing is missing since then. Milliseconds since the Unix epoch; null when there never was a hole. */
  unbrokenSince: number | null
}

/**
 * How far back a channel may be watched, in seconds; 0 for not at all. A library channel that says nothing of its own, not even 0,
 * has what the operator gives all of them (V3-47, spec decision 14). How much a relay keeps its source decides: only an operator can know.
 */
export function timeshiftOf({ kind, timeshiftSeconds }: Shiftable, { live }: Pick<Viewer, 'live'>): number {
  return timeshiftSeconds ?? (kind === 'library' ? live.timeshiftOttConfig : 0)
}

/**
 * Whether programmes of a channel may be watched from their beginning, as far back as {@link timeshiftOf} reaches (V1-08): where
 * what has been is at hand and begins when the guide says, which is so on library channels alone.
 */
export function hasStartOver(channel: Shiftable, viewer: Pick<Viewer, 'live'>): boolean {
  return channel.kind === 'library' && viewer.live.startOverEnabled && timeshiftOf(channel, viewer) > 0
}

/** Whether one programme may be watched from its beginning: not across a hole in what its channel has played. */
export function canStartOver(
  channel: ShiftableWithHoles,
  { startsAt }: { startsAt: number },
  viewer: Pick<Viewer, 'live'>,
): boolean {
  return hasStartOver(channel, viewer) && startsAt >= (channel.unbrokenSince ?? 0)
}
