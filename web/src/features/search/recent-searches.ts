import { ACCOUNTS, TEXTS } from '@ondine/contract/constants'

/** A search that was made. */
interface RecentSearch {
  term: string
  /** Milliseconds since the Unix epoch. */
  at: number
}

/** Kept as long as other state of the interface (decision 24). */
const KEPT_MS = ACCOUNTS.stateCookieDays * 86_400_000

/** Each profile has its own: what a parent searched for is no child's business. */
export function recentKey(profileId: number | undefined): string {
  return `ondine.searches.${profileId ?? 'visitor'}`
}

/** What was searched for lately, the last first. Whatever else stands in the store counts as nothing. */
export function readRecent(stored: string | null, now: number): RecentSearch[] {
  return parse(stored).filter(({ at }) => at <= now && at > now - KEPT_MS)
}

/** The store's new text when a search was made; an equal one before is the same one. */
export function withSearch(stored: string | null, term: string, now: number, most: number): string {
  const before = readRecent(stored, now).filter((recent) => recent.term !== term)
  return JSON.stringify([{ term, at: now }, ...before].slice(0, most))
}

/** The store's new text when a search is to be forgotten. */
export function withoutSearch(stored: string | null, term: string, now: number): string {
  return JSON.stringify(readRecent(stored, now).filter((recent) => recent.term !== term))
}

function parse(stored: string | null): RecentSearch[] {
  if (stored === null) return []
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch {
    // Somebody else wrote there.
    return []
  }
  return Array.isArray(value) ? value.filter(isRecent) : []
}

function isRecent(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null) return false
  const { term, at } = value as Partial<RecentSearch>
  return typeof term === 'string' && term !== '' && term.length <= TEXTS.searchMax && typeof at === 'number'
}
