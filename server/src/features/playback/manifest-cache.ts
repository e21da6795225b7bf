import type { Timeline } from '@ondine/media/timeline'
import type { Window } from '@ondine/media/window'

/** Characters of manifests that are kept: what a few thousand channels need, or a few hundred films. */
const LARGEST_CACHE = 32 * 1024 * 1024

/**
 * Manifests as text, written once for all who watch the same window: equal windows are equal bytes but for the session in
 * the licence's address. They are cut where that stands.
 */
export interface ManifestCache {
  /**
   * The manifest named `file` of `window` with `session` in it.
   *
   * @param write writes it, with `placeholder` where the session has to stand; null when there is none of that name.
   */
  get(
    window: Window,
    file: string,
    session: string,
    write: (placeholder: string) => string | null,
  ): string | undefined
}

/** Stands in no manifest of itself, and needs no escaping. */
const PLACEHOLDER = '~session~'

export function createManifestCache(largest = LARGEST_CACHE): ManifestCache {
  const kept = new Map<string, string[]>()
  const names = new WeakMap<Timeline, number>()
  let characters = 0
  let count = 0

  function nameOf(timeline: Timeline): number {
    let name = names.get(timeline)
    if (name === undefined) names.set(timeline, (name = count++))
    return name
  }

  function keep(key: string, parts: string[]): void {
    kept.set(key, parts)
    characters += sizeOf(parts)
    // A Map remembers the order in which its entries came: the first are those of windows that have gone by.
    for (const [oldest, old] of kept) {
      if (characters <= largest || oldest === key) break
      kept.delete(oldest)
      characters -= sizeOf(old)
    }
  }

  return {
    get: (window, file, session, write) => {
      const { timeline, kind, firstSpan, firstSegment, lastSpan, endSegment, ended } = window
      const key = `${nameOf(timeline)} ${file} ${kind} ${firstSpan}.${firstSegment} ${lastSpan}.${endSegment} ${ended}`
      let parts = kept.get(key)
      if (!parts) {
        const body = write(PLACEHOLDER)
        if (body === null) return undefined
        parts = body.split(PLACEHOLDER)
        keep(key, parts)
      }
      return parts.join(session)
    },
  }
}

function sizeOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
