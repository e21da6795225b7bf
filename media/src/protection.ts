import type { TrackSet } from './track-set.ts'
import type { Window } from './window.ts'

/**
 * Returns the key id of a clear TrackSet for manifests that signal protection. Players request a key for each key
 * id of a manifest. Nothing is encrypted with this key id, so a licence may contain any key for it.
 */
export function clearKeyId({ id }: TrackSet): string {
  return id
}

/**
 * Returns whether all Periods of a window signal protection, including those of clear Spans. A player that sets up
 * decryption only at the first encrypted Period would pause there. On a channel, an encrypted Span may follow at
 * any time, so every Period signals protection. In a film, all Periods do so if one of its Spans is encrypted.
 */
export function signalsProtection({ kind, timeline }: Window): boolean {
  return kind !== 'whole' || timeline.spans.some(({ trackSet }) => trackSet.encryption !== null)
}
