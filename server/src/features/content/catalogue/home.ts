import type { LayoutKind, Rail } from '@ondine/contract/catalogue'
import type { Configuration } from '@ondine/contract/configuration'
import { categoryRoute } from '@ondine/contract/slugs'
import { genreKey } from '../../../metadata/genres.ts'
import { textIn } from '../../../metadata/texts.ts'
import { type AssetRow, type CategoryRow, newestFirst } from './catalogue-rows.ts'
import type { CatalogueView, Entry } from './catalogue-view.ts'
import { entriesOf, entryKey, sortEntries } from './entries.ts'

/** A rail as configured by an operator (V3-32). */
export type RailSetting = Configuration['home']['connected'][number]

/** A rail before the items of a viewer are added. */
export interface RailPlan extends Omit<Rail, 'items' | 'failed'> {
  /** The content of the rail. Channels, started titles and favourites are read separately for each answer. */
  content: { entries: Entry[] } | { from: 'live' | 'continue' | 'favorites' | 'editorial'; limit: number }
}

/** Minimum number of titles for a rail of a genre. */
const SMALLEST_GENRE = 3
const DAY_MS = 86_400_000

/** Default layouts of rails. */
const LAYOUTS: Partial<Record<Rail['kind'], LayoutKind>> = {
  hero: 'Hero',
  live: 'Cover',
  continue: 'Cover',
  favorites: 'Cover',
  offers: 'OfferWide',
  editorial: 'Inline',
}

/**
 * Plans the rails of a home page in the operator's order, with the content that is the same for the whole
 * audience. Skips rails whose content this feature does not have.
 *
 * @param now milliseconds since the Unix epoch.
 */
export function planHome(
  view: CatalogueView,
  settings: readonly RailSetting[],
  days: { newDays: number; leavingDays: number },
  shuffle: number,
  now: number,
): RailPlan[] {
  const below = withoutRepeatedNews(
    settings.flatMap((setting) =>
      setting.source === 'hero' ? [] : plansOf(view, setting, days, shuffle, now),
    ),
  )
  return settings.flatMap((setting) =>
    setting.source === 'hero'
      ? [heroOf(view, setting, below, shuffle)]
      : below.filter((plan) => plan.id === setting.id || plan.id.startsWith(`${setting.id}:`)),
  )
}

/** Removes a rail of new titles if it repeats a rail above it. In a new catalogue, all titles are new. */
function withoutRepeatedNews(plans: readonly RailPlan[]): RailPlan[] {
  const shown = new Set<string>()
  return plans.filter(({ kind, content }) => {
    if (!('entries' in content)) return true
    const titles = content.entries.map(entryKey).toSorted().join()
    if (kind === 'new' && shown.has(titles)) return false
    shown.add(titles)
    return true
  })
}

function plansOf(
  view: CatalogueView,
  setting: RailSetting,
  days: { newDays: number; leavingDays: number },
  shuffle: number,
  now: number,
): RailPlan[] {
  const { source, limit } = setting
  switch (source) {
    case 'live':
    case 'continue':
    case 'favorites':
    case 'editorial':
      return [plan(view, setting, { from: source, limit })]
    case 'category':
      return categoryPlans(view, setting, shuffle)
    case 'categories':
      return view
        .children(null)
        .filter((row) => row.kind === 'category')
        .flatMap((row) => genrePlans(view, setting, row, shuffle))
    case 'list':
      return [filled(view, setting, listed(view, setting), shuffle)]
    case 'query':
      return [filled(view, setting, queried(view, setting), shuffle)]
    case 'new': {
      const since = now - days.newDays * DAY_MS
      const rows = films(view).filter((row) => row.validFrom >= since)
      return [filled(view, setting, rows.toSorted(newestFirst).map(assetEntry), shuffle)]
    }
    case 'leaving': {
      const until = now + days.leavingDays * DAY_MS
      const rows = films(view).filter((row) => row.validTo !== null && row.validTo <= until)
      return [filled(view, setting, rows.toSorted(lastFirst).map(assetEntry), shuffle)]
    }
    default:
      return []
  }
}

function plan(
  view: CatalogueView,
  setting: RailSetting,
  content: RailPlan['content'],
  defaults: Partial<Pick<RailPlan, 'id' | 'title' | 'layout' | 'kind' | 'route'>> = {},
): RailPlan {
  const { source, layout, titleSize, imageHeight } = setting
  return {
    id: defaults.id ?? setting.id,
    kind: defaults.kind ?? source,
    title: textIn(setting.title, view.language) || (defaults.title ?? ''),
    subtitle: '',
    layout: layout ?? defaults.layout ?? LAYOUTS[source] ?? 'Poster',
    titleSize: titleSize ?? null,
    imageHeight: imageHeight ?? null,
    route: defaults.route ?? null,
    editorialType: setting.editorialType ?? null,
    content,
  }
}

