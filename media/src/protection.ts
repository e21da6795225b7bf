import type { TrackSet } from './track-set.ts'
import type { Window } from './window.ts'

/**
 * The key id of a clear TrackSet in manifests that signal protection. Nothing is encrypted with its key, so any key will do
 * as a licence. Players need it all the same: they ask for a key for each key id of a manifest.
 */
export function clearKeyId({ id }: TrackSet): string {
  return id
}

/**
 * Whether all Periods of a window signal protection, clear ones too. A player that sets up its decryption at the first
 * encrypted Period stands still meanwhile. A channel may come to an encrypted Span at any time; a film is known as a whole.
 */
export function signalsProtection({ kind, timeline }: Window): boolean {
  return kind !== 'whole' || timeline.spans.some(({ trackSet }) => trackSet.encryption !== null)
}
