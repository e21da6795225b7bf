import { ARTICLES, EDITORIAL_TYPES } from '@ondine/contract/editorial'
import type { Image } from '@ondine/contract/entities'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { images } from '../../inventory/titles/titles.table.ts'
import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { editorial } from './editorial.table.ts'

/**
 * Maximum number of texts that an import writes before other calls are answered. Each text takes long, because a
 * trigger stores the words of the text for the search, often thousands.
 */
export const MOST_TEXTS = 20

export type EditorialRow = Omit<typeof editorial.$inferSelect, 'words'>
/** The columns that lists need: all columns except the content. */
export type SummaryRow = Omit<EditorialRow, 'content'>
export type NewArticle = Omit<
  typeof editorial.$inferInsert,
  'id' | 'words' | 'createdAt' | 'updatedAt' | 'withdrawnAt' | 'writtenAt'
> & { writtenAt?: number }

/** Key of a text within its storefront. */
interface TextName {
  language: string
  type: string
  slug: string
}

/** Reader with storefront and language. */
export interface EditorialReader {
  storefrontId: number
  viewer: Viewer
  language: Language
  /** Milliseconds since the Unix epoch. */
  now: number
}

/** Types of texts that are not articles. */
const APART: string[] = Object.values(EDITORIAL_TYPES)

/**
 * Returns the condition for visible texts, which every query for a reader includes. Drafts, unpublished, expired and
 * withdrawn texts are hidden from everyone. A child's profile sees nothing above its level (spec 27).
 */
function visible({ storefrontId, viewer, now }: EditorialReader): SQL | undefined {
  return and(
    eq(editorial.storefrontId, storefrontId),
    eq(editorial.draft, false),
    isNull(editorial.withdrawnAt),
    or(isNull(editorial.visibleFrom), lte(editorial.visibleFrom, now)),
    or(isNull(editorial.visibleTo), gt(editorial.visibleTo, now)),
    viewer.kid && viewer.maximumMoralityLevel > 0
      ? lte(editorial.moralityLevel, viewer.maximumMoralityLevel)
      : undefined,
  )
}

/**
 * Selects the version of each text to show: in the reader's language, else in the default language, else in
 * any language.
 */
function versions(db: Database, reader: EditorialReader, condition: SQL | undefined) {
  return db
    .selectDistinctOn([editorial.type, editorial.slug], { id: editorial.id })
    .from(editorial)
    .where(and(visible(reader), condition))
    .orderBy(
      editorial.type,
      editorial.slug,
      desc(eq(editorial.language, reader.language)),
      desc(eq(editorial.language, DEFAULT_LANGUAGE)),
      asc(editorial.id),
    )
}

/**
 * The order of lists: by rank, the smallest first, then texts without a rank. Texts of the same rank: the newest first.
 */
const IN_ORDER = [sql`${editorial.rank} asc nulls last`, desc(editorial.writtenAt), asc(editorial.id)]

/** All columns that are presented, and the same columns except the content. */
const { words: _, ...WHOLE } = getTableColumns(editorial)
const { content: __, ...SUMMARY } = WHOLE

/** Filter of a list of texts. Without `type`, the list contains articles of all types. */
export interface EditorialFilter {
  type?: string | undefined
  /** Keyword in the form used in addresses. */
  topic?: string | undefined
}

function filtered(db: Database, reader: EditorialReader, { type, topic }: EditorialFilter): SQL | undefined {
  const ofType = type === undefined ? notInArray(editorial.type, APART) : eq(editorial.type, type)
  if (topic === undefined) return ofType
  // Keywords are in the language of their text, so a text has a topic if any of its versions has it.
  const withTopic = db
    .select({ type: editorial.type, slug: editorial.slug })
    .from(editorial)
    .where(and(visible(reader), ofType, sql`${topic} = any(${editorial.topics})`))
  return and(ofType, sql`(${editorial.type}, ${editorial.slug}) in ${withTopic}`)
}

