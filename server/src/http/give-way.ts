import type { FastifyInstance } from 'fastify'
import { callBegins } from '../database/callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Call it when the answer is made. Null for a call that long work does not give way to. */
    noteAnswered: (() => void) | null
  }
}

/** Makes long work on the database give way to calls. Operator calls are left out: they may be that work. */
export function giveWayToCalls(app: FastifyInstance): void {
  app.decorateRequest('noteAnswered', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/operator/') === true) return
    request.noteAnswered = callBegins()
    // A caller that closes its connection is no longer waiting.
    reply.raw.once('close', request.noteAnswered)
  })
  // The answer is made. Only sending it takes time from here.
  app.addHook('onSend', async (request, _reply, payload) => {
    request.noteAnswered?.()
    return payload
  })
}
