import type { RelatedExtras, SearchKey } from '@ondine/contract/search'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import { assetCategories } from '../../inventory/titles/titles.table.ts'
import { type Found, inScope, MOST_CANDIDATES, type Scope, textArray } from './search.repository.ts'

/** Facets that related titles share, by criterion. */
const KEYS: Record<RelatedExtras['criteria'][number], readonly SearchKey[]> = {
  genre: ['AD_LIGENRES'],
  tag: ['TAGS'],
  person: ['AD_LIACTORS', 'AD_LIREALIS'],
  year: ['TS_PRODYEAR'],
  category: [],
}

const ORDERS: Record<RelatedExtras['order'], SQL> = {
  relevance: sql`shared desc, score desc, id`,
  'publication-date': sql`valid_from desc, id`,
  title: sql`folded, id`,
  random: sql`random()`,
}

/** Returns the films and series that share most facets of `criteria`, in the requested order. */
export async function findRelated(
  db: Database,
  content: { type: 'asset' | 'category'; id: number },
  /** The series of an episode. Left out of the results, because viewers of the episode know the series. */
  serieId: number,
  { criteria, count, order }: RelatedExtras,
  scope: Scope,
): Promise<Found[]> {
  const kinds = content.type === 'asset' ? ['film', 'episode'] : ['series']
  const [itself] = await rowsOf<{ facets: string[] }>(
    db,
    sql`
      select facets from search_documents
      where ${inScope(scope)} and kind = any (${textArray(kinds)}::search_kind[]) and target_id = ${content.id}`,
  )
  const keys = new Set<string>(criteria.flatMap((criterion) => KEYS[criterion]))
  const facets = (itself?.facets ?? []).filter((facet) => keys.has(facet.slice(0, facet.indexOf('='))))
  const inCategories =
    content.type === 'asset' && criteria.includes('category')
      ? await db
          .select({ id: assetCategories.categoryId })
          .from(assetCategories)
          .where(eq(assetCategories.assetId, content.id))
      : []
  if (facets.length === 0 && inCategories.length === 0) return []
  const wanted = textArray(facets)
  const categoryIds = sql`${`{${inCategories.map(({ id }) => id).join(',')}}`}::int[]`
  return await rowsOf<Found>(
    db,
    sql`
      select id, kind, target_id as "targetId", programme_key as "programmeKey", folded from (
        select d.*, (
          select count(*) from unnest(d.facets) as facet where facet = any (${wanted})
        ) + coalesce(beside.shared, 0) as shared
        from (
          (select search_documents.id from search_documents
            where ${inScope(scope)} and kind in ('film', 'series') and facets && ${wanted} limit ${MOST_CANDIDATES})
          union
          (select search_documents.id from search_documents
            join asset_categories on asset_categories.asset_id = target_id and kind = 'film'
            where ${inScope(scope)} and category_id = any (${categoryIds}) limit ${MOST_CANDIDATES})
        ) as candidate
        join search_documents d on d.id = candidate.id
        left join lateral (
          select count(*) as shared from asset_categories
          where asset_id = d.target_id and d.kind = 'film' and category_id = any (${categoryIds})
        ) as beside on true
        where d.kind in ('film', 'series') and not (d.kind = any (${textArray(kinds)}::search_kind[]) and d.target_id = ${content.id})
          and not (d.kind = 'series' and d.target_id = ${serieId})
        order by ${order === 'random' ? ORDERS.random : ORDERS.relevance}
        limit ${count}
      ) as nearest
      order by ${ORDERS[order]}`,
  )
}
