import { msg } from '@ondine/contract/messages'
import type { FastifyInstance } from 'fastify'
import type { On } from '../../../http/operations.ts'
import { rateLimit } from '../../../http/rate-limit.ts'

/** Maximum number of reports per minute that one client address may write to the log. */
const REPORTS_PER_MINUTE = 60

export function registerMessages(app: FastifyInstance, on: On): void {
  const report = rateLimit(app, REPORTS_PER_MINUTE)
  // A client's text is logged as data, never as the message itself.
  on(msg, async ({ level, ...said }, { request }) => {
    await report(request)
    request.log[level]({ report: said }, 'a client reports')
    return null
  })
}
