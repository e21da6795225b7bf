import type { Language } from '@ondine/contract/languages'
import { arrayContains, asc, count, eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { assetCategories, assets, categories } from './titles.table.ts'

/** A category in the operator's view of the tree. */
export interface CategoryInTree {
  key: string
  names: Record<string, string>
  kind: (typeof categories.$inferSelect)['kind']
  position: number
  /** Number of ancestors. */
  depth: number
}

/** Changes to a category. An omitted field keeps its value, or gets the default in a new category. */
export interface CategoryChange {
  name?: { language: Language; text: string }
  /** Key of the parent category; null for the top level. */
  under?: string | null
  /** Position among siblings. The smallest is first. */
  position?: number
}

/** Thrown if a change of the tree is not possible. The message gives the reason. */
export class CategoryError extends Error {
  override name = 'CategoryError'
}

type CategoryRow = typeof categories.$inferSelect
type Edited = Pick<Context, 'db'>

/**
 * Keys that imports create. Operators cannot create a category with such a key, because an import would overwrite
 * it.
 */
const IMPORTED = /^(?:films$|series$|genre:|series:)/
const GENRE = 'genre:'
const KEY = /^[\p{L}\d][\p{L}\d:_-]{0,59}$/u

/** Returns the tree of categories and series, parents before their children. */
export async function listCategories({ db }: Edited): Promise<CategoryInTree[]> {
  const rows = await db.select().from(categories).orderBy(asc(categories.position), asc(categories.id))
  const below = (parentId: number | null, depth: number): CategoryInTree[] =>
    rows
      .filter((row) => row.parentId === parentId && row.kind !== 'season')
      .flatMap(({ id, sourceKey: key, names, kind, position }) => [
        { key, names, kind, position, depth },
        ...below(id, depth + 1),
      ])
  return below(null, 0)
}

/**
 * Creates a category, or changes its name, its parent and its position. Imports do not overwrite these changes.
 *
 * @throws CategoryError if the parent does not exist, if the tree would contain a cycle, or if a new category has
 * a key that imports create
 */
export async function putCategoryInTree({ db }: Edited, key: string, change: CategoryChange): Promise<void> {
  await retryOnDeadlock(async () => await db.transaction(async (tx) => await putWithin(tx, key, change)))
}

async function putWithin(tx: Transaction, key: string, change: CategoryChange): Promise<void> {
  // Lock the whole tree, because two concurrent changes could create a cycle. This kind of lock does not block
  // imports that only refer to a category.
  const all = await tx.select().from(categories).for('no key update')
  const known = all.find(({ sourceKey }) => sourceKey === key)
  if (known && known.kind !== 'category')
    throw new CategoryError(`${key} is a series or a season: its import decides its place.`)
  const fields = {
    ...(change.under !== undefined && { parentId: parentIn(all, key, change.under) }),
    ...(change.position !== undefined && { position: change.position }),
  }
  const name = change.name && { [change.name.language]: change.name.text }
  if (known) {
    const changed = { ...fields, ...(name && { names: { ...known.names, ...name } }) }
    if (Object.keys(changed).length === 0) throw new CategoryError('Give a name, a parent or a position.')
    await tx.update(categories).set(changed).where(eq(categories.id, known.id))
    return
  }
  if (IMPORTED.test(key)) throw new CategoryError(`There is no category ${key}. Only imports make such keys.`)
  if (!KEY.test(key)) throw new CategoryError('A key has up to 60 letters, digits, colons and dashes.')
  if (name === undefined) throw new CategoryError(`There is no category ${key}. A new one needs a name.`)
  await tx.insert(categories).values({ kind: 'category', sourceKey: key, names: name, ...fields })
}

/**
 * Removes an empty category from the tree. An import with titles for a removed category creates it again.
 *
 * @throws CategoryError if the category does not exist, is a series or a season, is not empty, or is the genre of
 * titles or series
 */
export async function removeCategory({ db }: Edited, key: string): Promise<void> {
  await retryOnDeadlock(async () => await db.transaction(async (tx) => await removeWithin(tx, key)))
}

async function removeWithin(tx: Transaction, key: string): Promise<void> {
  const [row] = await tx.select().from(categories).where(eq(categories.sourceKey, key)).for('update')
  if (!row) throw new CategoryError(`There is no category ${key}.`)
  if (row.kind !== 'category') throw new CategoryError(`${key} comes from an import.`)
  if ((await countWithin(tx, row.id)) > 0)
    throw new CategoryError(`${key} is not empty. Move its content first.`)
  // A genre's category does not contain series and episodes. But searches find series and episodes by the names of
  // the genre's category.
  if (key.startsWith(GENRE) && (await isCarried(tx, key.slice(GENRE.length))))
    throw new CategoryError(`Titles have the genre ${key.slice(GENRE.length)}, and are found by its names.`)
  await tx.delete(categories).where(eq(categories.id, row.id))
}

async function isCarried(tx: Transaction, genre: string): Promise<boolean> {
  const series = tx
    .select({ id: categories.id })
    .from(categories)
    .where(arrayContains(categories.genres, [genre]))
  const titles = tx
    .select({ id: assets.id })
    .from(assets)
    .where(arrayContains(assets.genres, [genre]))
  return (await series.limit(1)).length + (await titles.limit(1)).length > 0
}

async function countWithin(tx: Transaction, id: number): Promise<number> {
  const [below] = await tx.select({ rows: count() }).from(categories).where(eq(categories.parentId, id))
  const [titles] = await tx
    .select({ rows: count() })
    .from(assetCategories)
    .where(eq(assetCategories.categoryId, id))
  return (below?.rows ?? 0) + (titles?.rows ?? 0)
}

function parentIn(all: readonly CategoryRow[], key: string, under: string | null): number | null {
  if (under === null) return null
  const parent = all.find(({ sourceKey, kind }) => sourceKey === under && kind === 'category')
  if (!parent) throw new CategoryError(`There is no category ${under}.`)
  for (
    let above: CategoryRow | undefined = parent;
    above;
    above = all.find(({ id }) => id === above?.parentId)
  )
    if (above.sourceKey === key)
      throw new CategoryError(`${key} cannot be moved into itself, or into a category inside it.`)
  return parent.id
}
