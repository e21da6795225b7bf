import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SERVER } from './floors.ts'
import { foreignWrites, readTables } from './table-writes.ts'

const FEATURES = fileURLToPath(new URL(`../${SERVER.folder}`, import.meta.url))
const tables = readTables(FEATURES)

/** Names of other features' tables that a file of the feature `people/sign-in` writes. */
function written(source: string, file = 'people/sign-in/example.ts'): string[] {
  const imports = "import { devices as known } from '../devices/devices.table.ts'\n"
  return foreignWrites(file, file.endsWith('.sql') ? source : imports + source, tables).map(
    ({ table }) => table.name,
  )
}

describe('writes to tables of other features', () => {
  const writes = globSync('*/*/*.{ts,sql}', { cwd: FEATURES })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => foreignWrites(file, readFileSync(join(FEATURES, file), 'utf8'), tables))

  it('are those that `writers` declares', () => {
    const undeclared = writes.filter(
      ({ feature, table }) => SERVER.writers[table.name]?.includes(feature) !== true,
    )
    expect(undeclared.map(({ file, table }) => `${file} writes ${table.name} of ${table.feature}`)).toEqual(
      [],
    )
  })

  it('are all in use, so that `writers` allows no more than needed', () => {
    const used = new Set(writes.map(({ feature, table }) => `${table.name} ${feature}`))
    const declared = Object.entries(SERVER.writers).flatMap(([table, features]) =>
      features.map((feature) => `${table} ${feature}`),
    )
    expect(declared.filter((each) => !used.has(each))).toEqual([])
  })

  it.each(['insert', 'update', 'delete'])('are found in calls of %s', (method) => {
    expect(written(`await db.${method}(known)`)).toEqual(['devices'])
  })

  it.each([
    'insert into ${known} (id) values (1)',
    'update ${known} set name = null',
    'with gone as (delete from ${known}) select 1',
    'INSERT INTO devices (id) VALUES (1)',
    'update "devices" set name = null',
    'delete\n  from devices',
  ])('are found in SQL text: %s', (statement) => {
    expect(written(`await db.execute(sql\`${statement}\`)`)).toEqual(['devices'])
  })

  it('are found in files of SQL', () => {
    expect(written('delete from devices;', 'people/sign-in/example.index.sql')).toEqual(['devices'])
  })

  it.each([
    'db.select().from(known)',
    'new Map().delete(device)',
    'sql`select id from ${known} for update`',
    'sql`insert into sign_in_endings (id) values (1) on conflict do update set before = null`',
  ])('are no reads and no writes of own tables: %s', (source) => {
    expect(written(source)).toEqual([])
  })
})
