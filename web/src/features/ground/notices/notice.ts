import { useSyncExternalStore } from 'react'

/** A message at the bottom of the window about an action of the viewer, with an optional undo. */
export interface Notice {
  text: string
  undo?: { text: string; act: () => Promise<void> }
}

let current: Notice | undefined
const listeners = new Set<() => void>()

/** Shows a notice in place of the current notice. `undefined` removes the current notice. */
export function notify(notice: Notice | undefined): void {
  current = notice
  for (const changed of listeners) changed()
}

/** Returns the current notice. */
export function useNotice(): Notice | undefined {
  return useSyncExternalStore(
    follow,
    () => current,
    () => undefined,
  )
}

function follow(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
