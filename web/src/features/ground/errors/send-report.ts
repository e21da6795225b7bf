import { type Fault, faultEnvelope, ReportLimit, reportTarget } from '@ondine/contract/fault-report'
import { ApiError } from '../../../api/api-error.ts'

const PER_MINUTE = 10

const limit = new ReportLimit(PER_MINUTE)

/** Sends a fault to a Sentry-compatible address, without secret or personal data, and within a rate limit. */
export async function sendReport(fault: unknown, dsn: string): Promise<void> {
  const target = reportTarget(dsn)
  const report = asReport(fault)
  const now = Date.now()
  if (target === undefined || !limit.admits(report, now)) return
  const id = crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '')
  await fetch(target.url, {
    method: 'POST',
    // With this content type, the browser sends no CORS preflight.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: faultEnvelope(report, { id, now, platform: 'javascript' }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
  })
}

function asReport(fault: unknown): Fault {
  const where = location.pathname
  if (!(fault instanceof Error)) return { type: 'Error', message: String(fault), where }
  const { name, message, stack } = fault
  if (!(fault instanceof ApiError)) return { type: name, message, stack, where }
  const { code, endpoint, methodRequest, traceparent } = fault
  return {
    type: name,
    message,
    stack,
    where,
    tags: { code: String(code), endpoint, method: methodRequest },
    ...(traceparent === '' ? {} : { traceparent }),
  }
}
