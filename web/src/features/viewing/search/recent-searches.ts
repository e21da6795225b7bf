import { ACCOUNTS, TEXTS } from '@ondine/contract/constants'

interface RecentSearch {
  term: string
  /** Time of the search, in milliseconds since the Unix epoch. */
  at: number
}

/** How long a search is stored, in milliseconds: as long as the cookies of the interface (spec 24). */
const KEPT_MS = ACCOUNTS.stateCookieDays * 86_400_000

/**
 * Returns the key under which the searches of a profile are stored. Each profile has its own key, because a child must
 * not see a parent's searches.
 */
export function recentKey(profileId: number | undefined): string {
  return `ondine.searches.${profileId ?? 'visitor'}`
}

/**
 * Returns the recent searches from a stored text, the most recent first. Ignores all other content of the text.
 */
export function readRecent(stored: string | null, now: number): RecentSearch[] {
  return parse(stored).filter(({ at }) => at <= now && at > now - KEPT_MS)
}

/**
 * Returns the text to store after a search. Replaces an earlier search for the same term. Keeps at most `most`
 * searches.
 */
export function withSearch(stored: string | null, term: string, now: number, most: number): string {
  const before = readRecent(stored, now).filter((recent) => recent.term !== term)
  return JSON.stringify([{ term, at: now }, ...before].slice(0, most))
}

/** Returns the text to store after a search was removed. */
export function withoutSearch(stored: string | null, term: string, now: number): string {
  return JSON.stringify(readRecent(stored, now).filter((recent) => recent.term !== term))
}

function parse(stored: string | null): RecentSearch[] {
  if (stored === null) return []
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch {
    // Another script has changed the stored text, which is not JSON.
    return []
  }
  return Array.isArray(value) ? value.filter(isRecent) : []
}

function isRecent(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null) return false
  const { term, at } = value as Partial<RecentSearch>
  return typeof term === 'string' && term !== '' && term.length <= TEXTS.searchMax && typeof at === 'number'
}
