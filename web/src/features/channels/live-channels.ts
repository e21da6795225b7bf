import type { Configuration } from '@ondine/contract/configuration'
import type { Channel } from '@ondine/contract/entities'

/** The channels of the live screen. What is made of the library is broadcast nowhere but here (V3-55). */
export function liveChannels(
  all: readonly Channel[],
  mode: Configuration['live']['channelLiveMode'],
): readonly Channel[] {
  return mode === 'broadcast-only' ? all.filter(({ item }) => item.type !== 'library') : all
}
