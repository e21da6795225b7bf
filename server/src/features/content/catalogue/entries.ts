import type { SortOption } from '@ondine/contract/catalogue'
import { type Language, languageTag } from '@ondine/contract/languages'
import { textIn } from '../../../metadata/texts.ts'
import { type AssetRow, newestFirst } from './catalogue-rows.ts'
import type { CatalogueView, Entry } from './catalogue-view.ts'

/** Sorts entries in the requested order (V3-54). `shuffle` selects one of the random orders. */
export function sortEntries(
  view: CatalogueView,
  entries: readonly Entry[],
  sort: SortOption,
  shuffle: number,
): Entry[] {
  switch (sort) {
    case 'none':
      return [...entries]
    case 'ascendant':
    case 'descendant':
      return byTitle(entries, view.language, sort === 'ascendant' ? 1 : -1)
    case 'publication-date':
      return byDate(view, entries)
    default:
      return byKey(entries, (entry) => mix(entry.row.id * 2 + Number(entry.type === 'asset'), shuffle))
  }
}

/**
 * Sorts titles by the language's collation. Case and accents matter only between otherwise equal titles, and
 * digits are compared as numbers.
 */
function byTitle(entries: readonly Entry[], language: Language, direction: 1 | -1): Entry[] {
  const { compare } = new Intl.Collator(languageTag(language), { numeric: true })
  return entries
    .map((entry) => ({ entry, title: titleOf(entry, language) }))
    .toSorted(
      (one, other) => direction * compare(one.title, other.title) || one.entry.row.id - other.entry.row.id,
    )
    .map(({ entry }) => entry)
}

function titleOf(entry: Entry, language: Language): string {
  return textIn(entry.type === 'asset' ? entry.row.titles : entry.row.names, language)
}

/**
 * Sorts by date, newest first. The date of a series or category is the date of its newest asset. A category with
 * assets in its sub-categories only comes last.
 */
function byDate(view: CatalogueView, entries: readonly Entry[]): Entry[] {
  const dated = entries.map((entry) => ({ entry, newest: newestOf(view, entry) }))
  return dated
    .toSorted(
      (one, other) =>
        Number(one.newest === undefined) - Number(other.newest === undefined) ||
        (one.newest && other.newest ? newestFirst(one.newest, other.newest) : 0),
    )
    .map(({ entry }) => entry)
}

function newestOf(view: CatalogueView, entry: Entry): AssetRow | undefined {
  return entry.type === 'asset' ? entry.row : view.contents(entry.row).toSorted(newestFirst)[0]
}

function byKey(entries: readonly Entry[], keyOf: (entry: Entry) => number): Entry[] {
  return entries
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ entry }) => entry)
}

/** Maps ids to evenly distributed numbers (the finaliser of MurmurHash3), for an apparently random order. */
function mix(id: number, shuffle: number): number {
  let hash = Math.imul(id, 0x9e37_79b1) ^ Math.imul(shuffle + 1, 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns the entries of a category: its series and sub-categories, then its assets. */
export function entriesOf(view: CatalogueView, categoryId: number): Entry[] {
  const category = view.categoryRow(categoryId)
  if (!category) return []
  return [
    ...view.children(category.id).map((row) => ({ type: 'category' as const, row })),
    ...view.contents(category).map((row) => ({ type: 'asset' as const, row })),
  ]
}

/** Returns all series with visible episodes and all films, newest first. */
export function allTitles(view: CatalogueView): Entry[] {
  const series = [...view.rows.categories.keys()].flatMap((id) => {
    const row = view.listedCategory(id)
    return row?.kind === 'series' ? [{ type: 'category' as const, row }] : []
  })
  const films = view
    .everything()
    .filter((row) => row.kind === 'film')
    .map((row) => ({ type: 'asset' as const, row }))
  return byDate(view, [...series, ...films])
}

/** Returns a unique key for an entry. */
export function entryKey({ type, row }: Entry): string {
  return `${type}${row.id}`
}
