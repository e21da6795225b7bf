import { type RefObject, useCallback, useSyncExternalStore } from 'react'

/** Full screen of the whole player, including its controls. */
export interface Fullscreen {
  supported: boolean
  active: boolean
  toggle(): void
}

export function useFullscreen(root: RefObject<HTMLElement | null>): Fullscreen {
  const active = useIsFullscreen()
  const toggle = useCallback(() => {
    if (!isSupported()) return
    // A browser can reject the change. The player then stays as it is.
    const change = isActive() ? document.exitFullscreen() : root.current?.requestFullscreen()
    change?.catch(() => {})
  }, [root])
  return { supported: isSupported(), active, toggle }
}

/** Returns whether an element of the page fills the screen. */
export function useIsFullscreen(): boolean {
  return useSyncExternalStore(subscribe, isActive)
}

// iPhones show only videos in full screen. Their documents do not have these fields.
function isSupported(): boolean {
  const { fullscreenEnabled }: Partial<Document> = document
  return fullscreenEnabled ?? false
}

function isActive(): boolean {
  return document.fullscreenElement != null
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}
