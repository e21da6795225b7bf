import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useNow } from '../../../design/time/clock.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useSession } from '../../ground/session/session.ts'
import { readRecent, recentKey, withoutSearch, withSearch } from './recent-searches.ts'

/** Returns the recent searches of this profile in this browser, and a function that removes one of them. */
export function useRecentSearches(): { recent: string[]; forget: (term: string) => void } {
  const { profile } = useSession()
  const { search } = useConfiguration()
  const key = recentKey(profile?.id)
  const stored = useSyncExternalStore(
    follow,
    () => read(key),
    () => null,
  )
  const forget = useCallback(
    (term: string) => write(key, withoutSearch(read(key), term, serviceNow())),
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
      write(key, withSearch(read(key), term, serviceNow(), search.recent))
    }
  }, [term, key, search.recent])
}

// If the browser refuses access to its storage, no searches are stored.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    return
  }
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