/**
 * Returns `limit` texts of a list from index `offset` on, in the order of {@link IN_ORDER}, and the length of the whole
 * list.
 */
export async function findSummaries(
  db: Database,
  reader: EditorialReader,
  filter: EditorialFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SummaryRow[]; total: number }> {
  const wanted = versions(db, reader, filtered(db, reader, filter))
  const [rows, total] = await Promise.all([
    db
      .select(SUMMARY)
      .from(editorial)
      .where(inArray(editorial.id, wanted))
      .orderBy(...IN_ORDER)
      .limit(limit)
      .offset(offset),
    db.$count(editorial, inArray(editorial.id, wanted)),
  ])
  return { rows, total }
}

/**
 * Returns matching articles and pages, the best first, each in the language that the reader sees.
 *
 * @param query in the syntax of PostgreSQL's text search
 */
export async function findByWords(
  db: Database,
  reader: EditorialReader,
  query: string,
  limit: number,
): Promise<SummaryRow[]> {
  const fits = and(
    sql`${editorial.words} @@ ${query}::tsquery`,
    // A section introduces a list, and is not itself part of the list.
    ne(editorial.type, EDITORIAL_TYPES.section),
  )
  const slugs = db
    .select({ slug: editorial.slug })
    .from(editorial)
    .where(and(visible(reader), fits))
  return await db
    .select(SUMMARY)
    .from(editorial)
    // The version that the reader sees must match. A match in another language would not help.
    .where(and(fits, inArray(editorial.id, versions(db, reader, inArray(editorial.slug, slugs)))))
    .orderBy(sql`ts_rank(${editorial.words}, ${query}::tsquery) desc`, ...IN_ORDER)
    .limit(limit)
}

/** Returns the picture id of a text, by the text's id. */
export async function findImageId(
  db: Database,
  reader: EditorialReader,
  id: number,
): Promise<string | undefined> {
  const [row] = await db
    .select({ imageId: editorial.imageId })
    .from(editorial)
    .where(and(visible(reader), eq(editorial.id, id)))
  return row?.imageId ?? undefined
}

/**
 * Returns one text by type and slug. An article is also found by its type and its id in decimal (V2.2-08). The link
 * form `editorial/{id}` leads to the type `articles` for articles of all types, so an id finds any article there.
 */
export async function findContent(
  db: Database,
  reader: EditorialReader,
  type: string,
  slug: string,
): Promise<EditorialRow | undefined> {
  const bySlug = and(eq(editorial.type, type), eq(editorial.slug, slug))
  const byId = and(
    eq(editorial.id, Number(slug)),
    type === ARTICLES ? notInArray(editorial.type, APART) : eq(editorial.type, type),
  )
  const hasId = !APART.includes(type) && /^[1-9]\d{0,8}$/.test(slug)
  const condition = hasId ? or(bySlug, byId) : bySlug
  const rows = await db
    .select(WHOLE)
    .from(editorial)
    .where(inArray(editorial.id, versions(db, reader, condition)))
  return rows.find((row) => row.type === type && row.slug === slug) ?? rows[0]
}

/** Returns all texts of a type with their content, in the order of {@link IN_ORDER}. */
export async function findContents(
  db: Database,
  reader: EditorialReader,
  type: string,
): Promise<EditorialRow[]> {
  return await db
    .select(WHOLE)
    .from(editorial)
    .where(inArray(editorial.id, versions(db, reader, eq(editorial.type, type))))
    .orderBy(...IN_ORDER)
}

