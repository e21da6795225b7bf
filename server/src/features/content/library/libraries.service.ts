import { stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import { rowsOf } from '../../../database/rows.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { cancelVanished, MOST_WITHDRAWN, withdrawVanished } from './library.repository.ts'
import { LibraryError } from './library.service.ts'
import { imports } from './library.table.ts'
import { libraryName } from './library-name.ts'

type Parts = Pick<Context, 'db' | 'clock' | 'folders'>

/**
 * Withdraws all titles of a library, even if its folder does not exist any more. The next import of the folder
 * shows the titles whose files exist again.
 *
 * @param folder absolute path of the folder
 * @returns the number of withdrawn titles
 * @throws {LibraryError} if there is nothing to withdraw
 */
export async function withdrawLibrary({ db, clock, folders }: Parts, folder: string): Promise<number> {
  const library = libraryName(folders, resolve(folder))
  await cancelVanished(db, library, [], clock.now())
  const withdrawn = await withdrawVanished(db, library, [], [])
  if (withdrawn === 0) throw new LibraryError(`No title of a library in ${folder} is left.`)
  return withdrawn
}

/**
 * Changes the folder of a library whose files were moved, so that its titles stay the same. Cancels its running
 * imports: the import of the new folder starts them again. An interrupted call can be repeated.
 *
 * @param from absolute path of the old folder, which need not exist
 * @param to absolute path of the new folder
 * @returns the number of titles
 * @throws {LibraryError} if there is nothing to move, if the new folder is missing, or if it was imported before
 */
export async function moveLibrary({ db, clock, folders }: Parts, from: string, to: string): Promise<number> {
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new LibraryError(`${from} was not moved: ${to} is not a readable folder.`)
  const names = [libraryName(folders, resolve(from)), libraryName(folders, resolve(to))] as const
  const keys = names.map((name) => `${name}:`)
  const newKey = withPrefix(sql`${assets.sourceKey}`, keys)
  const rows = await rowsOf<{ key: string; twin: boolean }>(
    db,
    sql`select ${assets.sourceKey} as key, exists (select from assets twin where twin.source_key = ${newKey}) as twin
      from ${assets} where starts_with(${assets.sourceKey}, ${keys[0]})`,
  )
  const twins = rows.filter(({ twin }) => twin).length
  if (twins > 0)
    throw new LibraryError(
      `${to} was imported before: it has ${twins} of the titles too. Remove them first (libraries withdraw, titles remove).`,
    )
  if (rows.length === 0) throw new LibraryError(`There is no title of a library in ${from}.`)

  await cancelVanished(db, names[0], [], clock.now())
  const files = await rowsOf<{ id: number }>(
    db,
    sql`select ${imports.id} as id from ${imports} where ${imports.library} = ${names[0]}`,
  )
  const source = withPrefix(
    sql`${imports.source}`,
    [from, to].map((path) => resolve(path) + sep),
  )
  const target = sql`${imports.work} #>> '{target,asset}'`
  const pace = new Pace(MOST_WITHDRAWN)
  await pace.over(files, async (some) => {
    const ids = JSON.stringify(some.map(({ id }) => id))
    await db.execute(sql`
      update ${imports} set library = ${names[1]}, source = ${source},
        work = case when ${target} is null then ${imports.work}
          else jsonb_set(${imports.work}, '{target,asset}', to_jsonb(${withPrefix(target, keys)})) end
      where ${imports.id} in (select value::int from jsonb_array_elements_text(${ids}::jsonb))`)
  })
  await pace.over(rows, async (some) => {
    const moved = JSON.stringify(some.map(({ key }) => key))
    await db.execute(sql`
      update ${assets} set source_key = ${newKey}
      where ${assets.sourceKey} in (select jsonb_array_elements_text(${moved}::jsonb))`)
  })
  return rows.length
}

/** Returns SQL for a text that begins with `from`, with `to` instead. */
function withPrefix(text: ReturnType<typeof sql>, [from = '', to = '']: readonly string[]) {
  return sql`${to}::text || substr(${text}, ${from.length + 1}::int)`
}
