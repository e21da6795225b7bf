import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from './connection.ts'

/**
 * Returns the rows of a raw SQL statement. `Row` is the type of the selected columns. The drivers of both databases
 * return the same JavaScript values.
 */
export async function rowsOf<Row>(db: Database | Transaction, statement: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(statement)) as { rows: Row[] }
  return rows
}

/**
 * Returns many rows of a raw SQL statement, in the order of the statement. The rows are transferred as one JSON value,
 * because the embedded database is slow for each value that it transfers. JSON has no dates: select times as numbers.
 */
export async function manyRowsOf<Row>(db: Database | Transaction, statement: SQL): Promise<Row[]> {
  const [all] = await rowsOf<{ rows: Row[] | null }>(
    db,
    sql`select json_agg(one) as rows from (${statement}) as one`,
  )
  return all?.rows ?? []
}
