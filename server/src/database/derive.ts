import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from './connection.ts'
import { rowsOf } from './rows.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const BREAK = '--> statement-breakpoint'

/**
 * Runs the SQL files that create functions, triggers and derived tables: `*.index.sql` of the features, and
 * `changes.sql`. Each file replaces everything that its earlier version created, and fills the derived tables
 * again. A file runs only when its text has changed.
 */
export async function applyDerivations(db: Database | Transaction): Promise<void> {
  await db.execute(sql`create table if not exists derivations (name text primary key, digest text not null)`)
  for (const path of globSync(['features/*/*/*.index.sql', 'database/changes.sql'], {
    cwd: SOURCES,
  }).sort()) {
    const text = readFileSync(join(SOURCES, path), 'utf8')
    const name = basename(path)
    const digest = createHash('sha256').update(text).digest('hex')
    const known = await rowsOf(db, sql`select 1 from derivations where name = ${name} and digest = ${digest}`)
    if (known.length > 0) continue
    for (const statement of text.split(BREAK)) await db.execute(sql.raw(statement))
    await db.execute(
      sql`insert into derivations values (${name}, ${digest}) on conflict (name) do update set digest = excluded.digest`,
    )
  }
}
