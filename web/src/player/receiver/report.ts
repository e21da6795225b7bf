import { REPORT_SECONDS, type ScreenState } from '@ondine/contract/casting'
import { castPosition } from '../../features/viewing/casting/cast-target.ts'

/**
 * Phones compute the position from the last report. If the real position differs by more than this, in seconds,
 * the screen reports its state at once.
 */
const JUMP_SECONDS = 1

const MS = 1000

/**
 * Returns whether a screen must report its state now. A report is due after a change that phones cannot compute
 * from the last report, and regularly during playback.
 */
export function isWorthReporting(last: ScreenState | undefined, next: ScreenState): boolean {
  if (last === undefined) return true
  if (JSON.stringify(withoutTime(last)) !== JSON.stringify(withoutTime(next))) return true
  if (isJump(castPosition(last, next.at), next.position)) return true
  return next.playback === 'playing' && next.at - last.at >= REPORT_SECONDS * MS
}

/** Returns whether a position differs from the position that phones compute, or is known only now. */
function isJump(expected: number | undefined, position: number | undefined): boolean {
  if (expected === undefined || position === undefined) return expected !== position
  return Math.abs(expected - position) > JUMP_SECONDS
}

function withoutTime({ position: _position, at: _at, ...rest }: ScreenState) {
  return rest
}

/**
 * Creates a function that sends states one after the other. While a state is being sent, only the newest of the
 * following states waits.
 *
 * @param send must not throw
 */
export function newestOnly<State>(send: (state: State) => Promise<void>): (state: State) => void {
  let waiting: { state: State } | undefined
  let isSending = false
  const run = async () => {
    isSending = true
    while (waiting !== undefined) {
      const { state } = waiting
      waiting = undefined
      await send(state)
    }
    isSending = false
  }
  return (state) => {
    waiting = { state }
    if (!isSending) void run()
  }
}
