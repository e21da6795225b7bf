import { createIsomorphicFn } from '@tanstack/react-start'
import { useSyncExternalStore } from 'react'
import { deviceStorage } from '../../ground/platform/device-storage.ts'

const KEY = 'ondine.downloads'

/**
 * Stores in the browser whether this device has downloads, for screens that cannot wait for the database of the
 * downloads.
 */
export function markStored(hasDownloads: boolean): void {
  if (hasDownloads) deviceStorage.setItem(KEY, 'stored')
  else deviceStorage.removeItem(KEY)
}

/** Returns whether this device had downloads at its last visit. Always false on the server. */
export const storesDownloads = createIsomorphicFn()
  .server(() => false)
  .client(() => deviceStorage.getItem(KEY) !== null)

/** Returns whether this device had downloads at its last visit. */
export function useStoresDownloads(): boolean {
  return useSyncExternalStore(never, storesDownloads, () => false)
}

function never(): () => void {
  return () => {}
}
