import type { ChannelRow } from './channels.repository.ts'

/**
 * Returns whether programmes of a channel can be recorded (V3-22). Ondine must store the media of the channel. The
 * media of a relay stay with its provider.
 */
export function canRecord({ kind }: Pick<ChannelRow, 'kind'>): boolean {
  return kind !== 'relay'
}
