import DataLoader from 'dataloader'
import type { FastifyBaseLogger } from 'fastify'

/** How calls are answered. */
interface SliceWork<Call, Answer> {
  /** Most calls of a slice. */
  most: number
  /** Answers several calls in one transaction, in their order. A call that is refused has its error in its place. */
  together: (calls: readonly Call[]) => Promise<(Answer | Error)[]>
  /** Answers one call. Used for a single call, and for each call of a slice that failed as a whole. */
  alone: (call: Call) => Promise<Answer>
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Makes a function whose calls are answered in slices (docs/decisions/0064). Calls that come while a slice is at work are gathered and are
 * the next slice. A call that comes while nothing is at work begins at once. Each caller gets its own answer or its own error.
 */
export function inSlices<Call, Answer>({
  most,
  together,
  alone,
  log,
}: SliceWork<Call, Answer>): (call: Call) => Promise<Answer> {
  /** Ends with the slice that is scheduled last. */
  let last = Promise.resolve()
  let atWork: Promise<unknown> = last
  const answer = async (calls: readonly Call[]): Promise<(Answer | Error)[]> => {
    if (calls.length > 1) {
      try {
        return await together(calls)
      } catch (error) {
        log.warn({ err: error, calls: calls.length }, 'the calls of a slice are answered one by one')
      }
    }
    return await Promise.all(calls.map(async (call) => await alone(call).catch(errorOf)))
  }
  const after = async (before: Promise<void>, begin: () => void): Promise<void> => {
    await before
    begin()
    await atWork
  }
  const loader = new DataLoader<Call, Answer>(
    // Called by `begin`, before it returns.
    (calls) => {
      const answers = answer(calls)
      atWork = answers
      return answers
    },
    {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (begin) => {
        last = after(last, begin)
      },
    },
  )
  return async (call) => await loader.load(call)
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error('A call failed without an error.', { cause: error })
}
