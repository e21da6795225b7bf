import type { Channel } from '@ondine/contract/entities'

/** Number of channels that a wall renders at once, which is more than a window shows. */
export const WALL_PAGE = 48

/**
 * Returns the channels of one page of a wall, which is a group of {@link WALL_PAGE} channels, and their ids. Pages
 * are counted from 0.
 */
export function wallPage(
  channels: readonly Channel[],
  page: number,
): { channels: readonly Channel[]; ids: readonly number[] } {
  const part = channels.slice(page * WALL_PAGE, (page + 1) * WALL_PAGE)
  return { channels: part, ids: part.map(({ idChannel }) => idChannel) }
}
