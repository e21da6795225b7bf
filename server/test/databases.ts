import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openDatabase } from '../src/database/connection.ts'
import { PGLITE_OPTIONS } from '../src/database/embedded.ts'
import { startJobQueue } from '../src/jobs/queue.ts'

/** Empty databases with all tables, which tests copy. */
export interface Templates {
  /** Data folder that contains the template of the embedded database. */
  embedded: string
  /** Name of the template in PostgreSQL; undefined if the tests do not use PostgreSQL. */
  postgresql: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Made once for each run of API tests (`global-setup.ts`). */
    templates: Templates
  }
}

export type DatabaseKind = 'embedded' | 'postgresql'

/** Address of a PostgreSQL where the tests may create databases. */
const POSTGRESQL = process.env.ONDINE_TEST_DATABASE_URL

/** All databases, for the main tests of a feature and for tests whose subject depends on the database. */
export const DATABASES: readonly DatabaseKind[] = POSTGRESQL ? ['embedded', 'postgresql'] : ['embedded']

/**
 * The database of all other tests: PostgreSQL if the tests use it. The queries are the same on both databases, and
 * a service with an embedded database takes ten times as long to start. `ONDINE_TEST_DATABASES=every` runs all
 * tests on all databases.
 */
export const MAIN_DB: readonly DatabaseKind[] =
  process.env.ONDINE_TEST_DATABASES === 'every' ? DATABASES : DATABASES.slice(-1)

/** Makes the templates. `folder` becomes the data folder of the embedded one. */
export async function makeTemplates(folder: string): Promise<Templates> {
  await fill(folder, undefined)
  // Removes the templates that PostgreSQL itself creates. No test creates a database inside the embedded database,
  // and without them a copy has fewer files.
  const pglite = new PGlite(join(folder, 'database'), PGLITE_OPTIONS)
  for (const name of ['template0', 'template1']) {
    await pglite.query('update pg_database set datistemplate = false where datname = $1', [name])
    await pglite.query(`drop database ${name}`)
  }
  await pglite.close()
  if (POSTGRESQL === undefined) return { embedded: folder, postgresql: undefined }
  const { name, url } = await barePostgres()
  await fill(folder, url)
  return { embedded: folder, postgresql: name }
}

/** Creates all tables in a database, including the tables of the job queue. */
async function fill(folder: string, url: string | undefined): Promise<void> {
  const connection = await openDatabase({ DATA_DIR: folder, DATABASE_URL: url, DATABASE_POOL_SIZE: 2 })
  const jobs = await startJobQueue(connection, pino({ level: 'silent' }))
  await jobs.stop()
  await connection.close()
}

/** Copies the embedded template, an empty database with all tables, into a data folder. */
export async function copyEmbedded(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)('cp', ['-a', join(inject('templates').embedded, 'database'), dataDir])
}

export interface PostgresDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/** Creates an empty database with all tables in PostgreSQL. */
export async function freshPostgres(): Promise<PostgresDatabase> {
  return await createPostgres(`template ${inject('templates').postgresql}`)
}

/** Creates a database without tables in PostgreSQL. */
export async function barePostgres(): Promise<PostgresDatabase> {
  return await createPostgres('')
}

async function createPostgres(from: string): Promise<PostgresDatabase> {
  if (!POSTGRESQL) throw new Error('ONDINE_TEST_DATABASE_URL is not set.')
  const name = `ondine_test_${randomBytes(6).toString('hex')}`
  // By default, PostgreSQL also writes each page of a new database to its log, which takes three times as long.
  await administer(POSTGRESQL, `create database ${name} ${from} strategy file_copy`)
  const url = new URL(POSTGRESQL)
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    drop: async () => await administer(POSTGRESQL, `drop database ${name} with (force)`),
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
