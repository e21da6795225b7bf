import { inject } from 'vitest'

/** A service with the demonstration, shared by browser tests. */
export interface SharedService {
  origin: string
  /** The data folder of the service, through which commands reach the service. */
  dataDir: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One service for each test file that runs at the same time. */
    services: SharedService[]
  }
}

/**
 * Returns the service of this test file. Files that run at the same time have different services, and do not see each
 * other's changes.
 */
export function sharedService(): SharedService {
  const services = inject('services')
  const service = services[Number(process.env.VITEST_POOL_ID) - 1]
  if (!service)
    throw new Error(`None of ${services.length} services is for worker ${process.env.VITEST_POOL_ID}.`)
  return service
}
