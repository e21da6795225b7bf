import type Shaka from 'shaka-player/dist/shaka-player.dash-es2021'
import { EngineError } from './player-error.ts'
import type { StreamKind } from './stream-kind.ts'

export type ShakaLibrary = typeof Shaka
export type ShakaPlayer = Shaka.Player

/**
 * The builds of Shaka. The DASH build is a third smaller to fetch and parse before the first frame than the full
 * build. Only relayed channels are HLS.
 */
const BUILDS: Record<StreamKind, () => Promise<{ default: ShakaLibrary }>> = {
  dash: () => import('shaka-player/dist/shaka-player.dash-es2021'),
  // The builds have the same classes, but their types are nominal.
  hls: async () =>
    (await import('shaka-player/dist/shaka-player.hls-es2021')) as unknown as { default: ShakaLibrary },
}

const loading = new Map<StreamKind, Promise<ShakaLibrary>>()

/**
 * Loads Shaka for a kind of streams once, and only on pages with a player.
 * @throws EngineError of kind `scripts`; a later call tries again
 */
export function loadShaka(kind: StreamKind = 'dash'): Promise<ShakaLibrary> {
  const library = loading.get(kind) ?? load(kind)
  loading.set(kind, library)
  return library
}

async function load(kind: StreamKind): Promise<ShakaLibrary> {
  try {
    const { default: shaka } = await BUILDS[kind]()
    shaka.polyfill.installAll()
    return shaka
  } catch (cause) {
    loading.delete(kind)
    throw new EngineError('scripts', 'scripts', cause)
  }
}
