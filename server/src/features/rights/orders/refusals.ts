import { ServiceError } from '../../../http/errors.ts'

/** Returns the result of a step, or the `ServiceError` with which the step refuses. Throws any other error. */
export async function refusalOr<Result>(
  step: () => Result | Promise<Result>,
): Promise<Result | ServiceError> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
