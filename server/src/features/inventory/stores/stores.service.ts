import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lt } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { isErrno } from '../../../is-errno.ts'
import { putInQuarantine, quarantined, quarantinePath, type Store, takeOutOfQuarantine } from './store.ts'
import { forgottenImages, installation } from './stores.table.ts'

/**
 * Owner of a store. `ours`: this database maintains the store. `foreign`: another database maintains it.
 * `unclaimed`: the store had entries but no marker when Ondine first found it, and this database knew none of the
 * entries.
 */
export type Owner = 'ours' | 'foreign' | 'unclaimed'

/** File in a store's folder that contains the id of its database. */
const MARKER = '.database'
const UNCLAIMED = 'unclaimed'

type Parts = Pick<Context, 'db' | 'log'>

/** Returns the id of this database. The id is created when it is first needed. */
async function installationId(db: Database): Promise<string> {
  await db.insert(installation).values({ id: randomUUID() }).onConflictDoNothing()
  const [row] = await db.select({ id: installation.id }).from(installation)
  if (!row) throw new Error('The installation has no id.')
  return row.id
}

/**
 * Returns the owner of `store`. If the store has no marker, decides who owns it, and writes the marker: `ours` if
 * the store is empty or a row of this database refers to one of its entries, otherwise `unclaimed`.
 */
export async function ownerOf(db: Database, store: Store): Promise<Owner> {
  const id = await installationId(db)
  const marker = (await readMarker(store)) ?? (await nameStore(db, store, id))
  if (marker === id) return 'ours'
  return marker === UNCLAIMED || marker === '' ? 'unclaimed' : 'foreign'
}

async function nameStore(db: Database, store: Store, id: string): Promise<string | undefined> {
  const entries = await store.list()
  const isOurs = entries.length === 0 || (await store.named(db, entries)).length > 0
  try {
    await writeFile(join(store.folder, MARKER), `${isOurs ? id : UNCLAIMED}\n`, { flag: 'wx', mode: 0o640 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
  return await readMarker(store)
}

async function readMarker({ folder }: Store): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, MARKER), 'utf8')).trim()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Claims all stores of `DATA_DIR` for this database. */
export async function claimStores({ db, stores }: Pick<Context, 'db' | 'stores'>): Promise<void> {
  const id = await installationId(db)
  for (const { folder } of [stores.media, stores.images]) {
    const aside = join(folder, `${MARKER}.${randomUUID()}`)
    await writeFile(aside, `${id}\n`, { mode: 0o640 })
    await rename(aside, join(folder, MARKER))
  }
}

export interface StoreState {
  store: Store
  owner: Owner
  /** Number of entries in quarantine. */
  held: number
}

/** Returns the owner of each store and the number of its quarantined entries, for display. */
export async function storeStates({ db, stores }: Pick<Context, 'db' | 'stores'>): Promise<StoreState[]> {
  const states: StoreState[] = []
  for (const store of [stores.media, stores.images])
    states.push({ store, owner: await ownerOf(db, store), held: (await quarantined(store)).length })
  return states
}

/** Returns a text that explains why this database does not maintain a store, and what to do. */
export function explainOwner(owner: Exclude<Owner, 'ours'>): string {
  const whose =
    owner === 'foreign' ? 'belongs to another database' : 'contains entries that this database does not know'
  return `${whose}: nothing is removed from it. Set the DATABASE_URL that it belongs to, or run "ondine store claim"`
}

/** Logs which stores are not maintained, and why. */
export async function reportStores(context: Pick<Context, 'db' | 'stores' | 'log'>): Promise<void> {
  for (const { store, owner } of await storeStates(context)) {
    if (owner === 'ours') continue
    context.log.warn({ store: store.name, folder: store.folder }, `the store ${explainOwner(owner)}`)
  }
}

/**
 * Moves entries to which no row of this database refers into quarantine. An entry returns from quarantine when a
 * row refers to it again, such as after a newer backup was restored.
 */
export async function quarantineUnknown(
  { db, log }: Parts,
  store: Store,
  ids: readonly string[],
): Promise<number> {
  const named = new Set(await store.named(db, ids))
  const moved: string[] = []
  for (const id of ids) if (!named.has(id) && (await putInQuarantine(store, id))) moved.push(id)
  if (moved.length > 0)
    log.warn(
      { store: store.name, count: moved.length, ids: moved.slice(0, 20) },
      'entries that the database does not know are in quarantine',
    )
  return moved.length
}

/** Moves entries to which a row refers out of quarantine. @returns their number */
export async function bringBack({ db, log }: Parts, store: Store): Promise<number> {
  let back = 0
  for (const id of await store.named(db, await quarantined(store)))
    if (await takeOutOfQuarantine(store, id)) back++
  if (back > 0) log.info({ store: store.name, count: back }, 'restored entries from quarantine')
  return back
}

/**
 * Deletes the quarantined entries in the stores of this database, except entries to which a row refers.
 *
 * @returns the number of deleted entries
 */
export async function emptyQuarantine({ db, stores }: Pick<Context, 'db' | 'stores'>): Promise<number> {
  let removed = 0
  for (const store of [stores.media, stores.images]) {
    if ((await ownerOf(db, store)) !== 'ours') continue
    const held = await quarantined(store)
    const named = new Set(await store.named(db, held))
    for (const id of held) {
      if (named.has(id)) continue
      await rm(quarantinePath(store, id), { recursive: true, force: true })
      removed++
    }
  }
  return removed
}

export type { Store, Stores } from './store.ts'

/** Deletes the records of forgotten pictures that are older than `before`, in milliseconds since the Unix epoch. */
export async function dropForgotten(db: Database, before: number): Promise<void> {
  await db.delete(forgottenImages).where(lt(forgottenImages.forgottenAt, before))
}
