import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Pauses before a failed start is repeated, in milliseconds. Each pause is twice as long as the previous pause, up to
 * `LONGEST_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/**
 * Starts a part of the background work. A start that fails is logged, and repeated after a pause, until it succeeds
 * or `signal` aborts. So a database that fails over, or that has no connection left, delays a part, but prevents none.
 *
 * @param part the part, as the log names it
 * @param start can be called again after a failure
 */
export async function untilStarted(
  part: string,
  start: () => Promise<void>,
  { log, signal }: { log: Pick<FastifyBaseLogger, 'error' | 'info'>; signal: AbortSignal },
): Promise<void> {
  for (let length = FIRST_PAUSE_MS; !signal.aborted; length = Math.min(length * 2, LONGEST_PAUSE_MS)) {
    try {
      await start()
      if (length > FIRST_PAUSE_MS) log.info({ part }, 'a part of the background work has started after all')
      return
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, part }, 'a part of the background work could not start; it is tried again')
    }
    await pause(length, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
