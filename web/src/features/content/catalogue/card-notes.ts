import { useSyncExternalStore } from 'react'
import type { TagContent } from '../../../design/cards/tag.tsx'

/**
 * A note that a feature of a higher floor shows on all cards of a title. The note replaces the share that the
 * viewer has watched.
 */
export interface CardNote {
  tags: readonly TagContent[]
  /** Share of the bar, from 0 to 1. */
  progress?: number
}

const NONE: CardNote = { tags: [] }

let notes: ReadonlyMap<number, CardNote> = new Map()
const listeners = new Set<() => void>()

/** Shows notes on the cards of titles, by asset id, in place of all earlier notes. */
export function showOnCards(changed: ReadonlyMap<number, CardNote>): void {
  notes = changed
  for (const tell of listeners) tell()
}

/** Returns the note for the cards of a title. On the server, no title has a note. */
export function useCardNote(assetId: number): CardNote {
  return useSyncExternalStore(
    follow,
    () => notes.get(assetId) ?? NONE,
    () => NONE,
  )
}

function follow(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
