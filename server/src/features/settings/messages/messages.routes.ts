import { msg } from '@ondine/contract/messages'
import type { FastifyInstance } from 'fastify'
import type { On } from '../../../http/operations.ts'
import { rateLimit } from '../../../http/rate-limit.ts'

/** Maximum number of reports in the log per client address and minute. */
const REPORTS_PER_MINUTE = 60

export function registerMessages(app: FastifyInstance, on: On): void {
  const report = rateLimit(app, { max: REPORTS_PER_MINUTE })
  // Log the client's text as a field of the log entry, never as its message, because the text is not trusted.
  on(msg, async ({ level, ...said }, { request }) => {
    await report(request)
    request.log[level]({ report: said }, 'a client reports')
    return null
  })
}
