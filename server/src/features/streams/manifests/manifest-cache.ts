import type { Timeline } from '@ondine/media/timeline'
import type { Window } from '@ondine/media/window'
import { LRUCache } from 'lru-cache'
import { inOwnMemory } from '../../../http/own-memory.ts'
import { PackedBody, type Qualities } from '../../../http/packed-body.ts'

/**
 * Maximum size of the cached manifests, in bytes: enough for a few thousand channels, or a few hundred films.
 * Compressed forms are much smaller and do not count.
 */
const LARGEST_CACHE = 32 * 1024 * 1024

/**
 * Compression levels, higher than for pages. They reduce the manifest of a window with sixty programmes from 8.6
 * kB to less than 7 kB.
 */
const QUALITIES: Qualities = { br: 5, gzip: 6 }

/** Returns the body of a manifest. */
export function packedManifest(text: string): PackedBody {
  return new PackedBody(inOwnMemory(text), QUALITIES)
}

/** Cache of manifests. Viewers of the same window share a manifest, because equal windows give equal bytes. */
export interface ManifestCache {
  /**
   * @param name distinguishes the manifests of a window
   * @param write writes the manifest; null if there is no manifest with that name
   */
  get(window: Window, name: string, write: () => string | null): PackedBody | undefined
}

export function createManifestCache(): ManifestCache {
  const kept = new LRUCache<string, PackedBody>({
    maxSize: LARGEST_CACHE,
    sizeCalculation: ({ body }) => body.length,
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
      const manifest = packedManifest(text)
      kept.set(key, manifest)
      return manifest
    },
  }
}
