import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

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
/** Statements in SQL text. `${name}` is an embedded table. */
const SQL_WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate)\s+(?:\$\{(\w+)\}|"?(\w+)"?)/gi

/** Returns the tables that the features in a folder declare. */
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
 * Returns the statements of a file that write tables of other features: calls of Drizzle with an imported table,
 * and SQL text. A table that is stored in a variable is not recognised.
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
    new Visitor({
      ImportDeclaration({ source: { value: path }, specifiers }) {
        for (const specifier of specifiers) {
          if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue
          const table = byExport.get(`${join(dirname(file), path)} ${specifier.imported.name}`)
          if (table) imported.set(specifier.local.name, table)
        }
      },
      CallExpression({ callee, arguments: [target] }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (WRITES.has(callee.property.name) && target?.type === 'Identifier')
          found.push(imported.get(target.name))
      },
      TemplateLiteral({ quasis, expressions }) {
        const parts = quasis.map(({ value }, at) => {
          const embedded = expressions[at]
          return `${value.cooked}\${${embedded?.type === 'Identifier' ? embedded.name : ''}}`
        })
        searchSql(parts.join(''))
      },
    }).visit(parseSync(file, source).program)
  const feature = dirname(file)
  return found.flatMap((table) => (table && table.feature !== feature ? [{ file, feature, table }] : []))
}
