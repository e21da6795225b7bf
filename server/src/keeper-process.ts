import { takeSocket } from './control/ownership.ts'
import { KeptSources } from './features/streams/live-inputs/kept-sources.ts'
import { boundLog } from './ingest/live/keeper-log.ts'
import { serveKeptPrograms } from './ingest/live/keeper-server.ts'

/**
 * Entry point of the keeper's process. The argument is the path of the keeper's socket. `Keeper` starts this
 * process, and appends its output to the log of keepers.
 */
const [, , path = ''] = process.argv
const say = (text: string): void => {
  boundLog(process.stdout.fd)
  console.log(`${new Date().toISOString()} keeper ${process.pid} of ${path} ${text}`)
}

say('begins')
const taken = await takeSocket(path, (server) => {
  // Closing the server removes the socket. The process then has nothing to do, and exits.
  const onIdle = (): void => {
    say('ends: it runs no program any more')
    server.close()
  }
  return serveKeptPrograms(server, new KeptSources(say), onIdle)
})
if (taken) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`ends: ${signal}`)
      void taken.served.close()
    })
} else say('ends: another one runs')
