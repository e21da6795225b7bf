import { LEVEL_AGES } from '@ondine/contract/constants'
import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { AgeRating } from '../../../metadata/age-ratings.ts'
import { assetCategories, assets, categories } from '../../inventory/titles/titles.table.ts'
import { categoryRatings } from './library.table.ts'
import { type FoundRating, strictest } from './metadata.ts'

type AssetFields = typeof assets.$inferInsert
type CategoryFields = typeof categories.$inferInsert

/** Columns of an asset that come from the names and the metadata of its files. */
export type AssetEntry = Omit<
  AssetFields,
  | 'id'
  | 'durationSeconds'
  | 'marks'
  | 'availability'
  | 'validFrom'
  | 'validTo'
  | 'createdAt'
  | 'moralityLevel'
  | 'adult'
  | 'ownLevel'
  | 'ownAdult'
> & {
  /** Titles by language where its files give none. */
  defaultTitles: LocalisedText
  /** Whether a file could not be read to its end, so that a stored asset keeps what it has. */
  isPartial: boolean
  rating: FoundRating
  /** Rating of an episode's own file. `rating` then includes those of its season and series. */
  ownRating?: FoundRating
  window: EntryWindow
}

/** When an asset is available, in milliseconds since the Unix epoch. */
export interface EntryWindow {
  /** Undefined: from its first import on. */
  from: number | undefined
  until: number | null
  /** Whether a stored asset keeps its times, because a file that may have others could not be read. */
  isPartial: boolean
}

/** An asset after a write. */
export type StoredAsset = typeof assets.$inferSelect

/**
 * Inserts or updates an asset's columns. A new asset is marked as being prepared. An existing asset keeps its
 * availability.
 */
export async function putAsset(
  tx: Transaction,
  { rating, ownRating, window, defaultTitles, isPartial, ...given }: AssetEntry,
  now: number,
): Promise<StoredAsset> {
  const [stored] = isPartial
    ? await tx.select().from(assets).where(eq(assets.sourceKey, given.sourceKey)).for('update')
    : []
  const entry =
    stored === undefined
      ? { ...given, titles: { ...defaultTitles, ...given.titles } }
      : withStored(given, stored, KEEPING)
  const { from, until } = window
  // Without a start, a title that was to become available later is available now.
  const earlier = sql`least(${assets.validFrom}, ${sql.param(now, assets.validFrom)})`
  const times = window.isPartial ? {} : { validFrom: from ?? earlier, validTo: until }
  const [row] = await tx
    .insert(assets)
    .values({
      ...entry,
      ...ratingOfNew(rating),
      ...(ownRating && ownOfNew(ownRating)),
      validFrom: from ?? now,
      validTo: until,
    })
    .onConflictDoUpdate({
      target: assets.sourceKey,
      set: {
        ...entry,
        ...times,
        ...(ownRating ? ratingOfEpisode(rating, ownRating) : ratingOfStored(assets, rating)),
      },
    })
    .returning()
  if (!row) throw new Error('The asset was not stored.')
  return row
}

/** Makes an asset visible again, as ready or as being prepared. */
export async function setAvailability(
  tx: Transaction,
  id: number,
  availability: StoredAsset['availability'],
): Promise<void> {
  await tx.update(assets).set({ availability }).where(eq(assets.id, id))
}

/** Columns of a series or a season that come from an import. */
export type CategoryEntry = Omit<
  CategoryFields,
  'id' | 'createdAt' | 'moralityLevel' | 'adult' | 'kind' | 'names'
> & {
  kind: 'series' | 'season'
  /** Names by language that its files give. */
  names: LocalisedText
  /** Names by language where its files give none. */
  defaultNames: LocalisedText
  rating: FoundRating
  /** Rating of a season without a rating of its own: that of its series. */
  inherited?: AgeRating
  /** Whether a file could not be read to its end, so that a stored category keeps what it has. */
  isPartial: boolean
}

/** A category after a write. */
export type StoredCategory = typeof categories.$inferSelect

/**
 * Inserts or updates the columns of a series or a season. If another library also has episodes of the series or season,
 * stored values that the files of this library omit are kept, and the strictest rating of all libraries applies.
 */
