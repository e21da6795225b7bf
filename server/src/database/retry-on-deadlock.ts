/** SQLSTATE of a transaction that PostgreSQL ended to resolve a deadlock. */
const DEADLOCK = '40P01'

/** Maximum number of attempts. This many deadlocks in a row are not a coincidence. */
const ATTEMPTS = 5

/** Runs a transaction, and retries it after a deadlock, up to {@link ATTEMPTS} times in all. */
export async function retryOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

/**
 * Returns whether a deadlock caused the error. Drizzle wraps the error of the database in the error of the failed
 * query.
 */
function isDeadlock(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === DEADLOCK) return true
  }
  return false
}
