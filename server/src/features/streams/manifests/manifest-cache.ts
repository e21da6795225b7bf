import type { Timeline } from '@ondine/media/timeline'
import type { Window } from '@ondine/media/window'
import { LRUCache } from 'lru-cache'
import { KeptManifest } from './kept-manifest.ts'

/** Cached bytes of manifests: what a few thousand channels need, or a few hundred films. */
const LARGEST_CACHE = 32 * 1024 * 1024

/** Cache of manifests. Each is written once for all viewers of the same window: equal windows give equal bytes. */
export interface ManifestCache {
  /**
   * @param name distinguishes the manifests of a window
   * @param write writes the manifest; null if there is none of that name
   */
  get(window: Window, name: string, write: () => string | null): KeptManifest | undefined
}

export function createManifestCache(): ManifestCache {
  const kept = new LRUCache<string, KeptManifest>({
    maxSize: LARGEST_CACHE,
    sizeCalculation: ({ size }) => size,
  })
  const names = new WeakMap<Timeline, number>()
  let count = 0

  function nameOf(timeline: Timeline): number {
    let name = names.get(timeline)
    if (name === undefined) names.set(timeline, (name = count++))
    return name
  }

  return {
    get: (window, name, write) => {
      const { timeline, kind, firstSpan, firstSegment, lastSpan, endSegment, ended } = window
      const key = `${nameOf(timeline)} ${name} ${kind} ${firstSpan}.${firstSegment} ${lastSpan}.${endSegment} ${ended}`
      const known = kept.get(key)
      if (known) return known
      const text = write()
      if (text === null) return undefined
      const manifest = new KeptManifest(text, () => {
        // `set` with the same value would not weigh it again.
        if (kept.peek(key) === manifest && kept.delete(key)) kept.set(key, manifest)
      })
      kept.set(key, manifest)
      return manifest
    },
  }
}
