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
