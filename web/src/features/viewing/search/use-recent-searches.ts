import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useNow } from '../../../design/time/clock.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { deviceStorage } from '../../ground/platform/device-storage.ts'
import { useSession } from '../../ground/session/session.ts'
import { readRecent, recentKey, withoutSearch, withSearch } from './recent-searches.ts'

/** Returns the recent searches of this profile in this browser, and a function that removes one of them. */
export function useRecentSearches(): { recent: string[]; forget: (term: string) => void } {
  const { profile } = useSession()
  const { search } = useConfiguration()
  const key = recentKey(profile?.id)
  const stored = useSyncExternalStore(
    follow,
    () => deviceStorage.getItem(key),
    () => null,
  )
  const forget = useCallback(
    (term: string) => write(key, withoutSearch(deviceStorage.getItem(key), term, serviceNow())),
    [key],
  )
  // One second is added, because this clock may be behind the time at which the last search was stored.
  const now = (useNow() + 1) * 1000
  const recent = readRecent(stored, now)
    .slice(0, search.recent)
    .map(({ term }) => term)
  return { recent, forget }
}

/** Stores a search that has results. Stores nothing while `term` is undefined. */
export function useRemembered(term: string | undefined): void {
  const { profile } = useSession()
  const { search } = useConfiguration()
  const key = recentKey(profile?.id)
  useEffect(() => {
    if (term !== undefined && search.recent > 0) {
      write(key, withSearch(deviceStorage.getItem(key), term, serviceNow(), search.recent))
    }
  }, [term, key, search.recent])
}

function write(key: string, text: string): void {
  deviceStorage.setItem(key, text)
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()

function follow(changed: () => void): () => void {
  listeners.add(changed)
  addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    removeEventListener('storage', changed)
  }
}
