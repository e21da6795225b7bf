import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import type { KeepPosition, PlayerTarget } from '../content/playable.ts'

/**
 * The events that the player reports (V4-29). Ondine adds `close`: the viewer left the player. Positions are in
 * seconds. While the engine has no position, `position` is undefined, and the service keeps the last position.
 */
export type PlayerEvent =
  | { type: 'start' }
  | { type: 'pause' | 'resume' | 'progress' | 'end' | 'close'; position: number | undefined }

/** Name of the DOM event that the player dispatches for analytics. */
export const PLAYER_EVENT = 'ondine:player'

/** A heartbeat for the service. */
export interface Heartbeat {
  session: string
  /** Omitted for channels, which have no position to store. */
  position?: number
  event: PlayerEvent['type']
  /** Set if the player closes at the position of the last heartbeat, and the service has acknowledged that one. */
  isRepeated?: true
  /** Called if the service has acknowledged the heartbeat. */
  onAcknowledged: () => void
}

/** The content that the reports concern. */
export interface Reported {
  kind: PlayerTarget['kind']
  id: number
  /** Null for trailers and downloads, which have no session. */
  session: string | null
}

/** Receives all reports of the player. */
export interface Reporter {
  /**
   * Sets the content that the following reports concern, as soon as its session is known. Until the report of its
   * start, it can only be closed, without a position. Calls `keepPosition` with its positions, as often as a session
   * sends heartbeats.
   */
  about(reported: Reported, keepPosition?: KeepPosition): void
  /** Closes a session that no reports concern, because its content is not opened any more. */
  drop(session: string): void
  /** Reports an event. `now` is in milliseconds from any origin, because only differences matter. */
  report(event: PlayerEvent, now: number): void
}

/**
 * Creates a reporter. Analytics receives every event. The service receives heartbeats at intervals. The
 * position of a download is stored at the same intervals.
 */
export function createReporter(
  sendHeartbeat: (heartbeat: Heartbeat) => void,
  dispatch: (reported: Reported, event: PlayerEvent) => void,
): Reporter {
  let reported: Reported | undefined
  let keepPosition: KeepPosition | undefined
  let lastSent = Number.NEGATIVE_INFINITY
  /** The last position that was sent. */
  let last: { position: number; isAcknowledged: boolean } | undefined
  let closed = false
  /** Whether the content has started. Before, the engine still has the position of the previous content. */
  let hasStarted = false
  return {
    about: (next, keep) => {
      reported = next
      keepPosition = keep
      lastSent = Number.NEGATIVE_INFINITY
      last = undefined
      closed = false
      hasStarted = false
    },
    drop: (session) => sendHeartbeat({ session, event: 'close', onAcknowledged: () => {} }),
    report: (event, now) => {
      if (event.type === 'start') hasStarted = true
      if (!hasStarted && event.type !== 'close') return
      // A page that was restored from the back/forward cache continues to report. But two `close` events in a row
      // are reported once.
      if (reported === undefined || (closed && event.type === 'close')) return
      closed = event.type === 'close'
      if (hasStarted) dispatch(reported, event)
      if (reported.session === null && keepPosition === undefined) return
      // During playback, a heartbeat every ten seconds is enough. All other events are sent at once.
      if (event.type === 'progress' && now - lastSent < HEARTBEAT_SECONDS * 1000) return
      lastSent = now
      const position =
        hasPosition(reported) && hasStarted && event.type !== 'start' && event.position !== undefined
          ? rounded(event.position)
          : undefined
      if (position !== undefined) keepPosition?.(position, event.type === 'close')
      if (reported.session === null) return
      const isRepeated = event.type === 'close' && last?.isAcknowledged === true && last.position === position
      const sent = position === undefined ? undefined : { position, isAcknowledged: false }
      last = sent ?? last
      sendHeartbeat({
        session: reported.session,
        event: event.type,
        ...(position !== undefined && { position }),
        ...(isRepeated && { isRepeated }),
        onAcknowledged: () => {
          if (sent !== undefined) sent.isAcknowledged = true
        },
      })
    },
  }
}

function hasPosition({ kind }: Reported): boolean {
  return kind === 'asset' || kind === 'recording'
}

/** Rounds to milliseconds, and replaces a negative position by zero, because the service rejects other values. */
function rounded(position: number): number {
  return Math.max(0, Math.round(position * 1000) / 1000)
}
