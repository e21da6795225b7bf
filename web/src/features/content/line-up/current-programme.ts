import type { Programme } from '@ondine/contract/entities'
import { liveState } from '../../../design/time/live-state.ts'

/**
 * Returns the current programme among the programmes of one channel, or null if no programme is current.
 *
 * @param programmes undefined as long as they are unknown; then the result is undefined too
 * @param now seconds since the Unix epoch
 */
export function currentProgramme(
  programmes: readonly Programme[] | undefined,
  now: number,
): Programme | null | undefined {
  return programmes && (programmes.find((programme) => liveState(programme, now) === 'live') ?? null)
}
