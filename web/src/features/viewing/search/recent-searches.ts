import { ACCOUNTS, TEXTS } from '@ondine/contract/constants'

/** A past search. */
interface RecentSearch {
  term: string
  /** Milliseconds since the Unix epoch. */
  at: number
}

/** Time for which a search is remembered: the same as for other stored states of the interface (spec 24). */
const KEPT_MS = ACCOUNTS.stateCookieDays * 86_400_000

/**
 * Returns the storage key of a profile. Each profile has its own key, because a child must not see a parent's
 * searches.
 */
export function recentKey(profileId: number | undefined): string {
  return `ondine.searches.${profileId ?? 'visitor'}`
}

/** Returns the recent searches, the last first. Anything else in the store is ignored. */
export function readRecent(stored: string | null, now: number): RecentSearch[] {
  return parse(stored).filter(({ at }) => at <= now && at > now - KEPT_MS)
}

/** Returns the store's new text after a search. An earlier equal search is replaced. */
export function withSearch(stored: string | null, term: string, now: number, most: number): string {
  const before = readRecent(stored, now).filter((recent) => recent.term !== term)
  return JSON.stringify([{ term, at: now }, ...before].slice(0, most))
}

/** Returns the store's new text without a search. */
export function withoutSearch(stored: string | null, term: string, now: number): string {
  return JSON.stringify(readRecent(stored, now).filter((recent) => recent.term !== term))
}

function parse(stored: string | null): RecentSearch[] {
  if (stored === null) return []
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch {
    // Another script has changed the store.
    return []
  }
  return Array.isArray(value) ? value.filter(isRecent) : []
}

function isRecent(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null) return false
  const { term, at } = value as Partial<RecentSearch>
  return typeof term === 'string' && term !== '' && term.length <= TEXTS.searchMax && typeof at === 'number'
}
