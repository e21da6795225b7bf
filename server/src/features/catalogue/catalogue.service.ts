import type { Rail } from '@ondine/contract/catalogue'
import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import type { Asset, Category, Item } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { listChannelItems } from '../channels/channels.service.ts'
import { recentlyWatched, seekPositionsOf } from '../playback/seek-positions.ts'
import {
  type AssetSurroundings,
  type CategorySurroundings,
  presentAsset,
  presentCategory,
  type Reader,
} from './catalogue.presenter.ts'
import {
  type AssetRow,
  type CategoryRow,
  countAssets,
  findAssetExtras,
  findAssets,
  findAssetsByCategory,
  findCategories,
  findEpisodes,
  findImages,
  findRelated,
  findSeriesTrailers,
} from './catalogue.repository.ts'

/** Items of one rail; the category's page has them all. */
const RAIL_LENGTH = 24
/** Slides of the home page's hero. */
const HERO_LENGTH = 5
/** A genre with fewer titles gets no rail of its own. */
const SMALLEST_GENRE = 3
const RELATED_LENGTH = 12
/** As many assets as a category's page shows. */
const CATEGORY_LENGTH = 500

/** The tree of categories as a viewer sees it, loaded once for an answer. */
interface Tree {
  byId: Map<number, CategoryRow>
  around: CategorySurroundings
}

async function loadTree(db: Database, { viewer, now }: Reader): Promise<Tree> {
  const rows = await findCategories(db, viewer)
  const [images, counts, trailers] = await Promise.all([
    findImages(
      db,
      rows.flatMap((row) => [row.posterImage, row.backgroundImage, row.logoImage]),
    ),
    countAssets(db, viewer, now),
    findSeriesTrailers(
      db,
      rows.filter((row) => row.kind === 'series').map((row) => row.id),
    ),
  ])
  const children = new Map<number | null, CategoryRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.parentId)
    if (siblings) siblings.push(row)
    else children.set(row.parentId, [row])
  }
  return { byId: new Map(rows.map((row) => [row.id, row])), around: { images, counts, trailers, children } }
}

/** Presents assets with all that belongs to them, in their order. */
async function presentAssets(db: Database, rows: AssetRow[], reader: Reader, tree: Tree): Promise<Asset[]> {
  const ids = rows.map((row) => row.id)
  const series = rows.flatMap((row) => (row.serieId === null ? [] : (tree.byId.get(row.serieId) ?? [])))
  const [extras, images, seeks] = await Promise.all([
    findAssetExtras(db, ids),
    findImages(
      db,
      [...rows, ...series].flatMap((row) => [
        row.posterImage,
        row.backgroundImage,
        row.logoImage,
        'thumbnailImage' in row ? row.thumbnailImage : null,
      ]),
    ),
    reader.viewer.profileId === null
      ? new Map<number, number>()
      : seekPositionsOf(db, reader.viewer.profileId, ids),
  ])
  const around: AssetSurroundings = { ...extras, images, seeks, categories: tree.byId }
  return rows.map((row) => presentAsset(row, reader, around))
}

/** The tree of categories, without assets (V7-04). */
export async function hierarchy(db: Database, reader: Reader): Promise<Category[]> {
  const tree = await loadTree(db, reader)
  return roots(tree).map((row) => presentCategory(row, reader, tree.around))
}

function roots(tree: Tree): CategoryRow[] {
  return tree.around.children.get(null) ?? []
}

/** What stands in a category: its series and sub-categories, then its assets (V7-07). */
export async function listContent(
  db: Database,
  id: number,
  includeRoot: boolean,
  reader: Reader,
): Promise<Item[]> {
  const tree = await loadTree(db, reader)
  const category = tree.byId.get(id)
  if (!category) throw new ServiceError('notFound')
  const assets = await assetsOf(db, category, reader)
  const items: Item[] = [
    ...(tree.around.children.get(id) ?? []).map((row) => categoryItem(row, reader, tree)),
    ...(await presentAssets(db, assets, reader, tree)).map(assetItem),
  ]
  return includeRoot ? [categoryItem(category, reader, tree), ...items] : items
}

