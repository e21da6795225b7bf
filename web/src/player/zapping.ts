import type { Channel } from '@ondine/contract/entities'

/**
 * The channel before or after one, by number; beyond the last comes the first. Undefined when there is no other. A
 * channel that is not in the list is left towards the first or the last.
 */
export function neighbour(
  channels: readonly Pick<Channel, 'idChannel' | 'item'>[],
  idChannel: number,
  by: 1 | -1,
): number | undefined {
  const sorted = channels.toSorted((a, b) => a.item.lcn - b.item.lcn)
  const at = sorted.findIndex((channel) => channel.idChannel === idChannel)
  const next = sorted.at(at === -1 && by === 1 ? 0 : (at + by) % sorted.length)
  return next?.idChannel === idChannel ? undefined : next?.idChannel
}
