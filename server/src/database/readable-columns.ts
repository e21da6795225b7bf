import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/**
 * Returns the columns of a table for a person who reads them: times as ISO 8601.
 *
 * @param secrets columns to leave out, such as hashes and tokens
 */
export function readableColumns<Table extends PgTable, Secret extends NameIn<Table> = never>(
  table: Table,
  ...secrets: Secret[]
): Record<Exclude<NameIn<Table>, Secret>, PgColumn | SQL<string>> {
  const hidden = new Set<string>(secrets)
  const shown = Object.entries<PgColumn>(getTableColumns(table)).filter(([name]) => !hidden.has(name))
  // `Object.fromEntries` loses the names of the fields.
  return Object.fromEntries(
    shown.map(([name, column]) => [name, column.getSQLType().startsWith('timestamp') ? iso(column) : column]),
  ) as ReturnType<typeof readableColumns<Table, Secret>>
}

type NameIn<Table extends PgTable> = keyof Table['_']['columns'] & string

function iso(column: PgColumn): SQL<string> {
  return sql<string>`${column}`.mapWith((written: string) => new Date(written).toISOString())
}
