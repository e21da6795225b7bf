import { takeSocket } from './control/ownership.ts'
import { KeptSources } from './features/streams/live-inputs/kept-sources.ts'
import { serveKeptPrograms } from './ingest/live/keeper-server.ts'

/**
 * Entry point of the keeper's process. Its argument is the path of its socket. `Keeper` starts it, and its output is the
 * log of keepers.
 */
const [, , path = ''] = process.argv
const say = (text: string): void =>
  console.log(`${new Date().toISOString()} keeper ${process.pid} of ${path} ${text}`)

say('begins')
const server = await takeSocket(path)
if (server) {
  // Closing it removes the socket, and the process has nothing else to do.
  const onIdle = (): void => {
    say('ends: it runs no program any more')
    server.close()
  }
  const programs = serveKeptPrograms(server, new KeptSources(say), onIdle)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`ends: ${signal}`)
      void programs.close()
    })
} else say('ends: another one runs')
