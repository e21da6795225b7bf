import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Installation } from './installation.ts'
import { libraryIn, makeLibrary } from './library.ts'

/**
 * As many services as test files may run at a time, each with its library ready, which is made once; `ONDINE_E2E_LIBRARY` names
 * the folder of one that is made already (see `make-library.ts`), and has copies made of it. `ONDINE_E2E_ORIGIN`
 * names one that runs already, with a library like this one, and `ONDINE_E2E_DATA_DIR` its folder, or several with commas
 * between them: then nothing has to be made.
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
      throw new Error('Tests give commands to the service: ONDINE_E2E_DATA_DIR has to name its folder.')
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