export async function putCategory(
  tx: Transaction,
  library: string,
  { rating: own, inherited, defaultNames, isPartial, ...given }: CategoryEntry,
): Promise<StoredCategory> {
  const [stored] = await tx
    .select()
    .from(categories)
    .where(eq(categories.sourceKey, given.sourceKey))
    .for('update')
  const elsewhere = stored === undefined ? [] : await readElsewhere(tx, stored, library)
  const entry =
    stored === undefined || (elsewhere.length === 0 && !isPartial)
      ? { ...given, names: { ...defaultNames, ...given.names } }
      : withStored(given, stored, isPartial ? KEEPING : {})
  const kept =
    stored === undefined || own.basis !== 'missing'
      ? undefined
      : await readLibraryRating(tx, stored.id, library)
  const rating = joinRatings(kept ?? own, inherited, elsewhere)
  const [row] = await tx
    .insert(categories)
    .values({ ...entry, ...ratingOfNew(rating) })
    .onConflictDoUpdate({
      target: categories.sourceKey,
      set: { ...entry, ...ratingOfStored(categories, rating) },
    })
    .returning()
  if (!row) throw new Error('The category was not stored.')
  if (own.basis !== 'unreadable') await putLibraryRating(tx, row.id, library, kept ?? own)
  return row
}

/** Rating of a series or season in another library; `library` is null if the library's rating was never stored. */
type RatingElsewhere = Pick<typeof categoryRatings.$inferSelect, 'moralityLevel' | 'adult'> & {
  library: string | null
}

/** Returns the ratings of a series or season in the other libraries that have episodes of it. */
async function readElsewhere(
  tx: Transaction,
  { id, kind }: StoredCategory,
  library: string,
): Promise<RatingElsewhere[]> {
  const { moralityLevel, adult } = categoryRatings
  return await tx
    .selectDistinct({
      library: categoryRatings.library,
      moralityLevel,
      adult: sql<boolean>`coalesce(${adult}, false)`,
    })
    .from(assets)
    .leftJoin(
      categoryRatings,
      and(
        eq(categoryRatings.categoryId, id),
        sql`starts_with(${assets.sourceKey}, ${categoryRatings.library} || ':')`,
      ),
    )
    .where(
      and(
        eq(kind === 'series' ? assets.serieId : assets.seasonId, id),
        sql`not starts_with(${assets.sourceKey}, ${`${library}:`})`,
      ),
    )
}

/** Returns the rating that files of this library gave a series or season before. */
async function readLibraryRating(
  tx: Transaction,
  categoryId: number,
  library: string,
): Promise<FoundRating | undefined> {
  const { moralityLevel, adult } = categoryRatings
  const [row] = await tx
    .select({ moralityLevel, adult })
    .from(categoryRatings)
    .where(and(eq(categoryRatings.categoryId, categoryId), eq(categoryRatings.library, library)))
  return row === undefined || row.moralityLevel === null
    ? undefined
    : { moralityLevel: row.moralityLevel, adult: row.adult, basis: 'rated' }
}

async function putLibraryRating(
  tx: Transaction,
  categoryId: number,
  library: string,
  { basis, moralityLevel, adult }: FoundRating,
): Promise<void> {
  const set = { moralityLevel: basis === 'rated' ? moralityLevel : null, adult }
  await tx
    .insert(categoryRatings)
    .values({ categoryId, library, ...set })
    .onConflictDoUpdate({ target: [categoryRatings.categoryId, categoryRatings.library], set })
}

/** Joins the rating of a series or season in this library with those in the other libraries. */
function joinRatings(
  own: FoundRating,
  inherited: AgeRating | undefined,
  elsewhere: readonly RatingElsewhere[],
): FoundRating {
  const rated: FoundRating[] = elsewhere.flatMap(({ moralityLevel, adult }) =>
    moralityLevel === null ? [] : [{ moralityLevel, adult, basis: 'rated' }],
  )
  if (own.basis === 'unreadable') return strictest([own, ...rated])
  if (own.basis === 'rated') rated.push(own)
  const joined = rated.length > 0 ? strictest(rated) : { ...own, ...inherited }
  // If a library's rating was never stored, it may be the strictest one. So the category keeps its stored rating.
  if (elsewhere.some(({ library }) => library === null)) return { ...joined, basis: 'missing' }
  return inherited === undefined ? joined : { ...joined, basis: 'rated' }
}

/**
 * A file that is read in part may have incomplete lists, and its year may come from the file name. The stored lists and
 * year are kept.
 */
const KEEPING = { keepsListsAndYear: true } as const

/**
 * Fills the missing values of an entry with the stored values.
 *
 * @param keepsListsAndYear whether the stored lists and year replace those of the entry
 */
