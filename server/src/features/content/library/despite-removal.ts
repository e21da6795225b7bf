import { isForeignKeyViolation } from '../../../database/broken-keys.ts'

/** Maximum number of attempts. An attempt is repeated only after a removal at the same time. */
const ATTEMPTS = 5

/**
 * Runs the import of a title, and repeats it if a row that the title refers to was removed meanwhile. Examples are
 * a series or season that was removed with its last episode (`titles remove`), and a picture that was removed with
 * its only title.
 *
 * @param take imports the title; its argument is true for a repetition
 */
export async function despiteRemoval<Taken>(take: (isAnew: boolean) => Promise<Taken>): Promise<Taken> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await take(attempt > 1)
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error
      if (attempt === ATTEMPTS)
        throw new Error(
          'A series, season or picture that it refers to was removed meanwhile; import the folder again.',
          {
            cause: error,
          },
        )
    }
  }
}
