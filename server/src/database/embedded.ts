import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { fromPglite } from 'pg-boss'
import { CHANGE_CHANNEL, type Changes, Listeners } from './changes.ts'
import type { Connection, Database, DatabaseSource } from './connection.ts'
import { newProcessId } from './processes.ts'

/**
 * Options that PGlite must be created with. Its page cache (`shared_buffers`) is small, because the operating system
 * caches the same files (docs/decisions/0036).
 */
export const PGLITE_OPTIONS = {
  extensions: { pg_trgm, unaccent },
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
} satisfies PGliteOptions

/** Opens the database in `DATA_DIR`. */
export async function openEmbedded(source: DatabaseSource): Promise<Connection> {
  const pglite = source.pglite ?? (await openPgliteFolder(join(source.DATA_DIR, 'database')))
  await pglite.waitReady
  const db = drizzle(pglite, { casing: 'snake_case' }) as unknown as Database
  const changes = await listenEmbedded(pglite)
  const self = { roles: source.roles ?? '', since: new Date(), isThis: true }
  return {
    db,
    changes,
    kind: 'embedded',
    forJobs: fromPglite(pglite),
    processId: newProcessId(),
    processes: async () => [self],
    ping: async () => void (await db.execute(sql`select 1`)),
    close: async () => {
      await changes.close()
      await pglite.close()
    },
  }
}

async function openPgliteFolder(folder: string): Promise<PGlite> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return new PGlite(folder, PGLITE_OPTIONS)
}

/**
 * Listens for changes in the embedded database. Only this process writes to this database, so a change is reported
 * before the write returns.
 */
async function listenEmbedded(pglite: PGlite): Promise<Changes> {
  const listeners = new Listeners()
  const stop = await pglite.listen(CHANGE_CHANNEL, (notice) => listeners.tell(notice))
  return {
    on: (topic, heard) => listeners.on(topic, heard),
    isListening: true,
    settled: async () => {},
    close: async () => await stop(),
  }
}
