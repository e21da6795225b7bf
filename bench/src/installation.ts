import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@ondine/server/context'
import { readSettings } from '@ondine/server/env'
import { createService } from '@ondine/server/service'
import { startPostgres } from '../../script/postgres.ts'
import { type Catalogue, fillCatalogue } from './catalogue.ts'

/** An installation that was made for a row: the settings of a service on it, and its folder. */
export interface Installation {
  environment: Record<string, string>
  dataFolder: string
  mediaFolder: string
  catalogue: Catalogue
}

export type DatabaseKind = 'embedded' | 'postgresql'

/** Names of the databases, as in the table of results. */
export const DATABASE_NAMES: Record<DatabaseKind, string> = { postgresql: 'PostgreSQL', embedded: 'PGlite' }

/**
 * Makes an installation of the demonstration's size (see `catalogue.ts`) in a temporary folder, and calls `fill` to add
 * data. Passes the installation and the result of `fill` to `work`. Removes the installation afterwards.
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
    // Tries several times, because after a failure a service may still write. An error here would hide the failure.
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Adds nothing, for rows that need only the catalogue. */
export async function nothingMore(): Promise<void> {}
