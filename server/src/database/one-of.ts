import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * Returns a condition that a column is one of these integers. The statement's text does not depend on the numbers, so that it can be
 * prepared.
 */
export function oneOf(column: AnyColumn, numbers: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(`{${numbers.join(',')}}`)}::integer[])`
}
