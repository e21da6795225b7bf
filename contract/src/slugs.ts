/** The longest title part of a slug, so that addresses stay readable. */
const SLUG_LENGTH = 80

/** A title as it stands in an address: lower case, without accents, words joined by dashes. */
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

/** The slug of a thing: its title, then its id (V2.1-03, V2.1-05, V2.1-09). */
export function slugWithId(title: string, id: number): string {
  const words = slugify(title)
  return words === '' ? String(id) : `${words}-${id}`
}

/** The id in a slug: what follows its last dash or underscore (V2.1-06); undefined when that is no number. */
export function idOfSlug(slug: string): number | undefined {
  const last = slug.slice(Math.max(slug.lastIndexOf('-'), slug.lastIndexOf('_')) + 1)
  return /^[1-9]\d{0,9}$/.test(last) ? Number(last) : undefined
}

/** Where an asset's page stands. */
export function assetRoute(title: string, id: number): string {
  return `/content/${slugWithId(title, id)}`
}

/** Where a category's page stands. */
export function categoryRoute(title: string, id: number): string {
  return `/category/${slugWithId(title, id)}`
}

/** Where a series' page stands. */
export function seriesRoute(title: string, id: number): string {
  return `/series/${slugWithId(title, id)}/details`
}

/** Where a channel's page stands. */
export function channelRoute(title: string, id: number): string {
  return `/channel/${slugWithId(title, id)}`
}

/** Pages that have a screen of their own in the route table. */
const OWN_SCREENS: Readonly<Record<string, string>> = { legal: '/legal' }

/** Where an editorial page stands (V2.2-15). */
export function pageRoute(slug: string): string {
  return OWN_SCREENS[slug] ?? `/${encodeURIComponent(slug)}`
}

/** Where an article stands (V2.2-15). */
export function editorialRoute(type: string, slug: string): string {
  return `/read/${encodeURIComponent(type)}/${encodeURIComponent(slug)}`
}

/** Where the list of a type of articles stands. */
export function sectionRoute(type: string): string {
  return `/read/${encodeURIComponent(type)}`
}

/** Where a discipline stands (decision 2). */
export function disciplineRoute(slug: string): string {
  return `/disciplines/${encodeURIComponent(slug)}`
}