async function assetsOf(db: Database, category: CategoryRow, { viewer, now }: Reader): Promise<AssetRow[]> {
  if (category.kind === 'series') return await findEpisodes(db, category.id, viewer, now)
  if (category.kind === 'season' && category.parentId !== null) {
    const episodes = await findEpisodes(db, category.parentId, viewer, now)
    return episodes.filter((episode) => episode.seasonId === category.id)
  }
  const found = await findAssetsByCategory(db, [category.id], CATEGORY_LENGTH, viewer, now)
  return found.get(category.id) ?? []
}

/** Assets by id, those that the viewer may know of (V7-08). */
export async function assetsByIds(db: Database, ids: number[], reader: Reader): Promise<Asset[]> {
  const rows = await findAssets(db, [...new Set(ids)], reader.viewer, reader.now)
  return rows.length === 0 ? [] : await presentAssets(db, rows, reader, await loadTree(db, reader))
}

/** What the profile has begun and not finished, the last first (V4-49). */
export async function activeAssets(
  db: Database,
  reader: Reader,
  { min, max }: { min: number; max: number } = CONTINUE_WATCHING,
): Promise<Asset[]> {
  const { profileId } = reader.viewer
  if (profileId === null) return []
  const ids = await recentlyWatched(db, profileId, min, max)
  return await assetsByIds(db, ids, reader)
}

/** The home page (V3-32, V7-06). */
export async function home(db: Database, reader: Reader): Promise<Rail[]> {
  const tree = await loadTree(db, reader)
  const [live, begun, categoryRails] = await Promise.all([
    listChannelItems(db, reader.viewer, reader.language, reader.now),
    activeAssets(db, reader),
    railsOfCategories(db, reader, tree),
  ])
  const rails: Rail[] = [
    rail('hero', 'hero', 'Hero', heroItems(categoryRails)),
    rail('live', 'live', 'Cover', live),
    rail('continue', 'continue', 'Cover', begun.map(assetItem)),
    ...categoryRails,
  ]
  return rails.filter(({ items }) => items.length > 0)
}

/** The rails that the page itself names, by their kind, have no title here. */
function rail(id: string, kind: Rail['kind'], layout: Rail['layout'], items: Item[], title = ''): Rail {
  return { id, kind, layout, items, title, subtitle: '' }
}

async function railsOfCategories(db: Database, reader: Reader, tree: Tree): Promise<Rail[]> {
  const shown = roots(tree).filter((row) => row.kind === 'category')
  const assets = await findAssetsByCategory(
    db,
    shown.map((row) => row.id),
    RAIL_LENGTH,
    reader.viewer,
    reader.now,
  )
  const presented = await presentAssets(db, uniqueRows([...assets.values()].flat()), reader, tree)
  const byId = new Map(presented.map((asset) => [asset.idAsset, asset]))
  return shown.flatMap((row) => {
    const series = (tree.around.children.get(row.id) ?? []).map((child) => categoryItem(child, reader, tree))
    const items = [
      ...series,
      ...(assets.get(row.id) ?? []).flatMap(({ id }) => byId.get(id) ?? []).map(assetItem),
    ]
    if (row.sourceKey.startsWith('genre:') && items.length < SMALLEST_GENRE) return []
    const layout = series.length > 0 ? 'Cover' : 'Poster'
    return [rail(`category-${row.id}`, 'category', layout, items, textOf(row, reader.language))]
  })
}

function textOf(row: CategoryRow, language: Language): string {
  return row.names[language] ?? Object.values(row.names)[0] ?? ''
}

function uniqueRows(rows: AssetRow[]): AssetRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** The hero shows what is ready and has pictures to fill a screen, in the order of the rails. */
function heroItems(rails: Rail[]): Item[] {
  const seen = new Set<string>()
  return rails
    .flatMap(({ items }) => items)
    .filter((item) => {
      const [key, background] =
        item.type === 'asset'
          ? [
              `a${item.payload.idAsset}`,
              item.payload.availability.state === 'ready' && item.payload.backgroundImage,
            ]
          : item.type === 'category'
            ? [`c${item.payload.idCatalog}`, item.payload.assetCount > 0 && item.payload.images.background]
            : ['', null]
      if (!background || seen.has(key)) return false
      seen.add(key)
      return true
    })
    .slice(0, HERO_LENGTH)
}

