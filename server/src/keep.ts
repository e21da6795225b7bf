import { DataInUseError, keeperSocketPath, takeSocket } from './control/ownership.ts'

/**
 * Runs the keeper as a separate service, for service managers that kill every child of ingest. Ingest then needs
 * `INPUT_KEEPER=service`; without it, ingest starts another keeper while this one restarts.
 *
 * @throws DataInUseError if another keeper runs
 */
export async function keepInputs(dataDir: string): Promise<void> {
  const server = await takeSocket(keeperSocketPath(dataDir))
  if (!server)
    throw new DataInUseError(
      `Another process keeps the live inputs of ${dataDir}. If ingest started it, set INPUT_KEEPER=service and stop ingest for half a minute.`,
    )
  const { KeptSources } = await import('./features/streams/live-inputs/kept-sources.ts')
  const { serveKeptPrograms } = await import('./ingest/live/keeper-server.ts')
  const programs = serveKeptPrograms(server, new KeptSources(console.log))
  // Then the process has nothing else to do.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void programs.close())
  console.log('Live inputs are kept while the role ingest is replaced.')
}
