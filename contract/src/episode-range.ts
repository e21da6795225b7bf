/** Returns the number of an episode; for several episodes in one file, the first and the last: `2–3`. */
export function episodeRange(first: number | string, last?: number | string | null): string {
  return last == null ? String(first) : `${first}–${last}`
}
