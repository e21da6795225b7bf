import { randomBytes } from 'node:crypto'
import { type Fault, faultEnvelope, ReportLimit, reportTarget } from '@ondine/contract/fault-report'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { withoutValues } from '../log.ts'

const PER_MINUTE = 30

const PATIENCE_MS = 10_000

/** Reports a fault to the operator's engineers. `where` is the operation, or the path without its query. */
export type ReportFault = (thrown: Error, at: { where: string; traceparent?: string | undefined }) => void

/**
 * Starts reporting faults of the service to a Sentry-compatible address, without secrets and personal data, such as
 * the values of failed queries. The number of reports per minute is limited. A report never delays an answer.
 *
 * @param dsn address for reports; if undefined, nothing is sent
 */
export function startFaultReports(
  dsn: string | undefined,
  clock: Clock,
  log: FastifyBaseLogger,
): ReportFault {
  const target = reportTarget(dsn ?? '')
  if (target === undefined) return () => {}
  const limit = new ReportLimit(PER_MINUTE)
  return (thrown, { where, traceparent }) => {
    const now = clock.now()
    const fault: Fault = {
      type: thrown.name,
      message: withoutValues(thrown.message, thrown),
      stack: withoutValues(thrown.stack ?? '', thrown),
      where,
      ...(traceparent === undefined ? {} : { traceparent }),
    }
    if (!limit.admits(fault, now)) return
    const id = randomBytes(16).toString('hex')
    send(target.url, faultEnvelope(fault, { id, now, platform: 'node' })).catch((cause: unknown) =>
      log.warn({ err: cause }, 'a fault could not be reported'),
    )
  }
}

/** Sends a report. @throws Error if the collector refuses it, for instance because of a wrong key */
async function send(url: string, envelope: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope' },
    body: envelope,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The collector answered with status ${answer.status}.`)
}
