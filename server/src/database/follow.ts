import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from './connection.ts'

/** How often a process asks whether another one has changed what it keeps in memory, in milliseconds. */
const FOLLOW_MS = 1000

/**
 * Keeps what this process has in memory up to date with what others write. The embedded database belongs to one process
 * alone, so that there is nothing to follow.
 *
 * @returns ends it
 */
export function followDatabase(
  { kind }: Pick<Connection, 'kind'>,
  log: FastifyBaseLogger,
  refresh: () => Promise<void>,
): () => void {
  if (kind === 'embedded') return () => undefined
  let failing = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    try {
      await refresh()
      failing = false
    } catch (error) {
      // Until the database is back, what is known goes on; one line says so.
      if (!failing) log.warn({ err: error }, 'it is not known what other processes have changed')
      failing = true
    }
    if (timer) start()
  }
  const start = () => {
    timer = setTimeout(() => void look(), FOLLOW_MS).unref()
  }
  start()
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
