import { DataInUseError, keeperSocketPath, takeSocket } from './control/ownership.ts'

/**
 * Runs the keeper as a separate service, for service managers that kill every child process of ingest. Ingest then
 * needs `INPUT_KEEPER=service`: otherwise ingest starts a second keeper while this keeper restarts.
 *
 * @throws DataInUseError if another keeper runs
 */
export async function keepInputs(dataDir: string): Promise<void> {
  const { KeptSources } = await import('./features/streams/live-inputs/kept-sources.ts')
  const { serveKeptPrograms } = await import('./ingest/live/keeper-server.ts')
  const taken = await takeSocket(keeperSocketPath(dataDir), (server) =>
    serveKeptPrograms(server, new KeptSources(console.log)),
  )
  if (!taken)
    throw new DataInUseError(
      `Another process keeps the live inputs of ${dataDir}. If ingest started it, set INPUT_KEEPER=service and stop ingest for half a minute.`,
    )
  // When the programs are closed, nothing keeps the process alive, and it exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void taken.served.close())
  console.log('Live inputs are kept while the role ingest is replaced.')
}
