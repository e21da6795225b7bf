import type { Channel, Programme } from '@ondine/contract/entities'
import { aroundNow } from './around-now.ts'

/** Content of the stage of the live screen. */
export interface Staged {
  channel: Channel
  current: Programme
  next: Programme | undefined
}

/**
 * Returns the first channel that has a current programme and that the viewer may watch. If no such channel exists,
 * returns the first channel with a current programme. Undefined if no channel has a current programme.
 *
 * @param guide the programmes of each channel, by `chan_{idChannel}`
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
