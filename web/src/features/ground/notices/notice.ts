import { useSyncExternalStore } from 'react'

/** A message at the bottom of the window about an action of the viewer. It may offer to undo it, or what comes next. */
export interface Notice {
  text: string
  offer?: { text: string; act: () => Promise<void> }
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
