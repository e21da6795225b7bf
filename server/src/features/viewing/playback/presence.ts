import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { LRUCache } from 'lru-cache'

/** Interval at which an active session is recorded, in milliseconds. */
const NOTE_MS = 2 * HEARTBEAT_SECONDS * 1000
/**
 * Maximum number of sessions in the cache. Set as `maxSize`, because with `max` the cache allocates all entries at
 * once.
 */
const LIMIT = { maxSize: 100_000, sizeCalculation: () => 1 }

/** Tracks which sessions send heartbeats. Records the sessions at intervals, many in one statement. */
export interface Presence {
  /**
   * Tracks a heartbeat. The session is recorded in the background. If it cannot be recorded, the next heartbeat
   * tries again.
   *
   * @param now milliseconds since the Unix epoch.
   * @returns false if the service found, when it last recorded the session, that the session no longer counts. The
   * caller must then give the session a seat and call `counts`, or refuse the heartbeat
   */
  heard(sessionId: string, now: number): boolean
  /** Records that a session has a seat again, after `heard` returned false for it. */
  counts(sessionId: string): void
}

/** @param note records these sessions as active, and returns the ids of the sessions that count */
export function createPresence(
  note: (ids: readonly string[], now: number) => Promise<ReadonlySet<string>>,
  failed: (error: unknown) => void,
): Presence {
  const noted = new LRUCache<string, number>(LIMIT)
  const lost = new LRUCache<string, true>(LIMIT)
  let waiting = new Set<string>()
  let running = false
  /** Time of the last queued heartbeat. While a batch is recorded, more heartbeats are queued. */
  let latest = 0

  async function drain(): Promise<void> {
    running = true
    while (waiting.size > 0) {
      const batch = [...waiting]
      const now = latest
      waiting = new Set()
      try {
        const counting = await note(batch, now)
        for (const id of batch) if (!counting.has(id)) lost.set(id, true)
      } catch (error) {
        for (const id of batch) noted.delete(id)
        failed(error)
      }
    }
    running = false
  }

  return {
    heard: (sessionId, now) => {
      if (lost.has(sessionId)) return false
      const last = noted.get(sessionId)
      if (last !== undefined && now - last < NOTE_MS) return true
      noted.set(sessionId, now)
      waiting.add(sessionId)
      latest = now
      if (!running) void drain()
      return true
    },
    counts: (sessionId) => {
      lost.delete(sessionId)
    },
  }
}
