import type { Channel } from '@ondine/contract/entities'

type Numbered = Pick<Channel, 'idChannel' | 'item'>

/** Orders channels by number, for `sort`. */
export function byNumber(one: Numbered, other: Numbered): number {
  return one.item.lcn - other.item.lcn
}

/**
 * Returns the next or previous channel by number, cyclically; undefined if there is no other channel. For a
 * channel that is not in the list, these are the first and the last channel.
 */
export function neighbour(channels: readonly Numbered[], idChannel: number, by: 1 | -1): number | undefined {
  const sorted = channels.toSorted(byNumber)
  const at = sorted.findIndex((channel) => channel.idChannel === idChannel)
  // Without this, the channel before a channel outside of the list would be the last but one.
  const from = at === -1 && by === -1 ? 0 : at
  const next = sorted.at((from + by) % sorted.length)
  return next?.idChannel === idChannel ? undefined : next?.idChannel
}
