import type { Channel } from '@ondine/contract/entities'
import { slugify } from '@ondine/contract/slugs'

/** The slug of the guide of all live events. */
export const ALL_GROUPS = 'all'

/** Channels of one genre. */
export interface ChannelGroup {
  slug: string
  title: string
}

/** The genres that channels have, by name. */
export function channelGroups(channels: readonly Channel[]): ChannelGroup[] {
  const titles = new Set(channels.map(({ mainGenre }) => mainGenre))
  return [...titles]
    .filter((title) => slugify(title) !== '')
    .sort((a, b) => a.localeCompare(b))
    .map((title) => ({ slug: slugify(title), title }))
}

/** The channels of a group; undefined when there is no such group. */
export function channelsOf(channels: readonly Channel[], slug: string): readonly Channel[] | undefined {
  if (slug === ALL_GROUPS) return channels
  const own = channels.filter(({ mainGenre }) => slugify(mainGenre) === slug)
  return slug === '' || own.length === 0 ? undefined : own
}
