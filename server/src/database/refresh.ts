import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Changes, Topic } from './changes.ts'

/** Pauses before what failed is tried again, in milliseconds: they grow from the first to the longest. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export interface RefreshOptions {
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborts when the process ends: what fails then is not tried again. */
  signal: AbortSignal
}

/**
 * Calls `refresh` after each change of a topic, so that what a process has in memory is what any process has written: once
 * for several changes at once, again for what came meanwhile, and again after a pause when it failed.
 */
export function refreshOn(
  changes: Pick<Changes, 'on'>,
  topic: Topic,
  { log, signal }: RefreshOptions,
  refresh: () => Promise<void>,
): void {
  let isWanted = false
  let isRunning = false
  const run = async () => {
    isRunning = true
    let pause = FIRST_PAUSE_MS
    while (isWanted && !signal.aborted) {
      isWanted = false
      try {
        await refresh()
      } catch (error) {
        if (signal.aborted) break
        // What is known goes on until then.
        log.warn({ err: error, topic }, 'what was changed could not be read')
        isWanted = true
        await setTimeout(pause, undefined, { ref: false })
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
    isRunning = false
  }
  changes.on(topic, () => {
    isWanted = true
    if (!isRunning) void run()
  })
}