/** What a detail page shows (V7-05). */
export async function contentData(
  db: Database,
  wanted: { idAsset?: number | undefined; idCategory?: number | undefined },
  reader: Reader,
) {
  if (wanted.idAsset !== undefined) return await assetDetail(db, wanted.idAsset, reader)
  if (wanted.idCategory !== undefined) return await categoryDetail(db, wanted.idCategory, reader)
  throw new ServiceError('contentIdMissing')
}

async function assetDetail(db: Database, id: number, reader: Reader) {
  const [row] = await findAssets(db, [id], reader.viewer, reader.now)
  if (!row) throw new ServiceError('notFound')
  const tree = await loadTree(db, reader)
  const episodes = row.serieId === null ? [] : await findEpisodes(db, row.serieId, reader.viewer, reader.now)
  const next = episodes[episodes.findIndex((episode) => episode.id === id) + 1]
  const related = await findRelated(db, row, RELATED_LENGTH, reader.viewer, reader.now)
  const presented = await presentAssets(
    db,
    uniqueRows([row, ...related, ...(next ? [next] : [])]),
    reader,
    tree,
  )
  const byId = new Map(presented.map((asset) => [asset.idAsset, asset]))
  const series = row.serieId === null ? undefined : tree.byId.get(row.serieId)
  const asset = byId.get(id)
  if (!asset) throw new ServiceError('notFound')
  if (next) asset.directMetadata.AD_NEXTEPI = next.id
  return {
    content: { type: 'asset' as const, payload: asset },
    series: series ? presentCategory(series, reader, tree.around) : null,
    resume: null,
    next: (next && byId.get(next.id)) ?? null,
    related: related.flatMap((other) => byId.get(other.id) ?? []).map(assetItem),
  }
}

async function categoryDetail(db: Database, id: number, reader: Reader) {
  const tree = await loadTree(db, reader)
  const row = tree.byId.get(id)
  if (!row) throw new ServiceError('notFound')
  const series = row.kind === 'season' && row.parentId !== null ? tree.byId.get(row.parentId) : undefined
  const serieId = row.kind === 'series' ? row.id : series?.id
  const [rows, related] = await Promise.all([
    serieId === undefined ? assetsOf(db, row, reader) : findEpisodes(db, serieId, reader.viewer, reader.now),
    serieId === undefined ? [] : findRelated(db, row, RELATED_LENGTH, reader.viewer, reader.now),
  ])
  const presented = await presentAssets(db, uniqueRows([...rows, ...related]), reader, tree)
  const byId = new Map(presented.map((asset) => [asset.idAsset, asset]))
  const assets = rows.flatMap(({ id: assetId }) => byId.get(assetId) ?? [])
  return {
    content: {
      type: 'category' as const,
      payload: withAssets(presentCategory(row, reader, tree.around), rows, byId),
    },
    series: series ? presentCategory(series, reader, tree.around) : null,
    resume: serieId === undefined ? null : episodeToResume(assets),
    next: null,
    related: related.flatMap((other) => byId.get(other.id) ?? []).map(assetItem),
  }
}

/** Puts a series' episodes into its seasons, or the assets of any other category into it. */
function withAssets(category: Category, rows: AssetRow[], byId: Map<number, Asset>): Category {
  const of = (seasonId: number) =>
    rows.filter((row) => row.seasonId === seasonId).flatMap((row) => byId.get(row.id) ?? [])
  if (category.isSeason) return { ...category, assets: of(category.idCatalog) }
  if (!category.isSerie) return { ...category, assets: rows.flatMap((row) => byId.get(row.id) ?? []) }
  return {
    ...category,
    categories: category.categories.map((season) => ({ ...season, assets: of(season.idCatalog) })),
  }
}

/**
 * The episode to go on with: the one begun last in order, else the one after the last finished, else the first.
 */
export function episodeToResume(episodes: Asset[]): Asset | null {
  const { min, max } = CONTINUE_WATCHING
  const begun = episodes.findLast(({ alreadyWatchedInPercent: percent }) => percent >= min && percent <= max)
  if (begun) return begun
  const finished = episodes.findLastIndex(({ alreadyWatchedInPercent: percent }) => percent > max)
  return episodes[finished + 1] ?? episodes[0] ?? null
}

function assetItem(payload: Asset): Item {
  return { type: 'asset', payload }
}

function categoryItem(row: CategoryRow, reader: Reader, tree: Tree): Item {
  return { type: 'category', payload: presentCategory(row, reader, tree.around) }
}
