/** So many channels are asked for at once: more than a window shows. */
const BLOCK = 20

/** The block that a row is in, counted from 0. */
export function blockOf(row: number): number {
  return Math.floor(Math.max(row, 0) / BLOCK)
}

/** The channels of a block. */
export function channelsOf(channelIds: readonly number[], block: number): readonly number[] {
  return channelIds.slice(block * BLOCK, (block + 1) * BLOCK)
}
