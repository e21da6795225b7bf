import type { Configuration } from '@ondine/contract/configuration'
import type { Channel } from '@ondine/contract/entities'

/**
 * Returns the channels of the live screen. In the mode `broadcast-only`, leaves out channels that play titles of
 * the library (V3-55).
 */
export function liveChannels(
  all: readonly Channel[],
  mode: Configuration['live']['channelLiveMode'],
): readonly Channel[] {
  return mode === 'broadcast-only' ? all.filter(({ item }) => item.type !== 'library') : all
}
