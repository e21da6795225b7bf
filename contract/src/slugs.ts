/** Maximum length of the title in a slug, in characters, so that addresses stay readable. */
const SLUG_LENGTH = 80

/** Converts a title for an address: lower case, without accents, words joined by dashes. */
export function slugify(title: string): string {
  return title
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
}

/** Returns the slug of an item: its title, then its id (V2.1-03, V2.1-05, V2.1-09). */
export function slugWithId(title: string, id: number): string {
  const words = slugify(title)
  return words === '' ? String(id) : `${words}-${id}`
}

/**
 * Returns the id in a slug: the number after the last dash or underscore (V2.1-06). Undefined if no number is there.
 */
export function idOfSlug(slug: string): number | undefined {
  const last = slug.slice(Math.max(slug.lastIndexOf('-'), slug.lastIndexOf('_')) + 1)
  return /^[1-9]\d{0,9}$/.test(last) ? Number(last) : undefined
}

/** Returns the path of an asset's page. */
export function assetRoute(title: string, id: number): string {
  return `/content/${slugWithId(title, id)}`
}

/** Returns the path of a category's page. */
export function categoryRoute(title: string, id: number): string {
  return `/category/${slugWithId(title, id)}`
}

/** Returns the path of a series' page. */
export function seriesRoute(title: string, id: number): string {
  return `/series/${slugWithId(title, id)}/details`
}

/** Returns the path of a channel's page. */
export function channelRoute(title: string, id: number): string {
  return `/channel/${slugWithId(title, id)}`
}

/** Editorial pages that have a dedicated route. */
const OWN_SCREENS: Readonly<Record<string, string>> = { legal: '/legal' }

/** Returns the path of an editorial page (V2.2-15). */
export function pageRoute(slug: string): string {
  return OWN_SCREENS[slug] ?? `/${encodeURIComponent(slug)}`
}

/** Returns the path of an article (V2.2-15). */
export function editorialRoute(type: string, slug: string): string {
  return `/read/${encodeURIComponent(type)}/${encodeURIComponent(slug)}`
}

/** Returns the path of the list of a type of articles. */
export function sectionRoute(type: string): string {
  return `/read/${encodeURIComponent(type)}`
}

/** Returns the path of a discipline (spec 2). */
export function disciplineRoute(slug: string): string {
  return `/disciplines/${encodeURIComponent(slug)}`
}
