import { ERRORS, type ErrorName } from '@ondine/contract/errors'
import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import type { ErrorDetails, WireError } from '@ondine/contract/operation'

/**
 * Thrown for a failed call. The contract has the closed list of errors. The HTTP ladder converts this error into
 * an answer.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly error: ErrorName
  readonly details: ErrorDetails | null

  constructor(error: ErrorName, details: ErrorDetails | null = null, options?: ErrorOptions) {
    super(ERRORS[error].text.eng, options)
    this.error = error
    this.details = details
  }

  /** HTTP status of the answer. */
  get status(): number {
    return ERRORS[this.error].status
  }
}

/** Returns the error for invalid fields, with the reason for each. */
export function invalidFields(fields: { field: string; message: string }[]): ServiceError {
  return new ServiceError('invalidInput', { fields })
}

/**
 * Returns the error for an id that does not exist, or that the caller must not know to exist.
 *
 * @param field the field with the id
 */
export function notFoundBy(field: string): ServiceError {
  return new ServiceError('notFound', { fields: [{ field, message: 'names nothing' }] })
}

/**
 * Returns the error in the form of an answer (A8.3-01).
 *
 * @param message the text of the error for the caller; by default, the built-in text in the default language
 */
export function presentError(
  { error, details }: Pick<ServiceError, 'error' | 'details'>,
  message: string = ERRORS[error].text[DEFAULT_LANGUAGE],
  traceparent?: string,
): WireError {
  return {
    code: ERRORS[error].code,
    message,
    details: traceparent ? { ...details, traceparent } : details,
  }
}
