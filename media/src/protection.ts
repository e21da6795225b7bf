import type { TrackSet } from './track-set.ts'
import type { Window } from './window.ts'

/**
 * Returns the key id of a clear TrackSet for manifests that signal protection. Nothing is encrypted with this key id,
 * so a licence may contain any key for it. Players need the key id, because they request a key for each key id of a
 * manifest.
 */
export function clearKeyId({ id }: TrackSet): string {
  return id
}

/**
 * Returns whether all Periods of a window signal protection, including the Periods of clear Spans. A player that sets
 * up decryption only at the first encrypted Period pauses there. On a channel, an encrypted Span may follow at any
 * time, so every Period signals protection. The Periods of a film do so only if one of its Spans is encrypted.
 */
export function signalsProtection({ kind, timeline }: Window): boolean {
  return kind !== 'whole' || timeline.spans.some(({ trackSet }) => trackSet.encryption !== null)
}
