import type { FastifyBaseLogger } from 'fastify'
import type { Changes, Topic } from './changes.ts'

/**
 * Calls `refresh` after each change of a topic, so that what a process has in memory is what any process has written: once
 * for several changes at once, and again for what came meanwhile.
 */
export function refreshOn(
  changes: Changes,
  topic: Topic,
  log: FastifyBaseLogger,
  refresh: () => Promise<void>,
): void {
  let isWanted = false
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      try {
        await refresh()
      } catch (error) {
        // What is known goes on. When the database is back, all topics are told.
        log.warn({ err: error, topic }, 'what was changed could not be read')
      }
    }
    isRunning = false
  }
  changes.on(topic, () => {
    isWanted = true
    if (!isRunning) void run()
  })
}
