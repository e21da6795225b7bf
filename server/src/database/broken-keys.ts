/** SQLSTATE of a foreign key violation: the referenced row does not exist (any more). */
const FOREIGN_KEY_VIOLATION = '23503'

/** SQLSTATE of a unique violation. */
const UNIQUE_VIOLATION = '23505'

/** Returns whether an insert failed because another writer inserted the same key between the lookup and the insert. */
export function isUniqueViolation(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === UNIQUE_VIOLATION) return true
  }
  return false
}

/**
 * Returns whether a write failed because another writer deleted the referenced row between the lookup and the write.
 */
export function isForeignKeyViolation(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === FOREIGN_KEY_VIOLATION) return true
  }
  return false
}

/**
 * Returns the table in which the referenced row is missing, because another writer deleted it between the lookup and
 * the write.
 *
 * @returns the name of the table; undefined for any other error
 */
export function missingFrom(error: unknown): string | undefined {
  // Drizzle wraps the database's error in an error about the failed query.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && cause.code === FOREIGN_KEY_VIOLATION)) continue
    // Foreign keys are named after both tables: `scores_profile_id_profiles_id_fk`.
    return 'constraint' in cause ? /_id_(\w+)_id_fk$/.exec(String(cause.constraint))?.[1] : undefined
  }
  return undefined
}
