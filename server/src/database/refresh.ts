import type { FastifyBaseLogger } from 'fastify'
import type { Changes, Topic } from './changes.ts'

/**
 * Pauses before a failed refresh is retried, in milliseconds. Each pause is twice as long as the previous pause, up to
 * `LONGEST_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export interface RefreshOptions {
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborts when the process ends. A refresh that fails after that is not retried. */
  signal: AbortSignal
}

/**
 * Calls `refresh` after each change of a topic, so that the copy in memory matches the database, whichever process
 * wrote to it. Simultaneous changes cause one call. Changes during a call cause one more call. After a failure,
 * `refresh` is retried after a pause. A change ends the pause early, because it shows that the database answers
 * again.
 *
 * @returns a function that requests a refresh as a change does
 */
export function refreshOn(
  changes: Pick<Changes, 'on'>,
  topic: Topic,
  { log, signal }: RefreshOptions,
  refresh: () => Promise<void>,
): () => void {
  let isWanted = false
  let isRunning = false
  let pause = FIRST_PAUSE_MS
  let endPause = () => {}
  const run = async () => {
    isRunning = true
    while (isWanted && !signal.aborted) {
      isWanted = false
      try {
        await refresh()
      } catch (error) {
        if (signal.aborted) break
        // The copy in memory stays in use until the retry.
        log.warn({ err: error, topic }, 'changed data could not be read')
        isWanted = true
        const length = pause
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
        await new Promise<void>((resolve) => {
          endPause = resolve
          setTimeout(resolve, length).unref()
        })
      }
    }
    isRunning = false
  }
  const request = (): void => {
    isWanted = true
    pause = FIRST_PAUSE_MS
    endPause()
    if (!isRunning) void run()
  }
  changes.on(topic, request)
  return request
}