function filled(
  view: CatalogueView,
  setting: RailSetting,
  entries: Entry[],
  shuffle: number,
  defaults?: Parameters<typeof plan>[3],
): RailPlan {
  const sorted = sortEntries(view, entries, setting.sort, shuffle).slice(0, setting.limit)
  return plan(view, setting, { entries: sorted }, defaults)
}

function categoryPlans(view: CatalogueView, setting: RailSetting, shuffle: number): RailPlan[] {
  const row = setting.idCatalog === undefined ? undefined : view.categoryRow(setting.idCatalog)
  return row ? [categoryPlan(view, setting, row, setting.id, shuffle)] : []
}

function genrePlans(
  view: CatalogueView,
  setting: RailSetting,
  row: CategoryRow,
  shuffle: number,
): RailPlan[] {
  if (row.sourceKey.startsWith('genre:') && entriesOf(view, row.id).length < SMALLEST_GENRE) return []
  return [categoryPlan(view, setting, row, `${setting.id}:${row.id}`, shuffle)]
}

function categoryPlan(
  view: CatalogueView,
  setting: RailSetting,
  row: CategoryRow,
  id: string,
  shuffle: number,
): RailPlan {
  const entries = entriesOf(view, row.id)
  const name = textIn(row.names, view.language)
  return filled(view, setting, entries, shuffle, {
    id,
    kind: 'category',
    title: name,
    layout: entries[0]?.type === 'category' ? 'Cover' : 'Poster',
    route: row.kind === 'category' ? categoryRoute(name, row.id) : null,
  })
}

function listed(view: CatalogueView, { titles = [] }: RailSetting): Entry[] {
  return titles.flatMap((title) => {
    if ('idAsset' in title) {
      const row = view.assetRow(title.idAsset)
      return row ? [assetEntry(row)] : []
    }
    const row = view.listedCategory(title.idCatalog)
    return row ? [{ type: 'category' as const, row }] : []
  })
}

function queried(view: CatalogueView, { query }: RailSetting): Entry[] {
  if (!query) return []
  const { kind, genres, people, fromYear = 0, toYear = Number.POSITIVE_INFINITY } = query
  const keys = genres.map(genreKey)
  const fits = (row: AssetRow | CategoryRow) =>
    (genres.length === 0 || row.genres.some((genre) => keys.includes(genre))) &&
    (people.length === 0 || [...row.directors, ...row.actors].some((name) => people.includes(name))) &&
    ((fromYear === 0 && toYear === Number.POSITIVE_INFINITY) ||
      (row.year !== null && row.year >= fromYear && row.year <= toYear))
  const series = [...view.rows.categories.keys()].flatMap((id) => {
    const row = view.listedCategory(id)
    return row?.kind === 'series' && fits(row) ? [{ type: 'category' as const, row }] : []
  })
  const found = films(view).filter(fits).toSorted(newestFirst).map(assetEntry)
  return [...(kind === 'film' ? [] : series), ...(kind === 'series' ? [] : found)]
}

function films(view: CatalogueView): AssetRow[] {
  return view.everything().filter((row) => row.kind === 'film' && row.availability === 'ready')
}

function lastFirst(one: AssetRow, other: AssetRow): number {
  return (one.validTo ?? 0) - (other.validTo ?? 0)
}

function assetEntry(row: AssetRow): Entry {
  return { type: 'asset', row }
}

/**
 * Returns the hero's slides: the operator's list or category, else titles of the rails below the hero, taken from
 * each rail in turn. Only titles that are ready and have a picture for the full screen are used.
 */
function heroOf(
  view: CatalogueView,
  setting: RailSetting,
  below: readonly RailPlan[],
  shuffle: number,
): RailPlan {
  const own = setting.titles
    ? listed(view, setting)
    : setting.idCatalog === undefined
      ? inTurns(below)
      : entriesOf(view, setting.idCatalog)
  const unique = new Map(
    own.filter((entry) => fillsScreen(view, entry)).map((entry) => [entryKey(entry), entry]),
  )
  return filled(view, setting, [...unique.values()], shuffle)
}

function inTurns(plans: readonly RailPlan[]): Entry[] {
  const lists = plans.map(({ content }) => ('entries' in content ? content.entries : []))
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((entries) => entries[place] ?? []),
  ).flat()
}

function fillsScreen(view: CatalogueView, entry: Entry): boolean {
  if (entry.type === 'asset')
    return entry.row.availability === 'ready' && view.asset(entry.row).backgroundImage !== null
  return entry.row.backgroundImage !== null && view.contents(entry.row).length > 0
}
