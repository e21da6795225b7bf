import type { Channel } from '@ondine/contract/entities'

type Numbered = Pick<Channel, 'idChannel' | 'item'>

/** Orders channels by number, for `sort`. */
export function byNumber(one: Numbered, other: Numbered): number {
  return one.item.lcn - other.item.lcn
}

/**
 * The channel before or after one, by number; beyond the last comes the first. Undefined when there is no other. A
 * channel that is not in the list is left towards the first or the last.
 */
export function neighbour(channels: readonly Numbered[], idChannel: number, by: 1 | -1): number | undefined {
  const sorted = channels.toSorted(byNumber)
  const at = sorted.findIndex((channel) => channel.idChannel === idChannel)
  const next = sorted.at(at === -1 && by === 1 ? 0 : (at + by) % sorted.length)
  return next?.idChannel === idChannel ? undefined : next?.idChannel
}
