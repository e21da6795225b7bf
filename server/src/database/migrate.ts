import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import type { Connection, Database, Transaction } from './connection.ts'
import { applyDerivations } from './derive.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Key of the advisory lock for migrations. The number is arbitrary, but nothing else in this database may use it.
 */
const MIGRATION_LOCK = 6_633_463

/**
 * Migrates the schema. Processes that start at the same time take turns. The lock belongs to a transaction, so it is
 * released when the process that holds it dies.
 */
export async function migrateDatabase({ db, kind }: Pick<Connection, 'db' | 'kind'>): Promise<void> {
  if (kind === 'embedded') {
    await createExtensions(db)
    // The migrators require the type of their own driver. `connection.ts` created `db` with the same driver.
    await migratePglite(db as unknown as Parameters<typeof migratePglite>[0], {
      migrationsFolder: MIGRATIONS,
    })
    await db.transaction(applyDerivations)
    return
  }
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await createExtensions(db)
    await migratePostgres(db as unknown as Parameters<typeof migratePostgres>[0], {
      migrationsFolder: MIGRATIONS,
    })
    await applyDerivations(tx)
  })
}

/** Creates the extensions that search uses. PostgreSQL allows the owner of a database to create both. */
async function createExtensions(db: Database | Transaction): Promise<void> {
  await db.execute(sql`create extension if not exists unaccent`)
  await db.execute(sql`create extension if not exists pg_trgm`)
}
