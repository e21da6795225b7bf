import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Knows which connections of a server wait for an answer. */
export interface Connections {
  /**
   * Ends the connections without a call that is being answered: WebSockets, incomplete requests and idle connections.
   * The others end with their last answer.
   */
  endSilent(): void
}

/** Follows the connections of `server`. Call it before the server listens. */
export function followConnections(server: Server): Connections {
  const open = new Set<Socket>()
  /** Requests without a complete answer. WebSockets are not among them. */
  const requests = new Set<IncomingMessage>()
  let isEnding = false

  const endSilent = (): void => {
    isEnding = true
    // A request whose body has not arrived may never be complete.
    const answering = new Set([...requests].filter(({ complete }) => complete).map(({ socket }) => socket))
    for (const socket of open) if (!answering.has(socket)) socket.destroy()
  }

  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (request, response) => {
    requests.add(request)
    response.once('close', () => {
      requests.delete(request)
      if (isEnding) endSilent()
    })
  })
  return { endSilent }
}
