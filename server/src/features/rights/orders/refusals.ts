import { ServiceError } from '../../../http/errors.ts'

/** What came of a step for one of many: its result, or the error that refuses it. Any other error is thrown. */
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
