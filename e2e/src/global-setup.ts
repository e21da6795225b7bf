import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Installation } from './installation.ts'
import { libraryIn, makeLibrary } from './library.ts'

/**
 * Starts one service for each test file that runs at the same time. Each service has a copy of a library that is
 * made once.
 * `ONDINE_E2E_LIBRARY` names the folder of an existing library to copy (see `make-library.ts`).
 * `ONDINE_E2E_ORIGIN` names a running service with a similar library, and `ONDINE_E2E_DATA_DIR` its data folder.
 * Each may be a comma-separated list. Then neither a service nor a library is made.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const origins = listOf(process.env.ONDINE_E2E_ORIGIN)
  if (origins.length > 0) {
    const dataDirs = listOf(process.env.ONDINE_E2E_DATA_DIR)
    const services = origins.flatMap((origin, index) => {
      const dataDir = dataDirs[index]
      return dataDir === undefined ? [] : [{ origin, dataDir }]
    })
    if (services.length < origins.length)
      throw new Error('Tests run commands on the service: set ONDINE_E2E_DATA_DIR to its folder.')
    project.provide('services', services)
    return undefined
  }
  const made = process.env.ONDINE_E2E_LIBRARY
  const folder = made ?? (await mkdtemp(join(tmpdir(), 'ondine-e2e-library-')))
  const installations: Installation[] = []
  const remove = async () => {
    await Promise.all(installations.map(async (each) => await each.remove()))
    if (made === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    if (made === undefined) await makeLibrary(folder)
    const library = await libraryIn(folder)
    while (installations.length < project.config.maxWorkers) installations.push(await library.copy())
    for (const each of installations) {
      await each.start()
      await each.libraryReady(300)
    }
  } catch (error) {
    await remove()
    throw error
  }
  project.provide(
    'services',
    installations.map((each) => ({ origin: each.origin, dataDir: each.dataDir })),
  )
  return remove
}

function listOf(written: string | undefined): string[] {
  return written === undefined ? [] : written.split(',')
}
