import type { Channel } from '@ondine/contract/entities'

/** Channels that a wall renders at once: more than a window shows. */
export const WALL_PAGE = 48

/** Returns a page of a wall, counted from 0: its channels, and their ids. */
export function wallPage(
  channels: readonly Channel[],
  page: number,
): { channels: readonly Channel[]; ids: readonly number[] } {
  const part = channels.slice(page * WALL_PAGE, (page + 1) * WALL_PAGE)
  return { channels: part, ids: part.map(({ idChannel }) => idChannel) }
}
