import { LEVEL_AGES } from '@ondine/contract/constants'
import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { AgeRating } from '../../../metadata/age-ratings.ts'
import { assetCategories, assets, categories } from '../../inventory/titles/titles.table.ts'

type AssetFields = typeof assets.$inferInsert
type CategoryFields = typeof categories.$inferInsert

/** Age rating of a title, as far as its files tell it. */
export interface EntryRating extends AgeRating {
  /**
   * Whether a file may have a stricter rating that could not be read. Then a stored title keeps its rating, unless
   * this one is stricter, and a new title gets the strictest level.
   */
  isPartial: boolean
}

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
> & { rating: EntryRating }

/** An asset after a write. */
export interface StoredAsset {
  id: number
  availability: typeof assets.$inferSelect.availability
}

/**
 * Inserts or updates an asset's columns. A new asset is marked as being prepared. An existing asset keeps its
 * availability.
 */
export async function putAsset(
  tx: Transaction,
  { rating, ...entry }: AssetEntry,
  now: number,
): Promise<StoredAsset> {
  const [row] = await tx
    .insert(assets)
    .values({ ...entry, ...ratingOfNew(rating), validFrom: now })
    .onConflictDoUpdate({ target: assets.sourceKey, set: { ...entry, ...ratingOfStored(assets, rating) } })
    .returning({ id: assets.id, availability: assets.availability })
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

/** Columns of a category that come from an import. */
export type CategoryEntry = Omit<CategoryFields, 'id' | 'createdAt' | 'moralityLevel' | 'adult'> & {
  rating: EntryRating
}

/** A category after a write. */
export type StoredCategory = Pick<typeof categories.$inferSelect, 'id' | 'moralityLevel' | 'adult'>

/** Inserts or updates a category's columns. */
export async function putCategory(
  tx: Transaction,
  { rating, ...entry }: CategoryEntry,
): Promise<StoredCategory> {
  const [row] = await tx
    .insert(categories)
    .values({ ...entry, ...ratingOfNew(rating) })
    .onConflictDoUpdate({
      target: categories.sourceKey,
      set: { ...entry, ...ratingOfStored(categories, rating) },
    })
    .returning({ id: categories.id, moralityLevel: categories.moralityLevel, adult: categories.adult })
  if (!row) throw new Error('The category was not stored.')
  return row
}

function ratingOfNew({ isPartial, moralityLevel, adult }: EntryRating): AgeRating {
  return { moralityLevel: isPartial ? LEVEL_AGES.length : moralityLevel, adult }
}

function ratingOfStored(table: typeof assets | typeof categories, rating: EntryRating) {
  const { isPartial, moralityLevel, adult } = rating
  return isPartial
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