function withStored<Entry extends Pick<CategoryFields, 'logoImage'>>(
  entry: Entry,
  stored: StoredAsset | StoredCategory,
  { keepsListsAndYear = false }: { keepsListsAndYear?: boolean },
): Entry {
  const known = new Map(Object.entries(stored))
  const filled = Object.entries<unknown>(entry).map(([name, value]) => {
    const before: unknown = known.get(name)
    if (Array.isArray(value)) {
      const keeps = value.length === 0 || (keepsListsAndYear && Array.isArray(before) && before.length > 0)
      return [name, keeps ? before : value]
    }
    if (keepsListsAndYear && name === 'year') return [name, before ?? value]
    if (typeof value === 'object' && value !== null) return [name, { ...(before as object), ...value }]
    return [name, value === null ? before : value]
  })
  // A logo keeps the language of its title.
  const logoLanguage = entry.logoImage === null ? { logoLanguage: stored.logoLanguage } : {}
  return { ...entry, ...Object.fromEntries(filled), ...logoLanguage }
}

/** A new title gets the strictest level if a file may have a stricter rating that could not be read. */
function ratingOfNew({ basis, moralityLevel, adult }: FoundRating): AgeRating {
  return { moralityLevel: basis === 'unreadable' ? LEVEL_AGES.length : moralityLevel, adult }
}

/** Returns the columns with the own rating of a new episode. */
function ownOfNew(own: FoundRating) {
  const { moralityLevel, adult } = ratingOfNew(own)
  const isKnown = own.basis === 'rated' || own.basis === 'unreadable'
  return { ownLevel: isKnown ? moralityLevel : null, ownAdult: isKnown && adult }
}

/**
 * Returns the columns with the ratings of a stored episode. If its file is missing, the rating that was stored from the
 * file still counts, together with the ratings of the season and the series.
 */
function ratingOfEpisode(joined: FoundRating, own: FoundRating) {
  const { moralityLevel, adult } = joined
  if (own.basis === 'unreadable') return ratingOfStored(assets, joined)
  if (own.basis !== 'missing') return { ...ratingOfStored(assets, joined), ...ownOfNew(own) }
  return {
    moralityLevel: sql`greatest(${assets.ownLevel}, ${moralityLevel})`,
    adult: sql`${assets.ownAdult} or ${adult}`,
  }
}

/** A stored title keeps its rating if a file is missing or could not be read, unless the new one is stricter. */
function ratingOfStored(table: typeof assets | typeof categories, rating: FoundRating) {
  const { basis, moralityLevel, adult } = rating
  return basis === 'unreadable' || basis === 'missing'
    ? {
        moralityLevel: sql`greatest(${table.moralityLevel}, ${moralityLevel})`,
        adult: sql`${table.adult} or ${adult}`,
      }
    : { moralityLevel, adult }
}

/**
 * Creates a category if it does not exist. Does not overwrite an operator's changes. @returns the category's id
 */
export async function ensureCategory(
  tx: Transaction,
  sourceKey: string,
  names: LocalisedText,
  position: number,
): Promise<number> {
  const [made] = await tx
    .insert(categories)
    .values({ kind: 'category', sourceKey, names, position })
    .onConflictDoNothing()
    .returning({ id: categories.id })
  if (made) return made.id
  const [known] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.sourceKey, sourceKey))
    // This lock prevents the removal of the empty category before its title is added.
    .for('key share')
  if (!known) throw new Error('The category was not stored.')
  return known.id
}

/**
 * Sets an asset's membership in the categories that imports create (films and genres). Memberships in other
 * categories do not change.
 */
export async function setCategories(
  tx: Transaction,
  assetId: number,
  categoryIds: readonly number[],
): Promise<void> {
  const imported = tx
    .select({ id: categories.id })
    .from(categories)
    .where(or(eq(categories.sourceKey, 'films'), sql`starts_with(${categories.sourceKey}, 'genre:')`))
  await tx
    .delete(assetCategories)
    .where(
      and(
        eq(assetCategories.assetId, assetId),
        inArray(assetCategories.categoryId, imported),
        categoryIds.length > 0 ? notInArray(assetCategories.categoryId, [...categoryIds]) : undefined,
      ),
    )
  if (categoryIds.length === 0) return
  await tx
    .insert(assetCategories)
    .values(categoryIds.map((categoryId) => ({ assetId, categoryId })))
    .onConflictDoNothing()
}
