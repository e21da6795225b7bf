import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import type { Connection } from './connection.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Any number will do, as long as nothing else of this database locks it. */
const MIGRATION_LOCK = 6_633_463

/**
 * Brings the schema up to date. Processes that start at once take turns: the lock belongs to a transaction,
 * so it falls with the process that holds it.
 */
export async function migrateDatabase({ db, kind }: Pick<Connection, 'db' | 'kind'>): Promise<void> {
  if (kind === 'embedded') {
    // The migrators want their own driver's type; `connection.ts` made `db` with it.
    await migratePglite(db as unknown as Parameters<typeof migratePglite>[0], {
      migrationsFolder: MIGRATIONS,
    })
    return
  }
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await migratePostgres(db as unknown as Parameters<typeof migratePostgres>[0], {
      migrationsFolder: MIGRATIONS,
    })
  })
}
