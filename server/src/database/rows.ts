import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from './connection.ts'

/** The rows of a statement that is written out. `Row` is what it selects: both drivers give the same values. */
export async function rowsOf<Row>(db: Database | Transaction, statement: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(statement)) as { rows: Row[] }
  return rows
}

/**
 * The same of a statement with many rows, in its order: they travel as one, as JSON, because most of what hundreds of rows cost the embedded
 * database is the number of their values. A moment has to be selected as a number.
 */
export async function manyRowsOf<Row>(db: Database | Transaction, statement: SQL): Promise<Row[]> {
  const [all] = await rowsOf<{ rows: Row[] | null }>(
    db,
    sql`select json_agg(one) as rows from (${statement}) as one`,
  )
  return all?.rows ?? []
}
