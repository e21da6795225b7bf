import type { Channel, Programme } from '@ondine/contract/entities'
import { aroundNow } from './around-now.ts'

/** The content of the live screen's stage. */
export interface Staged {
  channel: Channel
  current: Programme
  next: Programme | undefined
}

/**
 * Returns the first channel that the viewer may watch and that has a current programme, else the first channel
 * with a current programme; undefined if there is none.
 *
 * @param guide programmes by `chan_{idChannel}`
 * @param now seconds since the Unix epoch
 */
export function stageOf(
  channels: readonly Channel[],
  guide: Readonly<Record<string, readonly Programme[]>> | undefined,
  now: number,
): Staged | undefined {
  const on = channels.flatMap((channel) => {
    const { current, next } = aroundNow(guide?.[`chan_${channel.idChannel}`] ?? [], now)
    return current === undefined ? [] : [{ channel, current, next }]
  })
  return on.find(({ channel }) => channel.isIncludedInUserOffers) ?? on[0]
}
