import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import type { Viewer } from '../entitlements/entitlements.service.ts'
import { packageAssets } from '../entitlements/entitlements.table.ts'
import { assetCategories, assets, categories, images, medias } from './catalogue.table.ts'

export type AssetRow = typeof assets.$inferSelect
export type CategoryRow = typeof categories.$inferSelect
export type ImageRow = Pick<typeof images.$inferSelect, 'id' | 'width' | 'height' | 'color'>
export type MediaRow = Omit<typeof medias.$inferSelect, 'createdAt' | 'fingerprint'>

/**
 * What a viewer may know of: the one condition that every query of assets carries (decision 27). A child's profile
 * never sees a title above its level, nor adult content; everyone else sees all that stands in the catalogue now.
 */
export function visibleAssets(viewer: Viewer, now: number): SQL | undefined {
  return and(
    ne(assets.availability, 'withdrawn'),
    ne(assets.availability, 'failed'),
    sql`${assets.validFrom} <= ${new Date(now).toISOString()}`,
    sql`(${assets.validTo} is null or ${assets.validTo} > ${new Date(now).toISOString()})`,
    levelCondition(viewer, assets.moralityLevel, assets.adult),
  )
}

/** The same for categories: series and seasons have levels too. */
export function visibleCategories(viewer: Viewer): SQL | undefined {
  return levelCondition(viewer, categories.moralityLevel, categories.adult)
}

function levelCondition(
  viewer: Viewer,
  level: typeof assets.moralityLevel | typeof categories.moralityLevel,
  adult: typeof assets.adult | typeof categories.adult,
): SQL | undefined {
  if (!viewer.kid) return undefined
  return and(
    eq(adult, false),
    viewer.maximumMoralityLevel > 0 ? sql`${level} <= ${viewer.maximumMoralityLevel}` : undefined,
  )
}

/** Ready ones first, then by name. */
const READY_FIRST = sql`case ${assets.availability} when 'ready' then 0 else 1 end`

