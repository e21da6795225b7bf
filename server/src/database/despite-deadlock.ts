/** What PostgreSQL says to the transaction that it ends so that others, with which it waited in a circle, can go on. */
const DEADLOCK = '40P01'

/** A transaction that met others so often is not unlucky. */
const ATTEMPTS = 5

/** Runs a transaction, and runs it anew where PostgreSQL has ended it to let others go on: {@link ATTEMPTS} times at most. */
export async function despiteDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

/** Whether a deadlock is what is behind an error: the query that failed stands around it. */
function isDeadlock(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === DEADLOCK) return true
  }
  return false
}
