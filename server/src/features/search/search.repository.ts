import type { SearchKey } from '@ondine/contract/search'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import { rowsOf } from '../../database/rows.ts'
import { levelCondition, type Viewer } from '../entitlements/entitlements.service.ts'
import { type SearchLanguage, searchDocuments } from './search.table.ts'
import { MOST_TERMS, type Near, type Term } from './terms.ts'

export type SearchKind = (typeof searchDocuments.$inferSelect)['kind']

/** A document that fits. */
export interface Found {
  id: number
  kind: SearchKind
  targetId: number
  programmeKey: string
  /** Its title in lower case, without accents. */
  folded: string
}

/** In what a search looks. */
export interface Scope {
  language: SearchLanguage
  viewer: Viewer
  /** Milliseconds since the Unix epoch. */
  now: number
  /** All when left out. */
  kinds?: readonly SearchKind[] | undefined
}

/**
 * So many documents are ranked: ranking reads each of them. When more fit, the search looks again among titles and names,
 * which have indexes of their own, so that the best are among those that it ranks.
 */
export const MOST_CANDIDATES = 1000

/** Weights of description, groups, people and title. */
const WEIGHTS = sql.raw(`'{0.05,0.3,0.6,1.0}'::real[]`)

/** The words of a search, folded, with what the index knows of them. */
export async function readTerms(db: Database, text: string, language: SearchLanguage): Promise<Term[]> {
  const known = (comparison: SQL) =>
    sql`exists (select 1 from search_words k where k.language = ${literal(language)} and ${comparison})`
  return await rowsOf<Term>(
    db,
    sql`
      select word,
        (tsvector_to_array(to_tsvector(search_config(${language}), word)))[1] as stem,
        length(word) < 3 or ${known(sql`k.word = t.word`)} as known,
        ${known(sql`k.word ~>=~ t.word and k.word ~<~ (t.word || chr(1114111))`)} as begins
      from unnest(string_to_array(search_fold(${text}), ' ')) with ordinality as t (word, place)
      where word <> '' order by place limit ${MOST_TERMS}`,
  )
}

/** Words of the index that look like `word`: those of `slips`, and those with much the same trigrams. */
export async function findNear(
  db: Database,
  word: string,
  slips: readonly string[],
  language: SearchLanguage,
): Promise<Near[]> {
  return await rowsOf<Near>(
    db,
    sql`
      select word, (tsvector_to_array(to_tsvector(search_config(${language}), word)))[1] as stem from (
        select word from search_words
        where language = ${literal(language)} and word = any (${textArray(slips)})
        union
        (select word from search_words
        where language = ${literal(language)} and word % ${word}
          and length(word) between ${word.length - 3} and ${word.length + 3}
        order by similarity(word, ${word}) desc limit 40)
      ) as near`,
  )
}

/** What fits, best first: by title, then by names, then by description; at most {@link MOST_CANDIDATES}. */
export async function findByText(
  db: Database,
  { query, folded, begins }: { query: string; folded: string; begins: boolean },
  scope: Scope,
): Promise<Found[]> {
  const wanted = sql`${query}::tsquery`
  const byBeginning = sql`(folded ~>=~ ${folded}::text and folded ~<~ (${folded}::text || chr(1114111)))`
  const fits = (column: SQL) =>
    begins ? sql`(${column} @@ ${wanted} or ${byBeginning})` : sql`${column} @@ ${wanted}`
  // Titles: the very title, one that begins so, one with fewer other words.
  const order = sql`
    in_title desc,
    case when in_title then folded = ${folded} end desc,
    case when in_title then ${byBeginning} end desc,
    case when in_title then title_length end,
    place desc, score desc, id`
  const among = async (column: SQL, limit: number) =>
    await rowsOf<Found>(
      db,
      sql`
        select id, kind, target_id as "targetId", programme_key as "programmeKey", folded from (
          select id, kind, target_id, programme_key, folded, title_length, score,
            ${fits(sql`title`)} as in_title,
            ts_rank(${WEIGHTS}, names, ${wanted}) as place
          from search_documents
          where ${inScope(scope)} and ${fits(column)}
          limit ${limit}
        ) as candidate
        order by ${order}`,
    )
  const all = await among(sql`words`, MOST_CANDIDATES)
  if (all.length < MOST_CANDIDATES) return all
  const titles = await among(sql`title`, MOST_CANDIDATES)
  const names = titles.length < MOST_CANDIDATES ? await among(sql`names`, MOST_CANDIDATES) : []
  const byId = new Map([...titles, ...names, ...all].map((found) => [found.id, found]))
  return [...byId.values()].slice(0, MOST_CANDIDATES)
}

/** What has all these values, the best known first; at most {@link MOST_CANDIDATES}. */
export async function findByFacets(
  db: Database,
  facets: readonly [key: SearchKey, value: string][],
  scope: Scope,
): Promise<Found[]> {
  const wanted = sql.join(
    facets.map(([key, value]) => sql`${`${key}=`}::text || search_fold(${value})`),
    sql`, `,
  )
  return await rowsOf<Found>(
    db,
    sql`
      select id, kind, target_id as "targetId", programme_key as "programmeKey", folded
      from search_documents
      where ${inScope(scope)} ${facets.length > 0 ? sql`and facets @> array[${wanted}]` : sql``}
      order by score desc nulls last, id
      limit ${MOST_CANDIDATES}`,
  )
}

/** What is worth seeing whatever was looked for. */
export async function findPopular(db: Database, limit: number, scope: Scope): Promise<Found[]> {
  return await rowsOf<Found>(
    db,
    sql`
      select id, kind, target_id as "targetId", programme_key as "programmeKey", folded
      from search_documents
      where ${inScope(scope)}
      order by score desc nulls last, id
      limit ${limit}`,
  )
}

/** Fills the index anew and tells the planner what it holds. */
export async function rebuildIndex(db: Database): Promise<number> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select search_rebuild()`)
    await tx.execute(sql`analyze search_documents`)
    await tx.execute(sql`analyze search_words`)
    const [row] = await rowsOf<{ count: number }>(
      tx,
      sql`select count(*)::int as count from search_documents`,
    )
    return row?.count ?? 0
  })
}

/** What the viewer may know of, as for every other list (decision 27): the documents carry copies of what decides. */
export function inScope({ language, viewer, now, kinds }: Scope): SQL | undefined {
  const at = new Date(now).toISOString()
  return and(
    sql`search_documents.language = ${literal(language)}`,
    kinds && sql`kind = any (${textArray(kinds)}::search_kind[])`,
    sql`valid_from <= ${at}`,
    sql`(valid_to is null or valid_to > ${at})`,
    levelCondition(viewer, searchDocuments.moralityLevel, searchDocuments.adult),
  )
}

/** A language as text of the statement: the planner compares it with the conditions of the indexes. */
function literal(language: SearchLanguage): SQL {
  return sql.raw(`'${language}'`)
}

/** One parameter for all values: the statement is the same text however many there are. */
export function textArray(values: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
}
