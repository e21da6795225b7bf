import { inArray, ne, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'

/** Content with a name: a film or event, or a series with all its episodes. */
export type NamedContent = { assetId: number } | { categoryId: number }

/** Content, by the names and numbers by which an offer file refers to it. */
export interface ContentNames {
  /** Titles by name in any language. Several titles can have the same name. */
  titles: ReadonlyMap<string, readonly NamedContent[]>
  /** Returns the id of a season, by its series and its number. */
  seasonOf(serieId: number, number: number): number | undefined
  /** Ids of channels by number. */
  channels: ReadonlyMap<number, number>
}

/**
 * Looks up titles by their names in any language, and channels by their numbers. Finds withdrawn titles only if no
 * other title has the name.
 */
export async function findContent(
  tx: Transaction,
  wanted: { titles: readonly string[]; channels: readonly number[] },
): Promise<ContentNames> {
  const names = JSON.stringify([...new Set(wanted.titles)])
  const isCalled = (texts: AnyPgColumn) =>
    sql`called.text in (select jsonb_array_elements_text(${names}::jsonb)) and ${texts} is not null`
  const isThere = ne(assets.availability, 'withdrawn')
  const films = await rowsOf<{ name: string; id: number; there: boolean }>(
    tx,
    sql`select distinct called.text as name, ${assets.id} as id, ${isThere} as there from ${assets}, jsonb_each_text(${assets.titles}) called (language, text)
      where ${assets.kind} = 'film' and ${isCalled(assets.titles)}`,
  )
  const series = await rowsOf<{ name: string; id: number; there: boolean }>(
    tx,
    sql`select distinct called.text as name, ${categories.id} as id,
        exists (select from ${assets} where ${assets.serieId} = ${categories.id} and ${isThere}) as there
      from ${categories}, jsonb_each_text(${categories.names}) called (language, text)
      where ${categories.kind} = 'series' and ${isCalled(categories.names)}`,
  )
  const titles = new Map<string, NamedContent[]>()
  const add = (name: string, content: NamedContent) =>
    titles.set(name, [...(titles.get(name) ?? []), content])
  const present = new Set([...films, ...series].filter(({ there }) => there).map(({ name }) => name))
  const isMeant = ({ name, there }: { name: string; there: boolean }) => there || !present.has(name)
  for (const { name, id } of films.filter(isMeant)) add(name, { assetId: id })
  for (const { name, id } of series.filter(isMeant)) add(name, { categoryId: id })
  const serieIds = series.map(({ id }) => id)
  const seasons =
    serieIds.length === 0
      ? []
      : await tx
          .select({ id: categories.id, serieId: categories.parentId, number: categories.seasonNumber })
          .from(categories)
          .where(inArray(categories.parentId, serieIds))
  const bySeries = new Map(seasons.map(({ id, serieId, number }) => [`${serieId}/${number}`, id]))
  const numbers = [...new Set(wanted.channels)]
  const found =
    numbers.length === 0
      ? []
      : await tx
          .select({ id: channels.id, number: channels.number })
          .from(channels)
          .where(inArray(channels.number, numbers))
  return {
    titles,
    seasonOf: (serieId, number) => bySeries.get(`${serieId}/${number}`),
    channels: new Map(found.map(({ id, number }) => [number, id])),
  }
}
