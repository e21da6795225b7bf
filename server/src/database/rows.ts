import type { SQL } from 'drizzle-orm'
import type { Database, Transaction } from './connection.ts'

/** The rows of a statement that is written out. `Row` is what it selects: both drivers give the same values. */
export async function rowsOf<Row>(db: Database | Transaction, statement: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(statement)) as { rows: Row[] }
  return rows
}
