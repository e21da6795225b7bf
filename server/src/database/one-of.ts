import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * Whether a column is one of these whole numbers. The text of the statement is the same for any of them, so that it can be prepared.
 */
export function oneOf(column: AnyColumn, numbers: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(`{${numbers.join(',')}}`)}::integer[])`
}
