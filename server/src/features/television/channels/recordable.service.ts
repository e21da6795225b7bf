import type { ChannelRow } from './channels.repository.ts'

/**
 * Returns whether programmes of a channel can be recorded (V3-22). This requires that Ondine stores the media of the
 * channel. Relays leave it with their provider.
 */
export function canRecord({ kind }: Pick<ChannelRow, 'kind'>): boolean {
  return kind !== 'relay'
}
