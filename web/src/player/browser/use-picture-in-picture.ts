import { useCallback, useSyncExternalStore } from 'react'

/** The picture in a separate window above all other windows. */
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
    // If the browser refuses, nothing changes.
    change.catch(() => {})
  }, [video])
  // Firefox has its own button for picture-in-picture, and no API.
  return {
    supported: 'pictureInPictureEnabled' in document && document.pictureInPictureEnabled,
    active,
    toggle,
  }
}
