import { useCallback, useSyncExternalStore } from 'react'

/** Picture-in-picture: the video in a separate window above all other windows. */
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
    // A browser can reject the change. The player then stays as it is.
    change.catch(() => {})
  }, [video])
  // Firefox has no API for picture-in-picture, so `supported` is false. Firefox shows a button of its own over the
  // video instead.
  return {
    supported: 'pictureInPictureEnabled' in document && document.pictureInPictureEnabled,
    active,
    toggle,
  }
}
