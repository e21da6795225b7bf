import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@ondine/server/context'
import { readSettings } from '@ondine/server/env'
import { createService } from '@ondine/server/service'
import { startPostgres } from '../../script/postgres.ts'
import { type Catalogue, fillCatalogue } from './catalogue.ts'

/** A temporary installation for a row: its settings and its folder. */
export interface Installation {
  environment: Record<string, string>
  dataFolder: string
  mediaFolder: string
  catalogue: Catalogue
}

export type DatabaseKind = 'embedded' | 'postgresql'

/** Names of the databases in the table of results. */
export const DATABASE_NAMES: Record<DatabaseKind, string> = { postgresql: 'PostgreSQL', embedded: 'PGlite' }

/**
 * Creates an installation with the demonstration's size (see `catalogue.ts`) in a temporary folder. Calls `fill`
 * to add data, then `work` with the installation and the result of `fill`. Removes the installation afterwards.
 */
export async function withInstallation<Filled, Result>(
  kind: DatabaseKind,
  fill: (context: Context, catalogue: Catalogue) => Promise<Filled>,
  work: (installation: Installation, filled: Filled) => Promise<Result>,
): Promise<Result> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ondine-bench-data-'))
  const postgres = kind === 'postgresql' ? startPostgres() : undefined
  const stop = () => postgres?.stop()
  process.once('exit', stop)
  try {
    const environment = {
      DATA_DIR: dataFolder,
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    }
    const service = await createService({ settings: readSettings({ ...environment, LOG_LEVEL: 'silent' }) })
    const catalogue = await fillCatalogue(service.context)
    const filled = await fill(service.context, catalogue)
    await service.close()
    return await work(
      { environment, dataFolder, mediaFolder: service.context.folders.media, catalogue },
      filled,
    )
  } finally {
    process.off('exit', stop)
    stop()
    // Retries, because after a failure a service may still be writing. An error here would hide that failure.
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Adds no data, for a row that needs only the catalogue. */
export async function nothingMore(): Promise<void> {}
