import type { Timeline } from '@ondine/media/timeline'
import type { Window } from '@ondine/media/window'
import { KeptManifest } from './kept-manifest.ts'

/** Bytes of manifests that are kept: what a few thousand channels need, or a few hundred films. */
const LARGEST_CACHE = 32 * 1024 * 1024

/** Manifests, written once for all who watch the same window: equal windows are equal bytes. */
export interface ManifestCache {
  /**
   * @param name tells all manifests of a window apart
   * @param write writes the manifest; null when there is none of that name
   */
  get(window: Window, name: string, write: () => string | null): KeptManifest | undefined
}

export function createManifestCache(largest = LARGEST_CACHE): ManifestCache {
  const kept = new Map<string, KeptManifest>()
  const names = new WeakMap<Timeline, number>()
  let bytes = 0
  let count = 0

  function nameOf(timeline: Timeline): number {
    let name = names.get(timeline)
    if (name === undefined) names.set(timeline, (name = count++))
    return name
  }

  /** A Map remembers the order in which its entries came: the first are those of windows that have gone by. */
  function makeRoom(newest: string): void {
    for (const [oldest, old] of kept) {
      if (bytes <= largest || oldest === newest) break
      kept.delete(oldest)
      bytes -= old.size
    }
  }

  return {
    get: (window, name, write) => {
      const { timeline, kind, firstSpan, firstSegment, lastSpan, endSegment, ended } = window
      const key = `${nameOf(timeline)} ${name} ${kind} ${firstSpan}.${firstSegment} ${lastSpan}.${endSegment} ${ended}`
      const known = kept.get(key)
      if (known) return known
      const text = write()
      if (text === null) return undefined
      const manifest = new KeptManifest(text, (more) => {
        if (kept.get(key) !== manifest) return
        bytes += more
        makeRoom(key)
      })
      kept.set(key, manifest)
      bytes += manifest.size
      makeRoom(key)
      return manifest
    },
  }
}
