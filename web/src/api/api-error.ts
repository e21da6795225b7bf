import type { ErrorDetails } from '@ondine/contract/operation'

/**
 * The code of a call without a usable answer: no connection, an unreadable answer, or a fault of the service (spec 41).
 */
export const NO_ANSWER = 503

/** The description of a failed call for support and logs. It contains no secrets. */
export interface FailedCall {
  endpoint: string
  methodRequest: string
  /** The input of the call, without secret or personal fields. */
  payload: Record<string, string>
  /** Identifies the call in the service's traces (W3C Trace Context). */
  traceparent: string
}

/** A call that the service refused or could not answer (V3-57). */
export class ApiError extends Error implements FailedCall {
  override readonly name = 'ApiError'
  /** The service's negative error code (contract, `errors.ts`), or {@link NO_ANSWER}. */
  readonly code: number
  /** The HTTP status of the answer; 503 when there was no answer. */
  readonly status: number
  readonly details: ErrorDetails | null
  readonly endpoint: string
  readonly methodRequest: string
  readonly payload: Record<string, string>
  readonly traceparent: string

  constructor(
    fault: {
      code: number
      status: number
      message: string
      details?: ErrorDetails | null
    } & Partial<FailedCall>,
  ) {
    super(fault.message)
    this.code = fault.code
    this.status = fault.status
    this.details = fault.details ?? null
    this.endpoint = fault.endpoint ?? ''
    this.methodRequest = fault.methodRequest ?? ''
    this.payload = fault.payload ?? {}
    this.traceparent = fault.details?.traceparent ?? fault.traceparent ?? ''
  }
}

/**
 * Returns the fields of an {@link ApiError} as plain data, for JSON. The browser builds the same error from these
 * fields again.
 */
export function fieldsOf(error: ApiError) {
  const { code, status, message, details, endpoint, methodRequest, payload, traceparent } = error
  return { code, status, message, details, endpoint, methodRequest, payload, traceparent }
}
