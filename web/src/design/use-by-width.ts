import { useSyncExternalStore } from 'react'

/** What `read` says of the width of the window in px, as it is. For what exists in the browser only. */
export function useByWidth<Read extends string | number>(read: (windowWidth: number) => Read): Read {
  return useSyncExternalStore(followWidth, () => read(window.innerWidth))
}

function followWidth(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
