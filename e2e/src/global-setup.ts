import type { TestProject } from 'vitest/node'
import { Installation } from './installation.ts'

/** What the shared services' library holds: enough for every journey, short enough to be made in a minute. */
const LIBRARY = {
  DEMO: 'true',
  DEMO_TITLES: 'la-houle,le-metier',
  DEMO_SECONDS: '24',
  // Channels without the titles that are not made here are planned so far ahead for half an hour, and then, of programmes so
  // short, thousands at once: every run sees the same, however long it takes.
  SCHEDULE_HOURS: String(1 / 6),
  // The identity provider of the tests is on this machine.
  OUTBOUND_ALLOW: '127.0.0.1',
}

/**
 * As many services as test files may run at a time, each with its library ready, which is made once. `ONDINE_E2E_ORIGIN`
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
  const first = await Installation.create(LIBRARY)
  const installations = [first]
  const remove = async () => {
    await Promise.all(installations.map(async (each) => await each.remove()))
  }
  try {
    await first.start()
    await first.libraryReady(1200)
    if (project.config.maxWorkers > 1) {
      await first.kill('SIGTERM')
      while (installations.length < project.config.maxWorkers) installations.push(await first.copy())
      for (const each of installations) {
        await each.start()
        await each.libraryReady(300)
      }
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
