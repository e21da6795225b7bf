import { useSyncExternalStore } from 'react'

/** Something that was done, said at the foot of the window, with a way to undo it. */
export interface Notice {
  text: string
  undo?: { text: string; act: () => Promise<void> }
}

let current: Notice | undefined
const listeners = new Set<() => void>()

/** Says that something was done. It takes the place of what was said before. */
export function notify(notice: Notice | undefined): void {
  current = notice
  for (const changed of listeners) changed()
}

/** What there is to say now. */
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
