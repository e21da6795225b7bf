import { DataInUseError, keeperSocketPath, takeSocket } from './control/ownership.ts'
import { serveKeptPrograms } from './ingest/live/keeper-server.ts'

/**
 * Keeps the live inputs of this machine until it is told to stop, for a service manager that ends all processes which
 * the service has started. Without it, the service starts a keeper by itself.
 *
 * @throws DataInUseError if another process keeps them
 */
export async function keepInputs(dataDir: string): Promise<void> {
  const server = await takeSocket(keeperSocketPath(dataDir))
  if (!server)
    throw new DataInUseError(`Another process keeps the live inputs of ${dataDir}. Start this one before it.`)
  serveKeptPrograms(server)
  // The programs end with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  console.log('Live inputs are kept while the role ingest is replaced.')
}
