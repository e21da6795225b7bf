import { takeSocket } from '../../control/ownership.ts'
import { serveKeptPrograms } from './keeper-server.ts'

/** Entry point of the keeper's process. Its argument is the path of its socket. `Keeper` starts it. */
const [, , path = ''] = process.argv
const server = await takeSocket(path)
// Closing it removes the socket, and the process has nothing else to do.
if (server) {
  const programs = serveKeptPrograms(server, () => server.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void programs.close())
}