/** Returns the texts before and after a text, in the list of its type. */
export async function findNeighbours(
  db: Database,
  reader: EditorialReader,
  row: { id: number; type: string },
): Promise<{ previous: SummaryRow | undefined; next: SummaryRow | undefined }> {
  const ordered = await db
    .select({ id: editorial.id })
    .from(editorial)
    .where(inArray(editorial.id, versions(db, reader, eq(editorial.type, row.type))))
    .orderBy(...IN_ORDER)
  const place = ordered.findIndex(({ id }) => id === row.id)
  const ids = [ordered[place - 1]?.id, ordered[place + 1]?.id]
  const wanted = ids.filter((id) => id !== undefined)
  if (place < 0 || wanted.length === 0) return { previous: undefined, next: undefined }
  const rows = await db.select(SUMMARY).from(editorial).where(inArray(editorial.id, wanted))
  return { previous: rows.find(({ id }) => id === ids[0]), next: rows.find(({ id }) => id === ids[1]) }
}

/**
 * Returns at most `limit` articles for the end of a text. First come the articles that the author of the text names as
 * related, then the articles that share the most topics with it, then the articles of the same type.
 */
export async function findRelated(
  db: Database,
  reader: EditorialReader,
  row: Pick<EditorialRow, 'id' | 'type' | 'slug' | 'topics' | 'related'>,
  limit: number,
): Promise<SummaryRow[]> {
  const named = textArray(row.related)
  const shared = sql<number>`(select count(*) from unnest(${editorial.topics}) topic where topic = any(${textArray(row.topics)}))`
  const candidates = and(
    notInArray(editorial.type, APART),
    sql`(${editorial.type}, ${editorial.slug}) <> (${row.type}, ${row.slug})`,
  )
  return await db
    .select(SUMMARY)
    .from(editorial)
    .where(inArray(editorial.id, versions(db, reader, candidates)))
    .orderBy(
      sql`array_position(${named}, ${editorial.slug}) asc nulls last`,
      sql`${shared} desc`,
      desc(eq(editorial.type, row.type)),
      ...IN_ORDER,
    )
    .limit(limit)
}

