import type { FastifyInstance } from 'fastify'
import { callBegins } from '../database/callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Records that the answer is complete. Null for a call to which long work does not give way. */
    noteAnswered: (() => void) | null
  }
}

/**
 * Makes long work on the database give way to calls. Operator calls are excluded, because an operator call can be the
 * long work itself. WebSockets are excluded, because they stay open for hours.
 */
export function giveWayToCalls(app: FastifyInstance): void {
  app.decorateRequest('noteAnswered', null)
  // The first hook that runs after the body has arrived. A client that sends its body slowly delays no work.
  app.addHook('preValidation', async (request, reply) => {
    if (request.ws || request.routeOptions.url?.startsWith('/operator/') === true) return
    // The caller has disconnected already, so `close` is not emitted again.
    if (reply.raw.destroyed) return
    request.noteAnswered = callBegins()
    // A caller that has disconnected waits for no answer.
    reply.raw.once('close', request.noteAnswered)
  })
  // The answer is complete. Only sending it remains.
  app.addHook('onSend', async (request, _reply, payload) => {
    request.noteAnswered?.()
    return payload
  })
}
