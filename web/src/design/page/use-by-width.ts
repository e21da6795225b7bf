import { useSyncExternalStore } from 'react'

/**
 * Returns the result of `read` for the current window width in px, and updates it on a resize. Works only in the
 * browser.
 */
export function useByWidth<Read extends string | number>(read: (windowWidth: number) => Read): Read {
  return useSyncExternalStore(followWidth, () => read(window.innerWidth))
}

function followWidth(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
