import type { Configuration } from '@ondine/contract/configuration'
import type { Channel } from '@ondine/contract/entities'

/**
 * Returns the channels that the live screen shows. In the mode `broadcast-only`, it does not show channels that play
 * titles of the library (V3-55).
 */
export function liveChannels(
  all: readonly Channel[],
  mode: Configuration['live']['channelLiveMode'],
): readonly Channel[] {
  return mode === 'broadcast-only' ? all.filter(({ item }) => item.type !== 'library') : all
}
