import { type RefObject, useCallback, useSyncExternalStore } from 'react'

/** Full screen of the whole player, including its controls. */
export interface Fullscreen {
  supported: boolean
  active: boolean
  toggle(): void
}

export function useFullscreen(root: RefObject<HTMLElement | null>): Fullscreen {
  const active = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const toggle = useCallback(() => {
    // A browser can reject the change. The player then stays as it is.
    const change =
      document.fullscreenElement === null ? root.current?.requestFullscreen() : document.exitFullscreen()
    change?.catch(() => {})
  }, [root])
  return { supported: document.fullscreenEnabled, active, toggle }
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}
