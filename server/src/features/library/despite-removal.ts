import { namesWhatIsGone } from '../../database/broken-keys.ts'

/** Each time somebody has to remove one more title just then. */
const ATTEMPTS = 5

/**
 * Takes something into the catalogue, and takes it anew where something that it names was removed meanwhile: its series and season with
 * the last episode that had gone (`titles remove`), or a picture with its only title.
 *
 * @param take is told whether it is anew.
 */
export async function despiteRemoval<Taken>(take: (isAnew: boolean) => Promise<Taken>): Promise<Taken> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await take(attempt > 1)
    } catch (error) {
      if (!namesWhatIsGone(error)) throw error
      if (attempt === ATTEMPTS)
        throw new Error('What it belongs to was removed meanwhile; import the folder again.', {
          cause: error,
        })
    }
  }
}
