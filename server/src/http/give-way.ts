import type { FastifyInstance } from 'fastify'
import { callBegins } from '../database/callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Must be called when the answer is complete. Null for a call to which long work does not give way. */
    noteAnswered: (() => void) | null
  }
}

/**
 * Makes long work on the database give way to calls. It does not give way to operator calls, because an operator call
 * may itself do the long work.
 */
export function giveWayToCalls(app: FastifyInstance): void {
  app.decorateRequest('noteAnswered', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/operator/') === true) return
    request.noteAnswered = callBegins()
    // A caller that closes its connection is no longer waiting.
    reply.raw.once('close', request.noteAnswered)
  })
  // The answer is complete. From here on, only sending it takes time.
  app.addHook('onSend', async (request, _reply, payload) => {
    request.noteAnswered?.()
    return payload
  })
}
