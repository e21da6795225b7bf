/** Number of channels that one call requests, which is more than a window shows. */
const BLOCK = 20

/** Returns the block that contains a row. Rows and blocks are counted from 0. */
export function blockOf(row: number): number {
  return Math.floor(Math.max(row, 0) / BLOCK)
}

/** Returns the channels of a block. */
export function channelsOf(channelIds: readonly number[], block: number): readonly number[] {
  return channelIds.slice(block * BLOCK, (block + 1) * BLOCK)
}
