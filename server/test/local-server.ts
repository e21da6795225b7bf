import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on a free port of this machine. @returns its origin */
export async function listenLocally(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Closes a server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
