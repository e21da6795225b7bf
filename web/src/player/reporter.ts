import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'

/**
 * What the player reports (V4-29); `close` is Ondine's own: the viewer left. Positions in seconds; undefined while the engine has
 * none, so that the service keeps the one that it has.
 */
export type PlayerEvent =
  | { type: 'start' }
  | { type: 'pause' | 'resume' | 'progress' | 'end' | 'close'; position: number | undefined }

/** Where reports go besides the heartbeats: analytics listens here. */
export const PLAYER_EVENT = 'ondine:player'

/** One heartbeat on its way to the service. */
export interface Heartbeat {
  session: string
  /** Left out where there is no position to keep: channels. */
  position?: number
  event: PlayerEvent['type']
}

/** What is being reported on. */
export interface Reported {
  kind: 'asset' | 'channel' | 'trailer'
  id: number
  /** Null for trailers, which have no session. */
  session: string | null
}

/** Takes all that the player reports. */
export interface Reporter {
  /** From now on reports are about this. */
  about(reported: Reported): void
  /** `now` in milliseconds; only differences count. */
  report(event: PlayerEvent, now: number): void
}

/** Reports to both sides. Analytics gets everything; the service a heartbeat now and then. */
export function createReporter(
  sendHeartbeat: (heartbeat: Heartbeat) => void,
  dispatch: (reported: Reported, event: PlayerEvent) => void,
): Reporter {
  let reported: Reported | undefined
  let lastSent = Number.NEGATIVE_INFINITY
  let closed = false
  return {
    about: (next) => {
      reported = next
      lastSent = Number.NEGATIVE_INFINITY
      closed = false
    },
    report: (event, now) => {
      // A page that comes back from the browser's cache goes on reporting; leaving twice is reported once.
      if (reported === undefined || (closed && event.type === 'close')) return
      closed = event.type === 'close'
      dispatch(reported, event)
      if (reported.session === null) return
      // While it plays, one every ten seconds is enough; every other event is worth one of its own.
      if (event.type === 'progress' && now - lastSent < HEARTBEAT_SECONDS * 1000) return
      lastSent = now
      sendHeartbeat({
        session: reported.session,
        event: event.type,
        ...(reported.kind === 'asset' && event.type !== 'start' && event.position !== undefined
          ? { position: rounded(event.position) }
          : {}),
      })
    },
  }
}

/** To the millisecond, and never before the beginning: the wire takes no more. */
function rounded(position: number): number {
  return Math.max(0, Math.round(position * 1000) / 1000)
}
