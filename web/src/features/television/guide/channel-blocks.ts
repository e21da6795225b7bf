/** Channels per request: more than a window shows. */
const BLOCK = 20

/** Returns the block of a row, counted from 0. */
export function blockOf(row: number): number {
  return Math.floor(Math.max(row, 0) / BLOCK)
}

/** Returns the channels of a block. */
export function channelsOf(channelIds: readonly number[], block: number): readonly number[] {
  return channelIds.slice(block * BLOCK, (block + 1) * BLOCK)
}
