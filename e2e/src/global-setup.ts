import type { TestProject } from 'vitest/node'
import { Installation } from './installation.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the service that all browser tests share. */
    origin: string
    /** Its folder, through which commands reach it. */
    dataDir: string
  }
}

/** What the shared service's library holds: enough for every journey, short enough to be made in a minute. */
const LIBRARY = { DEMO: 'true', DEMO_TITLES: 'la-houle,le-metier', DEMO_SECONDS: '24' }

/**
 * One service for all browser tests, with its library ready. `ONDINE_E2E_ORIGIN` names one that runs already, with a
 * library like this one, and `ONDINE_E2E_DATA_DIR` its folder: then nothing has to be made.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env.ONDINE_E2E_ORIGIN
  if (running) {
    project.provide('origin', running)
    project.provide('dataDir', process.env.ONDINE_E2E_DATA_DIR ?? '')
    return undefined
  }
  const installation = await Installation.create(LIBRARY)
  await installation.start()
  await installation.libraryReady(480)
  project.provide('origin', installation.origin)
  project.provide('dataDir', installation.dataDir)
  return async () => await installation.remove()
}
