import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'

/** So often it is noted that a session is still heard of, in milliseconds. */
const NOTE_MS = 2 * HEARTBEAT_SECONDS * 1000
/** Most sessions that are remembered at once. */
const MOST_SESSIONS = 100_000

/** Remembers which sessions are heard of, and notes it from time to time, many at once. */
export interface Presence {
  /**
   * Notes that a session is heard of; nobody waits for it, and where it fails, the next heartbeat notes it again.
   *
   * @param now milliseconds since the Unix epoch.
   * @returns false once it is known that the session does not count among those that play: see to it, then call `counts`
   */
  heard(sessionId: string, now: number): boolean
  /** The session counts again. */
  counts(sessionId: string): void
}

/** @param note notes that these are heard of, and gives back those that count */
export function createPresence(
  note: (ids: readonly string[], now: number) => Promise<ReadonlySet<string>>,
  failed: (error: unknown) => void,
): Presence {
  const noted = new Map<string, number>()
  const lost = new Set<string>()
  let waiting = new Set<string>()
  let running = false
  /** When the last of those that wait was heard of: heartbeats keep arriving while a batch is noted. */
  let latest = 0

  async function drain(): Promise<void> {
    running = true
    while (waiting.size > 0) {
      const batch = [...waiting]
      const now = latest
      waiting = new Set()
      try {
        const counting = await note(batch, now)
        if (lost.size >= MOST_SESSIONS) lost.clear()
        for (const id of batch) if (!counting.has(id)) lost.add(id)
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
      if (noted.size >= MOST_SESSIONS) noted.clear()
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
