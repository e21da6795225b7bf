import type { FastifyInstance } from 'fastify'
import { callBegins } from '../database/callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** To be called when the answer is made; null for a call that long work does not give way to. */
    noteAnswered: (() => void) | null
  }
}

/** Has long work on the database give way to calls. What operators ask for is left out: it may be that work. */
export function giveWayToCalls(app: FastifyInstance): void {
  app.decorateRequest('noteAnswered', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/operator/') === true) return
    request.noteAnswered = callBegins()
    // A caller that closes its connection does not wait any more.
    reply.raw.once('close', request.noteAnswered)
  })
  // From here on only the connection takes time.
  app.addHook('onSend', async (request, _reply, payload) => {
    request.noteAnswered?.()
    return payload
  })
}
