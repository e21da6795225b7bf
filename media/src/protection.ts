import type { TrackSet } from './track-set.ts'
import type { Window } from './window.ts'

/**
 * Returns the key id of a clear TrackSet for manifests that signal protection. Nothing is encrypted with its
 * key, so a licence may contain any key. Players need the key id, because they request a key for each key id
 * of a manifest.
 */
export function clearKeyId({ id }: TrackSet): string {
  return id
}

/**
 * Returns whether all Periods of a window signal protection, including clear ones. A player that sets up
 * decryption only at the first encrypted Period pauses there. So every Period of a channel signals it,
 * because an encrypted Span may follow at any time. A film needs it only if one of its Spans is encrypted.
 */
export function signalsProtection({ kind, timeline }: Window): boolean {
  return kind !== 'whole' || timeline.spans.some(({ trackSet }) => trackSet.encryption !== null)
}
