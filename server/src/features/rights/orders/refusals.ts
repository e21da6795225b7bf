import { ServiceError } from '../../../http/errors.ts'

/** Runs a step. Returns its result, or the `ServiceError` that it throws. Rethrows any other error. */
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