function textArray(values: string[]): SQL {
  if (values.length === 0) return sql`array[]::text[]`
  return sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::text[]`
}

export async function imagesById(
  db: Database | Transaction,
  ids: (string | null)[],
): Promise<Map<string, Image>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.select().from(images).where(inArray(images.id, wanted))
  return new Map(
    rows.map(({ id, width, height, color }) => [id, { url: `/images/${id}`, width, height, color }]),
  )
}

/**
 * Stores a text, or updates the text with the same language, type and slug.
 *
 * @param takesOver whether to replace a text of another origin too. The origin is an imported folder, or an operator's
 * call.
 * @returns what was done; `foreign` if the existing text has another origin and was kept
 */
export async function putArticle(
  db: Database | Transaction,
  article: NewArticle,
  now: number,
  takesOver = false,
): Promise<{ id: number; did: 'added' | 'updated' | 'unchanged' } | 'foreign'> {
  return await retryOnDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        const [known] = await tx
          .select({
            id: editorial.id,
            library: editorial.library,
            fingerprint: editorial.fingerprint,
            withdrawnAt: editorial.withdrawnAt,
          })
          .from(editorial)
          .where(isNamed(article.storefrontId, article))
          .for('update')
        if (known === undefined) {
          const [row] = await tx
            .insert(editorial)
            .values({ writtenAt: now, ...article, updatedAt: now })
            .returning({ id: editorial.id })
          if (row === undefined) throw new Error('The text was not stored.')
          return { id: row.id, did: 'added' }
        }
        const { id, library, fingerprint, withdrawnAt } = known
        if (library !== article.library && withdrawnAt === null && !takesOver) return 'foreign'
        if (fingerprint === article.fingerprint && withdrawnAt === null) return { id, did: 'unchanged' }
        await tx
          .update(editorial)
          .set({ ...article, updatedAt: now, withdrawnAt: null })
          .where(eq(editorial.id, id))
        // To readers, a text that was withdrawn and is imported or written again is new.
        return { id, did: withdrawnAt === null ? 'updated' : 'added' }
      }),
  )
}

/** Withdraws a text, whether it was imported or written by an operator's call. */
export async function withdrawArticle(
  db: Database | Transaction,
  storefrontId: number,
  name: TextName,
  now: number,
): Promise<void> {
  await db.update(editorial).set({ withdrawnAt: now }).where(isNamed(storefrontId, name))
}

/**
 * Returns all texts of a storefront that are not withdrawn, visible or not, sorted by type, address and
 * language.
 */
export async function findTexts(
  db: Database,
  storefrontId: number,
  { type, language }: { type?: string | undefined; language?: string | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<EditorialRow[]> {
  return await db
    .select(WHOLE)
    .from(editorial)
    .where(
      and(
        eq(editorial.storefrontId, storefrontId),
        isNull(editorial.withdrawnAt),
        type === undefined ? undefined : eq(editorial.type, type),
        language === undefined ? undefined : eq(editorial.language, language),
      ),
    )
    .orderBy(asc(editorial.type), asc(editorial.slug), asc(editorial.language))
    .limit(limit)
    .offset(offset)
}

/** Returns one text by its name, visible or not; undefined if the text does not exist or is withdrawn. */
export async function findNamed(
  db: Database,
  storefrontId: number,
  name: TextName,
): Promise<EditorialRow | undefined> {
  const [row] = await db
    .select(WHOLE)
    .from(editorial)
    .where(and(isNamed(storefrontId, name), isNull(editorial.withdrawnAt)))
  return row
}

function isNamed(storefrontId: number, { language, type, slug }: TextName): SQL | undefined {
  return and(
    eq(editorial.storefrontId, storefrontId),
    eq(editorial.language, language),
    eq(editorial.type, type),
    eq(editorial.slug, slug),
  )
}

/**
 * Returns the texts of an imported folder, except the texts in `kept` and the texts of unreadable files. `areAll` is
 * true if the folder has texts and the result contains all of them.
 */
export async function findVanished(
  db: Database,
  options: {
    storefrontId: number
    library: string
    kept: ReadonlySet<number>
    unreadable: string[]
  },
): Promise<{ ids: number[]; areAll: boolean }> {
  const { storefrontId, library, kept, unreadable } = options
  const rows = await db
    .select({ id: editorial.id, source: editorial.source })
    .from(editorial)
    .where(
      and(
        eq(editorial.storefrontId, storefrontId),
        eq(editorial.library, library),
        isNull(editorial.withdrawnAt),
      ),
    )
  const gone = rows.filter(
    ({ id, source }) =>
      !kept.has(id) &&
      !unreadable.some((path) => path === '' || path === source || source.startsWith(`${path}/`)),
  )
  return { ids: gone.map(({ id }) => id), areAll: gone.length > 0 && gone.length === rows.length }
}

/** Withdraws texts, in slices. */
export async function withdrawAll(db: Database, ids: readonly number[], now: number): Promise<void> {
  await new Pace(MOST_TEXTS).over(ids, async (some) => {
    await db.update(editorial).set({ withdrawnAt: now }).where(inArray(editorial.id, some))
  })
}

/** Returns the addresses of a storefront's texts, visible or not: `type/slug`. */
export async function findAddresses(db: Database, storefrontId: number): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ type: editorial.type, slug: editorial.slug })
    .from(editorial)
    .where(and(eq(editorial.storefrontId, storefrontId), isNull(editorial.withdrawnAt)))
  return new Set(rows.map(({ type, slug }) => `${type}/${slug}`))
}

/** Deletes at most `most` texts of a storefront. @returns the number of deleted texts */
export async function removeTextsOf(db: Database, storefrontId: number, most: number): Promise<number> {
  const some = db
    .select({ id: editorial.id })
    .from(editorial)
    .where(eq(editorial.storefrontId, storefrontId))
    .limit(most)
  // Retried after a deadlock, because an import locks the same rows in another order.
  const gone = await retryOnDeadlock(
    async () => await db.delete(editorial).where(inArray(editorial.id, some)).returning({ id: editorial.id }),
  )
  return gone.length
}