/** Assets by id that the viewer may know of, in the order of `ids`. */
export async function findAssets(
  db: Database,
  ids: number[],
  viewer: Viewer,
  now: number,
): Promise<AssetRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(assets)
    .where(and(inArray(assets.id, ids), visibleAssets(viewer, now)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The episodes of a series, by season and number. */
export async function findEpisodes(
  db: Database,
  serieId: number,
  viewer: Viewer,
  now: number,
): Promise<AssetRow[]> {
  return await db
    .select()
    .from(assets)
    .where(and(eq(assets.serieId, serieId), visibleAssets(viewer, now)))
    .orderBy(asc(assets.seasonNumber), asc(assets.episodeNumber), asc(assets.id))
}

/** The first `limit` assets of each category, in order. */
export async function findAssetsByCategory(
  db: Database,
  categoryIds: number[],
  limit: number,
  viewer: Viewer,
  now: number,
): Promise<Map<number, AssetRow[]>> {
  const found = new Map<number, AssetRow[]>()
  if (categoryIds.length === 0) return found
  const ranked = db.$with('ranked').as(
    db
      .select({
        assetId: sql<number>`${assets.id}`.as('asset_id'),
        categoryId: sql<number>`${assetCategories.categoryId}`.as('category_id'),
        place:
          sql<number>`row_number() over (partition by ${assetCategories.categoryId} order by ${READY_FIRST}, ${assetCategories.position}, ${assets.id})`.as(
            'place',
          ),
      })
      .from(assetCategories)
      .innerJoin(assets, eq(assets.id, assetCategories.assetId))
      .where(and(inArray(assetCategories.categoryId, categoryIds), visibleAssets(viewer, now))),
  )
  const rows = await db
    .with(ranked)
    .select({ categoryId: ranked.categoryId, asset: assets })
    .from(ranked)
    .innerJoin(assets, eq(assets.id, ranked.assetId))
    .where(sql`${ranked.place} <= ${limit}`)
    .orderBy(ranked.categoryId, ranked.place)
  for (const { categoryId, asset } of rows) {
    const list = found.get(categoryId)
    if (list) list.push(asset)
    else found.set(categoryId, [asset])
  }
  return found
}

/** Assets that share the most genres with `row`, best first. */
export async function findRelated(
  db: Database,
  row: { id: number; genres: string[]; serieId?: number | null },
  limit: number,
  viewer: Viewer,
  now: number,
): Promise<AssetRow[]> {
  const shared = sql<number>`(select count(*) from unnest(${assets.genres}) genre where genre = any(${textArray(row.genres)}))`
  return await db
    .select()
    .from(assets)
    .where(
      and(
        eq(assets.kind, 'film'),
        eq(assets.availability, 'ready'),
        ne(assets.id, row.id),
        visibleAssets(viewer, now),
      ),
    )
    .orderBy(sql`${shared} desc`, asc(assets.id))
    .limit(limit)
}

function textArray(values: string[]): SQL {
  if (values.length === 0) return sql`array[]::text[]`
  return sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::text[]`
}

/** The whole tree that the viewer may know of, parents before or after children alike. */
export async function findCategories(db: Database, viewer: Viewer): Promise<CategoryRow[]> {
  return await db
    .select()
    .from(categories)
    .where(visibleCategories(viewer))
    .orderBy(asc(categories.position), asc(categories.id))
}

/** How many assets stand in each category: its own, or for seasons and series its episodes. */
export async function countAssets(db: Database, viewer: Viewer, now: number): Promise<Map<number, number>> {
  const inCategories = db
    .select({ id: assetCategories.categoryId, count: sql<number>`count(*)::int` })
    .from(assetCategories)
    .innerJoin(assets, eq(assets.id, assetCategories.assetId))
    .where(visibleAssets(viewer, now))
    .groupBy(assetCategories.categoryId)
  const inSeasons = db
    .select({ seasonId: assets.seasonId, serieId: assets.serieId, count: sql<number>`count(*)::int` })
    .from(assets)
    .where(and(sql`${assets.seasonId} is not null`, visibleAssets(viewer, now)))
    .groupBy(assets.seasonId, assets.serieId)
  const counts = new Map<number, number>()
  const add = (id: number | null, count: number) => {
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  for (const { id, count } of await inCategories) add(id, count)
  for (const { seasonId, serieId, count } of await inSeasons) {
    add(seasonId, count)
    add(serieId, count)
  }
  return counts
}

/** What else a card shows of assets: their medias, packages, categories. */
export interface AssetExtras {
  medias: Map<number, MediaRow[]>
  packageIds: Map<number, number[]>
  categoryIds: Map<number, number[]>
}

export async function findAssetExtras(db: Database, ids: number[]): Promise<AssetExtras> {
  const extras: AssetExtras = { medias: new Map(), packageIds: new Map(), categoryIds: new Map() }
  if (ids.length === 0) return extras
  const [mediaRows, packageRows, categoryRows] = await Promise.all([
    db.select().from(medias).where(inArray(medias.assetId, ids)).orderBy(asc(medias.id)),
    db.select().from(packageAssets).where(inArray(packageAssets.assetId, ids)),
    db.select().from(assetCategories).where(inArray(assetCategories.assetId, ids)),
  ])
  for (const row of mediaRows) if (row.assetId !== null) append(extras.medias, row.assetId, row)
  for (const row of packageRows) append(extras.packageIds, row.assetId, row.packageId)
  for (const row of categoryRows) append(extras.categoryIds, row.assetId, row.categoryId)
  return extras
}

/** The trailers of series, by the series' category. */
export async function findSeriesTrailers(db: Database, categoryIds: number[]): Promise<Map<number, number>> {
  if (categoryIds.length === 0) return new Map()
  const rows = await db
    .select({ categoryId: medias.categoryId, id: medias.id })
    .from(medias)
    .where(and(inArray(medias.categoryId, categoryIds), eq(medias.kind, 'trailer')))
  return new Map(rows.flatMap(({ categoryId, id }) => (categoryId === null ? [] : [[categoryId, id]])))
}

export async function findImages(db: Database, ids: (string | null)[]): Promise<Map<string, ImageRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.select().from(images).where(inArray(images.id, wanted))
  return new Map(rows.map((row) => [row.id, row]))
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
