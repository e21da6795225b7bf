import type { Channel } from '@ondine/contract/entities'
import { type Language, languageTag } from '@ondine/contract/languages'
import { slugify } from '@ondine/contract/slugs'

/** The slug of all channels in the address of the guide of live events. */
export const ALL_GROUPS = 'all'

/** Channels of one genre. */
export interface ChannelGroup {
  slug: string
  title: string
}

/** Returns the genres of the channels, sorted by the alphabet of the language. */
export function channelGroups(channels: readonly Channel[], language: Language): ChannelGroup[] {
  const titles = new Map(channels.map(({ mainGenre }) => [slugify(mainGenre), mainGenre]))
  titles.delete('')
  const { compare } = new Intl.Collator(languageTag(language))
  return [...titles].map(([slug, title]) => ({ slug, title })).sort((a, b) => compare(a.title, b.title))
}

/** The slug of the favourite channels in an address. */
export const FAVOURITES = 'favourites'

/** A choice of channels in the guide: all channels, the favourites, or one genre. */
export interface ChannelFilter {
  /** The slug in the address; undefined for all channels. */
  slug: string | undefined
  /**
   * The name of the genre. Undefined for all channels and for the favourites, whose names are texts of the screen.
   */
  title: string | undefined
  channels: readonly Channel[]
}

/** Returns the filters that the guide offers: all channels, then the favourites if there are any, then each genre. */
export function channelFilters(
  all: readonly Channel[],
  language: Language,
): readonly [ChannelFilter, ...ChannelFilter[]] {
  const favourites = all.filter(({ isFavorite }) => isFavorite)
  return [
    { slug: undefined, title: undefined, channels: all },
    ...(favourites.length > 0 ? [{ slug: FAVOURITES, title: undefined, channels: favourites }] : []),
    ...channelGroups(all, language)
      .filter(({ slug }) => slug !== FAVOURITES)
      .map(({ slug, title }) => ({ slug, title, channels: channelsOf(all, slug) ?? [] })),
  ]
}

/** Returns the filter with a slug. For an unknown slug, returns the filter for all channels. */
export function filterOf(
  all: readonly Channel[],
  slug: string | undefined,
  language: Language,
): ChannelFilter {
  const filters = channelFilters(all, language)
  return filters.find((filter) => filter.slug === slug) ?? filters[0]
}

/** Returns the channels of a genre, or all channels for {@link ALL_GROUPS}. Undefined if no channel has this genre. */
export function channelsOf(channels: readonly Channel[], slug: string): readonly Channel[] | undefined {
  if (slug === ALL_GROUPS) return channels
  const own = channels.filter(({ mainGenre }) => slugify(mainGenre) === slug)
  return slug === '' || own.length === 0 ? undefined : own
}
