import { createIsomorphicFn } from '@tanstack/react-start'
import { useSyncExternalStore } from 'react'

const KEY = 'ondine.downloads'

/**
 * Stores in the browser whether this device has downloads, for screens that cannot wait for the database of the
 * downloads.
 */
export function markStored(hasDownloads: boolean): void {
  if (hasDownloads) localStorage.setItem(KEY, 'stored')
  else localStorage.removeItem(KEY)
}

/** Returns whether this device had downloads at its last visit. Always false on the server. */
export const storesDownloads = createIsomorphicFn()
  .server(() => false)
  .client(() => {
    try {
      return localStorage.getItem(KEY) !== null
    } catch {
      // A browser that blocks storage cannot store downloads either.
      return false
    }
  })

/** Returns whether this device had downloads at its last visit. */
export function useStoresDownloads(): boolean {
  return useSyncExternalStore(never, storesDownloads, () => false)
}

function never(): () => void {
  return () => {}
}
