import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * Returns the condition that `column` equals one of `numbers`. The text of the statement is the same for any numbers,
 * so that the database can prepare it.
 */
export function oneOf(column: AnyColumn, numbers: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(`{${numbers.join(',')}}`)}::integer[])`
}
