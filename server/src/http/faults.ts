import type { ErrorName } from '@ondine/contract/errors'
import type { Language } from '@ondine/contract/languages'
import type { Span } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyError } from 'fastify'
import { missingFrom } from '../database/broken-keys.ts'
import type { ReportFault } from '../telemetry/fault-reports.ts'
import { traceparentOf } from '../telemetry/tracing.ts'
import { invalidFields, presentError, ServiceError } from './errors.ts'

/**
 * Converts a thrown value into an answer in the caller's language. Logs and reports the value if the service
 * itself is at fault.
 */
export type FaultOf = (thrown: unknown, call: FailedCall) => FaultAnswer

interface FailedCall {
  log: FastifyBaseLogger
  /** Name of the operation; if there is none, the route. */
  where: string
  span: Span | null
  language: Language
  /** API key of the storefront, if the call names one. */
  apiKey: string | undefined
  /** Host name that the client has called. */
  hostname: string
}

/** Returns the text of an error for the caller of a failed call: that of the storefront, in the call's language. */
export type ErrorTextOf = (
  error: ErrorName,
  call: Pick<FailedCall, 'language' | 'apiKey' | 'hostname'>,
) => string

interface FaultAnswer {
  status: number
  retryAfterSeconds: number | undefined
  /** Body of the answer. */
  envelope: { status: false; error: ReturnType<typeof presentError> }
}

/** @param reportFault receives the service's own faults */
export function faultsTo(reportFault: ReportFault, textOf: ErrorTextOf): FaultOf {
  return (thrown, { log, where, span, ...caller }) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const known = asServiceError(error)
    const traceparent = span ? traceparentOf(span) : undefined
    if (known.error === 'internal') {
      log.error({ err: error, traceparent }, 'a call failed')
      reportFault(error, { where, traceparent })
    } else if (known.status >= 500) {
      // Not a fault: the service is overloaded, or something that the call needs is away, such as a channel's signal.
      log.warn({ error: known.error, err: error.cause, traceparent }, 'a call was refused for now')
    }
    return {
      status: known.status,
      retryAfterSeconds: known.details?.retryAfterSeconds,
      envelope: { status: false, error: presentError(known, textOf(known.error, caller), traceparent) },
    }
  }
}

/**
 * Errors by table, for a write that refers to a row which was deleted after its lookup. The lookup gives the same
 * error when it does not find the row.
 */
const GONE: Readonly<Record<string, ErrorName>> = {
  accounts: 'tokenInvalid',
  profiles: 'notFound',
  devices: 'noDeviceLinked',
  assets: 'notFound',
  categories: 'notFound',
  channels: 'channelNotFound',
}

function asServiceError(error: Error & Partial<FastifyError>): ServiceError {
  if (error instanceof ServiceError) return error
  const gone = GONE[missingFrom(error) ?? '']
  if (gone !== undefined) return new ServiceError(gone, null, { cause: error })
  const status = error.statusCode ?? 500
  const field = error.code === 'FST_ERR_BAD_URL' ? 'address' : 'body'
  if (status >= 400 && status < 500) return invalidFields([{ field, message: error.message }])
  return new ServiceError('internal', null, { cause: error })
}
