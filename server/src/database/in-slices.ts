import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { inLanes } from '../in-lanes.ts'
import type { Transaction } from './connection.ts'

/** Default maximum number of calls in a slice. A larger slice gains little, and locks its rows for longer. */
const MOST = 50
/**
 * When a slice fails, its calls are answered one by one, at most this many at the same time. More could take all
 * connections of the pool.
 */
const LANES = 4
/**
 * Longest wait of a slice for a lock, in milliseconds. After that the slice fails, and its calls are answered one
 * by one: then only the call that needs the lock waits for it.
 */
const LOCK_MS = 2000
const PATIENCE_MS = 5000

/** Functions that answer calls, and their limits. */
interface SliceWork<Call, Answer> {
  /** Maximum number of calls in a slice. Default 50. */
  most?: number
  /**
   * Longest wait for the previous slice, and for each call of a failed slice, in milliseconds. Default 5000. A call
   * that waits for a locked row must not stop all others.
   */
  patienceMs?: number
  /**
   * Answers several calls in one statement or transaction, in their order. The answer to a refused call is its error.
   */
  together: (calls: readonly Call[]) => Promise<(Answer | Error)[]>
  /**
   * Answers one call: the call of a slice of one, or each call of a slice that failed. By default calls `together`
   * with the one call.
   */
  alone?: (call: Call) => Promise<Answer>
  /**
   * Whether all calls of a failed slice fail with the slice's error. By default, each call is retried alone. Set
   * it for reads: a slice of reads fails when the database does not answer, and retries would add to its load.
   */
  failsTogether?: boolean
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Returns a function that answers its calls in slices (docs/decisions/0064). Calls that arrive while a slice
 * runs form the next slice. If no slice runs, the slice of a call begins with the next turn of the event
 * loop. Each caller gets its own answer or its own error.
 */
export function inSlices<Call, Answer>({
  most = MOST,
  patienceMs = PATIENCE_MS,
  together,
  alone = async (call) => await asSlice(together, call),
  failsTogether = false,
  log,
}: SliceWork<Call, Answer>): (call: Call) => Promise<Answer> {
  /** Resolves when the last scheduled slice ends, at the latest `patienceMs` after its beginning. */
  let last = Promise.resolve()
  let atWork: Promise<unknown> = last
  const answer = async (calls: readonly Call[]): Promise<(Answer | Error)[]> => {
    const [first, ...more] = calls
    if (first !== undefined && more.length === 0) return [await alone(first).catch(errorOf)]
    try {
      return await together(calls)
    } catch (error) {
      if (failsTogether) return calls.map(() => errorOf(error))
      log.warn({ err: error, calls: calls.length }, 'the calls of a slice are answered one by one')
    }
    return await inLanes(LANES, calls, async (call) => await within(patienceMs, alone(call)).catch(errorOf))
  }
  const after = async (before: Promise<void>, begin: () => void): Promise<void> => {
    await before
    // The embedded database answers without a turn of the event loop. Without this wait, calls that are ready
    // now would not be part of the slice.
    await setImmediate()
    begin()
    await within(patienceMs, atWork).catch(() => undefined)
  }
  const loader = new DataLoader<Call, Answer>(
    // `begin` calls this function synchronously, so `atWork` is set to the new slice's work when `begin` returns.
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

/** Answers a call as a slice of one. @throws the error of a refused call */
async function asSlice<Call, Answer>(
  together: SliceWork<Call, Answer>['together'],
  call: Call,
): Promise<Answer> {
  const [answer] = await together([call])
  if (answer instanceof Error) throw answer
  // `together` gives each call an answer.
  return answer as Answer
}

/** Waits for `work` for at most `milliseconds`. @throws when `work` takes longer; `work` itself then continues */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const done = new AbortController()
  const tooLong = async () => {
    await delay(milliseconds, undefined, { signal: done.signal, ref: false })
    throw new Error(`A call has taken longer than ${milliseconds} ms.`)
  }
  try {
    return await Promise.race([work, tooLong()])
  } finally {
    done.abort()
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error('A call failed without an error.', { cause: error })
}

/**
 * Limits how long a transaction that serves several calls waits for a lock, so that one locked row does not delay
 * all of them for long.
 */
export async function limitLockWaits(tx: Transaction, calls: readonly unknown[]): Promise<void> {
  if (calls.length > 1) await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_MS}`))
}

/**
 * Divides calls into rounds. A round has at most one call of each key, so calls with the same key run one after
 * the other.
 */
export function inRounds<Call>(calls: readonly Call[], keyOf: (call: Call) => number): Call[][] {
  const rounds: Call[][] = []
  const counts = new Map<number, number>()
  for (const call of calls) {
    const key = keyOf(call)
    const round = counts.get(key) ?? 0
    counts.set(key, round + 1)
    rounds[round] ??= []
    rounds[round].push(call)
  }
  return rounds
}
