/** What PostgreSQL says to a row that names another one which is not there (any more). */
const FOREIGN_KEY_VIOLATION = '23503'

/** What PostgreSQL says to a row that would be the second one of its key. */
const UNIQUE_VIOLATION = '23505'

/** Whether what was to be written is there already: between looking for it and writing, somebody else wrote it. */
export function isThereAlready(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === UNIQUE_VIOLATION) return true
  }
  return false
}

/** Whether what was written names something that is not there: between looking at it and writing, somebody else removed it. */
export function namesWhatIsGone(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === FOREIGN_KEY_VIOLATION) return true
  }
  return false
}

/**
 * Which table lacks the row that a written one names: between looking at it and writing, somebody else removed it.
 *
 * @returns its name; undefined for any other error
 */
export function missingFrom(error: unknown): string | undefined {
  // The query that failed stands around what the database says.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && cause.code === FOREIGN_KEY_VIOLATION)) continue
    // Keys are named by both of their sides: `scores_profile_id_profiles_id_fk`.
    return 'constraint' in cause ? /_id_(\w+)_id_fk$/.exec(String(cause.constraint))?.[1] : undefined
  }
  return undefined
}
