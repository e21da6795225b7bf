import { randomUUID } from 'node:crypto'
import { lt } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { StoreError } from '../../../segments/segment-store.ts'
import type { Store } from './store.ts'
import { forgottenImages, installation } from './stores.table.ts'

/**
 * Owner of a store. `ours`: the store belongs to this database, which may remove its entries. `foreign`: the store
 * belongs to another database. `unclaimed`: when Ondine first found the store, the store had entries but no marker,
 * and no row of this database referred to an entry.
 */
export type Owner = 'ours' | 'foreign' | 'unclaimed'

const UNCLAIMED = 'unclaimed'

type Parts = Pick<Context, 'db' | 'log'>

/** Returns the id of this database. Generates the id at the first call. */
export async function installationId(db: Database): Promise<string> {
  await db.insert(installation).values({ id: randomUUID() }).onConflictDoNothing()
  const [row] = await db.select({ id: installation.id }).from(installation)
  if (!row) throw new Error('The installation has no id.')
  return row.id
}

/**
 * Returns the owner of `store`. If the store has no marker, determines the owner and writes a marker: `ours` if
 * the store is empty or a row of this database refers to one of its entries, otherwise `unclaimed`.
 */
export async function ownerOf(db: Database, store: Store): Promise<Owner> {
  const id = await installationId(db)
  const marker = (await store.entries.owner()) ?? (await nameStore(db, store, id))
  if (marker === id) return 'ours'
  return marker === UNCLAIMED || marker === '' ? 'unclaimed' : 'foreign'
}

async function nameStore(db: Database, store: Store, id: string): Promise<string | undefined> {
  const ids = await store.entries.list()
  const isOurs = ids.length === 0 || (await store.named(db, ids)).length > 0
  await store.entries.setOwner(isOurs ? id : UNCLAIMED, true)
  return await store.entries.owner()
}

/** Claims all stores of the installation for this database. */
export async function claimStores({ db, stores }: Pick<Context, 'db' | 'stores'>): Promise<void> {
  const id = await installationId(db)
  for (const { entries } of [stores.media, stores.images]) await entries.setOwner(id, false)
}

/** State of a store, for display. */
export interface StoreState {
  store: Store
  /** Why the store cannot be used, or why nothing is removed from it, and what to do; undefined without a fault. */
  fault: string | undefined
  /** Number of entries in quarantine. */
  held: number
}

/** Returns the states of the stores. Checks read and write access. */
export async function storeStates(
  context: Pick<Context, 'db' | 'stores' | 'segments'>,
): Promise<StoreState[]> {
  const { db, stores, segments } = context
  const states: StoreState[] = []
  for (const store of [stores.media, stores.images])
    try {
      if (store.name === 'media') await segments.check()
      const owner = await ownerOf(db, store)
      const fault = owner === 'ours' ? undefined : explainOwner(owner)
      states.push({ store, fault, held: (await store.entries.quarantined()).length })
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      states.push({ store, fault: error.message, held: 0 })
    }
  return states
}

/** Counts the imported entries that a store has lost. @throws StoreError if the store cannot be read */
export async function countMissing(db: Database, { entries, imported }: Store): Promise<number> {
  const wanted = await imported(db)
  // After the rows, because an entry is stored before its row.
  const stored = new Set(await entries.list())
  return wanted.filter((id) => !stored.has(id)).length
}

/**
 * Reads the list of a store, once for many entries.
 *
 * @returns a function that tells whether the store has lost an entry; always false if the store cannot be read
 */
export async function lossesOf({ entries }: Store): Promise<(id: string) => Promise<boolean>> {
  try {
    const stored = new Set(await entries.list())
    // Another process may have stored the entry after the list was read.
    return async (id) => !stored.has(id) && !(await entries.isOlder(id, Infinity))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return async () => false
  }
}

/** Returns a text that explains why a store does not belong to this database, and what to do. */
function explainOwner(owner: Exclude<Owner, 'ours'>): string {
  const whose =
    owner === 'foreign' ? 'belongs to another database' : 'contains entries that this database does not know'
  return `${whose}: nothing is removed from it. Set the DATABASE_URL that it belongs to, or run "ondine store claim"`
}

/** Logs each store that cannot be used, or that belongs to another database, with the reason. */
export async function reportStores(
  context: Pick<Context, 'db' | 'stores' | 'segments' | 'log'>,
): Promise<void> {
  for (const { store, fault } of await storeStates(context)) {
    if (fault === undefined) continue
    context.log.warn({ store: store.name, where: store.entries.where }, `the store ${store.name}: ${fault}`)
  }
}

/**
 * Moves entries into quarantine that are older than `before` and have no row in this database. An entry leaves
 * quarantine when a row refers to it again, such as after restoring a newer backup.
 *
 * @param before milliseconds since the Unix epoch, by the clock of the store
 */
export async function quarantineUnknown({ db, log }: Parts, store: Store, before: number): Promise<number> {
  const { entries } = store
  const ids = await entries.list()
  const named = new Set(await store.named(db, ids))
  const moved: string[] = []
  for (const id of ids)
    if (!named.has(id) && (await entries.isOlder(id, before)) && (await entries.quarantine(id)))
      moved.push(id)
  if (moved.length > 0)
    log.warn(
      { store: store.name, count: moved.length, ids: moved.slice(0, 20) },
      'entries that the database does not know are in quarantine',
    )
  return moved.length
}

/** Moves entries out of quarantine if a row refers to them. @returns the number of moved entries */
export async function bringBack({ db, log }: Parts, store: Store): Promise<number> {
  let back = 0
  for (const id of await store.named(db, await store.entries.quarantined()))
    if (await store.entries.restore(id)) back++
  if (back > 0) log.info({ store: store.name, count: back }, 'restored entries from quarantine')
  return back
}

/**
 * Deletes the quarantined entries in the stores that belong to this database, except entries to which a row
 * refers.
 *
 * @returns the number of deleted entries
 */
export async function emptyQuarantine({ db, stores }: Pick<Context, 'db' | 'stores'>): Promise<number> {
  let removed = 0
  for (const store of [stores.media, stores.images]) {
    if ((await ownerOf(db, store)) !== 'ours') continue
    const held = await store.entries.quarantined()
    const named = new Set(await store.named(db, held))
    for (const id of held) {
      if (named.has(id)) continue
      await store.entries.deleteQuarantined(id)
      removed++
    }
  }
  return removed
}

export type { Store, Stores } from './store.ts'

/** Deletes rows of `forgotten_images` that are older than `before`, in milliseconds since the Unix epoch. */
export async function dropForgotten(db: Database, before: number): Promise<void> {
  await db.delete(forgottenImages).where(lt(forgottenImages.forgottenAt, before))
}
