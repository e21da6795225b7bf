import { setImmediate } from 'node:timers/promises'
import DataLoader from 'dataloader'
import type { FastifyBaseLogger } from 'fastify'

/** More calls hold their rows for longer, and gain little. */
const MOST = 50

/** How calls are answered. */
interface SliceWork<Call, Answer> {
  /** Most calls of a slice. Default 50. */
  most?: number
  /** Answers several calls in one transaction, in their order. A call that is refused has its error in its place. */
  together: (calls: readonly Call[]) => Promise<(Answer | Error)[]>
  /** Answers one call. Used for a single call, and for each call of a slice that failed as a whole. */
  alone: (call: Call) => Promise<Answer>
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Makes a function whose calls are answered in slices (docs/decisions/0064). Calls that come while a slice is at work are gathered, and are
 * the next slice. A call that comes while nothing is at work begins with the next turn of the event loop. Each caller gets its own answer
 * or its own error.
 */
export function inSlices<Call, Answer>({
  most = MOST,
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
    // The embedded database answers without a turn of the event loop: calls that are ready would not come in.
    await setImmediate()
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

/**
 * Divides the calls of a slice into rounds in which each key comes once, so that calls of one key are done one after the other.
 *
 * @param keyOf undefined for a call of the first round, whatever else is in it
 */
export function inRounds<Call>(calls: readonly Call[], keyOf: (call: Call) => number | undefined): Call[][] {
  const rounds: Call[][] = []
  const counts = new Map<number, number>()
  for (const call of calls) {
    const key = keyOf(call)
    const round = key === undefined ? 0 : (counts.get(key) ?? 0)
    if (key !== undefined) counts.set(key, round + 1)
    rounds[round] ??= []
    rounds[round].push(call)
  }
  return rounds
}
