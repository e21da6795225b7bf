import type { Configuration } from '@ondine/contract/configuration'
import type { Channel } from '@ondine/contract/entities'

/**
 * Returns the channels of the live screen. In the mode `broadcast-only` channels that play the library are
 * excluded (V3-55).
 */
export function liveChannels(
  all: readonly Channel[],
  mode: Configuration['live']['channelLiveMode'],
): readonly Channel[] {
  return mode === 'broadcast-only' ? all.filter(({ item }) => item.type !== 'library') : all
}
