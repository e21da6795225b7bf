import { asc, getTableColumns } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { broadcasts } from '../../inventory/line-up/line-up.table.ts'
import { assetCategories, assets, categories, images, medias } from '../../inventory/titles/titles.table.ts'
import { packageAssets } from '../../rights/entitlements/entitlements.table.ts'

export type AssetRow = Omit<typeof assets.$inferSelect, 'marks' | 'createdAt'>
export type CategoryRow = typeof categories.$inferSelect
export type ImageRow = Pick<typeof images.$inferSelect, 'id' | 'width' | 'height' | 'color'>
export type MediaRow = Pick<
  typeof medias.$inferSelect,
  'id' | 'kind' | 'assetId' | 'categoryId' | 'audioLanguages' | 'subtitleLanguages'
>

/** All rows of the catalogue, with sorted lists. Must not be modified. */
export interface CatalogueRows {
  assets: ReadonlyMap<number, AssetRow>
  /** Live events, including past events, sorted by start time. */
  events: readonly AssetRow[]
  /** Ids of the events that a channel carries. */
  broadcasts: ReadonlySet<number>
  /** The episodes of each series, by season and number, specials last. */
  episodes: ReadonlyMap<number, readonly AssetRow[]>
  /** Assets of each category, sorted: ready assets first, then by the operator's order, then newest first. */
  contents: ReadonlyMap<number, readonly AssetRow[]>
  categories: ReadonlyMap<number, CategoryRow>
  /**
   * Categories by the id of their parent, in the operator's order, specials after the other seasons. The key of
   * the top categories is null.
   */
  children: ReadonlyMap<number | null, readonly CategoryRow[]>
  medias: ReadonlyMap<number, readonly MediaRow[]>
  /** Trailers of series, by category. */
  trailers: ReadonlyMap<number, number>
  packageIds: ReadonlyMap<number, readonly number[]>
  categoryIds: ReadonlyMap<number, readonly number[]>
  images: ReadonlyMap<string, ImageRow>
}

/** Reads all rows in one snapshot of the database, so that they are consistent. */
export async function loadCatalogueRows(db: Database): Promise<CatalogueRows> {
  const { marks: _, createdAt: __, ...assetColumns } = getTableColumns(assets)
  return await db.transaction(
    async (tx) => {
      const assetRows = await tx.select(assetColumns).from(assets).orderBy(asc(assets.id))
      const categoryRows = await tx
        .select()
        .from(categories)
        .orderBy(asc(categories.position), asc(categories.id))
      const carried = await tx.select({ assetId: broadcasts.assetId }).from(broadcasts)
      const placed = await tx.select().from(assetCategories)
      const mediaRows = await tx
        .select({
          id: medias.id,
          kind: medias.kind,
          assetId: medias.assetId,
          categoryId: medias.categoryId,
          audioLanguages: medias.audioLanguages,
          subtitleLanguages: medias.subtitleLanguages,
        })
        .from(medias)
        .orderBy(asc(medias.id))
      const packaged = await tx.select().from(packageAssets).orderBy(asc(packageAssets.packageId))
      const pictures = await tx
        .select({ id: images.id, width: images.width, height: images.height, color: images.color })
        .from(images)
      const byId = new Map(assetRows.map((row) => [row.id, row]))
      return {
        assets: byId,
        events: assetRows
          .filter(({ startsAt }) => startsAt !== null)
          .toSorted((one, other) => (one.startsAt ?? 0) - (other.startsAt ?? 0) || one.id - other.id),
        broadcasts: new Set(carried.map(({ assetId }) => assetId)),
        episodes: grouped(
          assetRows.filter((row) => row.serieId !== null).toSorted(byEpisode),
          (row) => row.serieId ?? 0,
          (row) => row,
        ),
        contents: contentsOf(placed, byId),
        categories: new Map(categoryRows.map((row) => [row.id, row])),
        children: grouped(
          categoryRows.toSorted((one, other) => specialsLast(one.seasonNumber, other.seasonNumber)),
          (row) => row.parentId,
          (row) => row,
        ),
        medias: grouped(
          mediaRows.filter((row) => row.assetId !== null),
          (row) => row.assetId ?? 0,
          (row) => row,
        ),
        trailers: new Map(
          mediaRows.flatMap(({ kind, categoryId, id }) =>
            kind === 'trailer' && categoryId !== null ? [[categoryId, id] as const] : [],
          ),
        ),
        packageIds: grouped(
          packaged,
          (row) => row.assetId,
          (row) => row.packageId,
        ),
        categoryIds: grouped(
          placed,
          (row) => row.assetId,
          (row) => row.categoryId,
        ),
        images: new Map(pictures.map((row) => [row.id, row])),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

function byEpisode(one: AssetRow, other: AssetRow): number {
  return (
    specialsLast(one.seasonNumber, other.seasonNumber) ||
    (one.seasonNumber ?? 0) - (other.seasonNumber ?? 0) ||
    (one.episodeNumber ?? 0) - (other.episodeNumber ?? 0) ||
    one.id - other.id
  )
}

/**
 * Orders specials after the seasons, so that a series starts with its first episode. Libraries store specials as
 * season 0.
 */
function specialsLast(one: number | null, other: number | null): number {
  return Number(one === 0) - Number(other === 0)
}

type Placed = typeof assetCategories.$inferSelect

function contentsOf(placed: Placed[], byId: ReadonlyMap<number, AssetRow>): Map<number, readonly AssetRow[]> {
  const places = grouped(
    placed,
    ({ categoryId }) => categoryId,
    (row) => row,
  )
  return new Map(
    [...places].map(([categoryId, rows]) => [
      categoryId,
      rows
        .flatMap(({ assetId, position }) => {
          const row = byId.get(assetId)
          return row ? [{ row, position }] : []
        })
        .toSorted(
          (one, other) =>
            Number(other.row.availability === 'ready') - Number(one.row.availability === 'ready') ||
            one.position - other.position ||
            newestFirst(one.row, other.row),
        )
        .map(({ row }) => row),
    ]),
  )
}

const DAY_MS = 86_400_000

/**
 * Orders assets by the day of their import, then by release date, then by id, newest first. This is the order
 * `publication-date` (V3-54).
 */
export function newestFirst(one: AssetRow, other: AssetRow): number {
  return (
    Math.floor(other.validFrom / DAY_MS) - Math.floor(one.validFrom / DAY_MS) ||
    compare(releaseOf(other), releaseOf(one)) ||
    other.id - one.id
  )
}

/** Compares dates as text. A date without month and day comes before the other dates of that year. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function releaseOf({ premiered, year }: AssetRow): string {
  return premiered ?? (year === null ? '' : String(year))
}

function grouped<Row, Key, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  valueOf: (row: Row) => Value,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(valueOf(row))
    else groups.set(key, [valueOf(row)])
  }
  return groups
}
