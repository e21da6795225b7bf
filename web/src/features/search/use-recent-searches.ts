import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useNow } from '../../design/clock.ts'
import { useSession } from '../accounts/session.ts'
import { serviceNow } from '../clock/browser-clock.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { readRecent, recentKey, withoutSearch, withSearch } from './recent-searches.ts'

/** What was searched for lately in this browser by this profile, and how to forget one of them. */
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
  // Its seconds may lag behind a search that was just made.
  const now = (useNow() + 1) * 1000
  const recent = readRecent(stored, now)
    .slice(0, search.recent)
    .map(({ term }) => term)
  return { recent, forget }
}

/** Remembers a search once it has found something; undefined is nothing to remember. */
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

// A browser may refuse its store; searches are then not remembered, and nothing else is lost.
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
