import { isForeignKeyViolation } from '../../../database/broken-keys.ts'

/** Maximum number of attempts. Only a removal during an attempt causes another attempt. */
const ATTEMPTS = 5

/**
 * Runs the import of a title, and repeats it if a row to which the title refers was removed meanwhile. This can be
 * a series or season that was removed with its last episode (`titles remove`), or a picture that was removed with
 * its only title.
 *
 * @param take imports the title; gets `true` when it is repeated
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
