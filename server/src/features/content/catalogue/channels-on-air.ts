import type { Item } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'

/** A channel in a list, with its current programme. */
export type ChannelItem = Extract<Item, { type: 'channel' }>

/** Port to the channels. The feature of the channels is above the catalogue, so the catalogue cannot import it. */
export interface ChannelsOnAir {
  /**
   * Returns the channels that a viewer may see, with their current programmes. Returns the same list object until
   * something changes, except for viewers who bought a channel separately.
   */
  items(viewer: Viewer, language: Language, now: number): Promise<readonly ChannelItem[]>
}
