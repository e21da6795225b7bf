import type { SearchKey } from '@ondine/contract/search'
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import { genreKey } from '../../../metadata/genres.ts'
import { levelCondition, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { lockGuide } from '../../television/guide-import/programmes.service.ts'
import { type SearchKind, type SearchLanguage, searchDocuments } from './search.table.ts'
import { MOST_TERMS, type Word } from './terms.ts'

/** Matching document. */
export interface Found {
  id: number
  kind: SearchKind
  targetId: number
  programmeKey: string
  /** Title of the document in lower case, without accents. */
  folded: string
}

/** Filter of a search. */
export interface Scope {
  language: SearchLanguage
  viewer: Viewer
  /** Milliseconds since the Unix epoch. */
  now: number
  /** All kinds if omitted. */
  kinds?: readonly SearchKind[] | undefined
}

/** Maximum number of results of a search. */
export const MOST_CANDIDATES = 1000

/**
 * Longest word, in characters. Folding may turn a character into several, and PostgreSQL accepts words of at
 * most 2,046 bytes in a query.
 */
const LONGEST_WORD = 100

/** Returns the words of a search, folded, with their stems. */
export async function readWords(db: Database, text: string, language: SearchLanguage): Promise<Word[]> {
  return await rowsOf<Word>(
    db,
    sql`
      select word, ${stemOf(language)} as stem
      from (
        select left(written, ${LONGEST_WORD}) as word, place
        from unnest(string_to_array(search_fold(${text}), ' ')) with ordinality as t (written, place)
      ) as read
      where word <> '' order by place limit ${MOST_TERMS}`,
  )
}

/** Returns the given folded words with their stems. */
export async function readStems(
  db: Database,
  words: readonly string[],
  language: SearchLanguage,
): Promise<Word[]> {
  if (words.length === 0) return []
  return await rowsOf<Word>(
    db,
    sql`select word, ${stemOf(language)} as stem from unnest(${textArray(words)}) as t (word)`,
  )
}

function stemOf(language: SearchLanguage): SQL {
  return sql`(tsvector_to_array(to_tsvector(search_config(${language}), word)))[1]`
}

/**
 * Returns the documents that have all values of `facets`, the highest score first; at most {@link MOST_CANDIDATES}.
 */
export async function findByFacets(
  db: Database,
  facets: readonly [key: SearchKey, value: string][],
  scope: Scope,
): Promise<Found[]> {
  const has = (key: SearchKey, value: string) =>
    sql`facets @> array[${`${key}=`}::text || search_fold(${value})]`
  const wanted = facets.map(([key, value]) =>
    // Documents contain the key of a genre, so a search by any name of the genre uses its key.
    key === 'AD_LIGENRES' ? or(has(key, value), has(key, genreKey(value))) : has(key, value),
  )
  return await rowsOf<Found>(
    db,
    sql`
      select id, kind, target_id as "targetId", programme_key as "programmeKey", folded
      from search_documents
      where ${and(inScope(scope), ...wanted)}
      order by score desc nulls last, id
      limit ${MOST_CANDIDATES}`,
  )
}

/** Returns the documents with the highest scores, the highest score first. */
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

/** Rebuilds the index and updates the planner's statistics. */
export async function rebuildIndex(db: Database): Promise<number> {
  return await db.transaction(async (tx) => {
    // Without the lock, a concurrent import would still see words that this rebuild removes, and would not add
    // them again.
    await lockGuide(tx)
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

/**
 * Returns the condition for documents that the viewer may see, by the same rules as in other lists (spec 27). The
 * documents contain copies of the columns that the rules use.
 */
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

/** Inlines a language as literal text, because the planner must compare it with the conditions of the indexes. */
function literal(language: SearchLanguage): SQL {
  return sql.raw(`'${language}'`)
}

/** Passes all values as one parameter, so that the statement's text is the same for any number of values. */
export function textArray(values: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
}
