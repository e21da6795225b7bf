import type { ErrorDetails } from '@ondine/contract/operation'

/** The code of an answer that is none: no connection, not readable, or a fault of the service (decision 41). */
export const NO_ANSWER = 503

/** A call that the service refused or could not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The wire's negative code (contract, `errors.ts`), or {@link NO_ANSWER}. */
  readonly code: number
  /** The HTTP status of the answer; 503 when there was none. */
  readonly status: number
  readonly details: ErrorDetails | null

  constructor(fault: { code: number; status: number; message: string; details?: ErrorDetails | null }) {
    super(fault.message)
    this.code = fault.code
    this.status = fault.status
    this.details = fault.details ?? null
  }
}
