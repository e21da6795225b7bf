import { useCallback, useSyncExternalStore } from 'react'

/** The picture in a window of its own above all others. */
export interface PictureInPicture {
  supported: boolean
  active: boolean
  toggle(): void
}

export function usePictureInPicture(video: HTMLVideoElement): PictureInPicture {
  const subscribe = useCallback(
    (changed: () => void) => {
      video.addEventListener('enterpictureinpicture', changed)
      video.addEventListener('leavepictureinpicture', changed)
      return () => {
        video.removeEventListener('enterpictureinpicture', changed)
        video.removeEventListener('leavepictureinpicture', changed)
      }
    },
    [video],
  )
  const active = useSyncExternalStore(subscribe, () => document.pictureInPictureElement != null)
  const toggle = useCallback(() => {
    const change =
      document.pictureInPictureElement === null
        ? video.requestPictureInPicture()
        : document.exitPictureInPicture()
    // A browser that refuses leaves everything as it is.
    change.catch(() => {})
  }, [video])
  // Firefox has a button of its own and no interface for it.
  return {
    supported: 'pictureInPictureEnabled' in document && document.pictureInPictureEnabled,
    active,
    toggle,
  }
}
