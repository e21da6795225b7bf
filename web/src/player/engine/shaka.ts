import type Shaka from 'shaka-player/dist/shaka-player.dash-es2021'
import { EngineError } from './player-error.ts'

export type ShakaLibrary = typeof Shaka
export type ShakaPlayer = Shaka.Player

let loading: Promise<ShakaLibrary> | undefined

/**
 * Loads Shaka once, and only on pages with a player. Uses the DASH-only build, which is a third smaller to fetch
 * and parse before the first frame than the full build.
 * @throws EngineError of kind `scripts`; a later call tries again
 */
export function loadShaka(): Promise<ShakaLibrary> {
  loading ??= import('shaka-player/dist/shaka-player.dash-es2021').then(
    ({ default: shaka }) => {
      shaka.polyfill.installAll()
      return shaka
    },
    (cause: unknown) => {
      loading = undefined
      throw new EngineError('scripts', 'scripts', cause)
    },
  )
  return loading
}
