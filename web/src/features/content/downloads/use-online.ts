import { useSyncExternalStore } from 'react'
import { isOnline } from '../../../api/native.ts'

/** Returns whether the device reports a connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(follow, isOnline, () => true)
}

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
