import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** A table, with the feature that declares it: `<floor>/<feature>`. */
export interface Table {
  /** Name of the export, such as `scheduleEntries`. */
  name: string
  feature: string
}

/** A statement that writes a table of another feature. */
export interface ForeignWrite {
  /** Path from the folder of the features. */
  file: string
  feature: string
  table: Table
}

/** All tables, by the path of their file and the name of their export, and by their name in the database. */
export interface Tables {
  byExport: ReadonlyMap<string, Table>
  bySqlName: ReadonlyMap<string, Table>
}

const DECLARED = /export const (\w+) = pgTable\(\s*'(\w+)'/g
const WRITES = new Set(['insert', 'update', 'delete'])
/** Statements in SQL text. `${name}` stands for an embedded table. */
const SQL_WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate)\s+(?:\$\{(\w+)\}|"?(\w+)"?)/gi

/** Reads the tables that the features in a folder declare. */
export function readTables(folder: string): Tables {
  const byExport = new Map<string, Table>()
  const bySqlName = new Map<string, Table>()
  for (const file of globSync('*/*/*.table.ts', { cwd: folder }))
    for (const [, name = '', sqlName = ''] of readFileSync(join(folder, file), 'utf8').matchAll(DECLARED)) {
      const table = { name, feature: dirname(file) }
      byExport.set(`${file} ${name}`, table)
      bySqlName.set(sqlName, table)
    }
  return { byExport, bySqlName }
}

/**
 * Returns the statements of a file that write tables of other features: calls of Drizzle with an imported table, and SQL
 * text. A table in a variable is not recognised.
 *
 * @param file path from the folder of the features; a file of TypeScript or SQL
 */
export function foreignWrites(file: string, source: string, { byExport, bySqlName }: Tables): ForeignWrite[] {
  const imported = new Map<string, Table>()
  const found: (Table | undefined)[] = []
  const searchSql = (text: string) => {
    for (const [, embedded = '', name = ''] of text.matchAll(SQL_WRITE))
      found.push(imported.get(embedded) ?? bySqlName.get(name.toLowerCase()))
  }
  if (file.endsWith('.sql')) searchSql(source)
  else
    visit(parseSync(file, source).program, (node) => {
      if (node.type === 'ImportDeclaration') {
        const path = join(dirname(file), node.source.value)
        for (const { local, imported: original } of node.specifiers ?? []) {
          const table = byExport.get(`${path} ${original?.name}`)
          if (table) imported.set(local.name, table)
        }
      } else if (node.type === 'CallExpression') {
        if (WRITES.has(node.callee.property?.name)) found.push(imported.get(node.arguments[0]?.name))
      } else if (node.type === 'TemplateLiteral') {
        const parts = node.quasis.map(
          ({ value }: Node, at: number) => `${value.cooked}\${${node.expressions[at]?.name ?? ''}}`,
        )
        searchSql(parts.join(''))
      }
    })
  const feature = dirname(file)
  return found.flatMap((table) => (table && table.feature !== feature ? [{ file, feature, table }] : []))
}

/** A node of the syntax tree (ESTree), whose fields depend on its type. */
// oxlint-disable-next-line typescript/no-explicit-any
type Node = any

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) see(node)
    for (const each of Object.values(node)) visit(each, see)
  }
}
