import { useSyncExternalStore } from 'react'

/** Returns `read` of the current window width in px. Works in the browser only. */
export function useByWidth<Read extends string | number>(read: (windowWidth: number) => Read): Read {
  return useSyncExternalStore(followWidth, () => read(window.innerWidth))
}

function followWidth(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
