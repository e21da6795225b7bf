import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { and, asc, eq, inArray, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { textIn } from '../../../metadata/texts.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories, images } from '../../inventory/titles/titles.table.ts'
import { imports } from './library.table.ts'
import type { TitleHooks } from './title-hooks.ts'

/** A title that an import withdrew because its files no longer exist. */
export interface WithdrawnTitle {
  id: number
  title: string
  /** Source key: identifies the title by its library and its file. */
  key: string
}

/** Thrown if the title cannot be removed. The message gives the reason. */
export class TitleError extends Error {
  override name = 'TitleError'
}

type Parts = Pick<Context, 'db'>

/** Returns the titles that imports have withdrawn, sorted by key. */
export async function listWithdrawn({ db }: Parts): Promise<WithdrawnTitle[]> {
  const rows = await db
    .select({ id: assets.id, titles: assets.titles, key: assets.sourceKey })
    .from(assets)
    .where(eq(assets.availability, 'withdrawn'))
    .orderBy(asc(assets.sourceKey))
  return rows.map(({ id, titles, key }) => ({ id, key, title: textIn(titles, DEFAULT_LANGUAGE) }))
}

/**
 * Deletes a withdrawn title with all data that viewers have stored about it: positions, lists, scores. If the
 * title is the last episode of a season or series, deletes the season or series too. Keeps pictures that other
 * titles use. The media stays while a viewer may still be watching it, or a schedule refers to it (`sweepMedia`).
 *
 * @returns the name of the title
 * @throws TitleError if there is no such title, or its files exist
 */
export async function removeTitle(
  { db, titleHooks }: Pick<Context, 'db' | 'titleHooks'>,
  id: number,
): Promise<string> {
  return await retryOnDeadlock(
    async () => await db.transaction(async (tx) => await removeWithin(tx, titleHooks, id)),
  )
}

async function removeWithin(tx: Transaction, hooks: TitleHooks, id: number): Promise<string> {
  const [title] = await tx.select().from(assets).where(eq(assets.id, id)).for('update')
  if (!title) throw new TitleError(`There is no title ${id}.`)
  if (title.availability !== 'withdrawn')
    throw new TitleError(
      `Title ${id} is in its library: an import would bring it back. Take its files away and import the folder first.`,
    )
  for (const forget of hooks.onTitleRemoved) await forget(tx, title)
  await tx.delete(assets).where(eq(assets.id, id))
  await tx.delete(imports).where(sql`${imports.work} #>> '{target,asset}' = ${title.sourceKey}`)
  const emptied = [
    ...(await removeEmpty(tx, title.seasonId, assets.seasonId)),
    ...(await removeEmpty(tx, title.serieId, assets.serieId)),
  ]
  await removePictures(tx, hooks, [title, ...emptied].flatMap(picturesOf))
  return textIn(title.titles, DEFAULT_LANGUAGE)
}

type CategoryRow = typeof categories.$inferSelect

/** Deletes a season or a series without episodes. Deletes a series with its seasons. */
async function removeEmpty(
  tx: Transaction,
  id: number | null,
  episodesOf: AnyPgColumn,
): Promise<CategoryRow[]> {
  if (id === null) return []
  const [row] = await tx.select().from(categories).where(eq(categories.id, id)).for('update')
  const isUsed = (await tx.$count(assets, eq(episodesOf, id))) > 0
  if (!row || isUsed) return []
  // Also delete seasons that never had an episode. Deleting the series would delete these seasons too, but not
  // their pictures.
  const gone = await tx
    .delete(categories)
    .where(or(eq(categories.id, id), eq(categories.parentId, id)))
    .returning()
  const keys = gone.map(({ sourceKey }) => sourceKey)
  await tx.delete(imports).where(inArray(sql`${imports.work} #>> '{target,category}'`, keys))
  return gone
}

type Pictured = Pick<
  CategoryRow,
  'posterImage' | 'portraitImage' | 'backgroundImage' | 'logoImage' | 'localImages'
> & {
  thumbnailImage?: string | null
}

function picturesOf(titled: Pictured): string[] {
  const {
    posterImage,
    portraitImage,
    backgroundImage,
    logoImage,
    thumbnailImage = null,
    localImages,
  } = titled
  const local = Object.values(localImages).flatMap(({ poster, logo }) => [poster ?? null, logo ?? null])
  return [posterImage, portraitImage, backgroundImage, logoImage, thumbnailImage, ...local].filter(
    (each) => each !== null,
  )
}

/** Deletes the rows of pictures without references. The next sweep of the store removes their files. */
async function removePictures(tx: Transaction, hooks: TitleHooks, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const named = (table: typeof assets | typeof categories | typeof channels, by: SQL | undefined) =>
    notExists(tx.select({ one: sql`1` }).from(table).where(by))
  const is = (column: AnyPgColumn) => eq(column, images.id)
  const isLocal = (column: AnyPgColumn) =>
    sql`jsonb_path_exists(${column}, '$.*.* ? (@ == $id)', jsonb_build_object('id', ${images.id}))`
  await tx
    .delete(images)
    .where(
      and(
        inArray(images.id, [...ids]),
        named(
          assets,
          or(
            is(assets.posterImage),
            is(assets.portraitImage),
            is(assets.backgroundImage),
            is(assets.logoImage),
            is(assets.thumbnailImage),
            isLocal(assets.localImages),
          ),
        ),
        named(
          categories,
          or(
            is(categories.posterImage),
            is(categories.portraitImage),
            is(categories.backgroundImage),
            is(categories.logoImage),
            isLocal(categories.localImages),
          ),
        ),
        named(
          channels,
          or(
            is(channels.logoImage),
            sql`jsonb_path_exists(${channels.rules}, '$.blocks[*].imageId ? (@ == $id)', jsonb_build_object('id', ${images.id}))`,
          ),
        ),
        ...hooks.namesPicture.map((names) => not(names(tx, images.id))),
      ),
    )
}
