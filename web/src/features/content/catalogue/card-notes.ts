import { useSyncExternalStore } from 'react'
import type { TagContent } from '../../../design/cards/tag.tsx'

/** What a feature above this one shows on all cards of a title, in place of the watched share. */
export interface CardNote {
  tags: readonly TagContent[]
  /** From 0 to 1. */
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

/** Returns the note for the cards of a title. The server shows none. */
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
