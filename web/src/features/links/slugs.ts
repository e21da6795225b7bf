/** What stands in an address for a title: lower case letters and digits without accents, joined by dashes. */
export function slugify(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('Œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('Æ', 'ae')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** A title and an identifier in one segment of an address: `la-houle-12` (V2.1-03, V2.1-05, V2.1-09). */
export function slugWithId(title: string, id: number): string {
  const words = slugify(title)
  return words === '' ? String(id) : `${words}-${id}`
}

/** The identifier that a slug ends with, after its last underscore or dash; undefined when there is none (V2.1-06). */
export function idOfSlug(slug: string): number | undefined {
  const last = /(?:^|[_-])([1-9]\d{0,9})$/.exec(slug)?.[1]
  return last === undefined ? undefined : Number(last)
}
