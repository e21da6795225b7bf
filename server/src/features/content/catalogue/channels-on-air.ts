import type { Item } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'

/** Channel of a list, with what is on air. */
export type ChannelItem = Extract<Item, { type: 'channel' }>

/** Port for the channels, which stand above the catalogue. */
export interface ChannelsOnAir {
  /**
   * Returns the channels that a viewer may see, with what is on air. The list is the same object while nothing changes,
   * except for viewers who bought a channel separately.
   */
  items(viewer: Viewer, language: Language, now: number): Promise<readonly ChannelItem[]>
}
