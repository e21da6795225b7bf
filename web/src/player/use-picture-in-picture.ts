import { type RefObject, useCallback, useSyncExternalStore } from 'react'

/** The picture in a window of its own above all others. */
export interface PictureInPicture {
  supported: boolean
  active: boolean
  toggle(): void
}

export function usePictureInPicture(video: RefObject<HTMLVideoElement | null>): PictureInPicture {
  const subscribe = useCallback(
    (changed: () => void) => {
      const element = video.current
      element?.addEventListener('enterpictureinpicture', changed)
      element?.addEventListener('leavepictureinpicture', changed)
      return () => {
        element?.removeEventListener('enterpictureinpicture', changed)
        element?.removeEventListener('leavepictureinpicture', changed)
      }
    },
    [video],
  )
  const active = useSyncExternalStore(subscribe, () => document.pictureInPictureElement != null)
  const toggle = useCallback(() => {
    const change =
      document.pictureInPictureElement === null
        ? video.current?.requestPictureInPicture()
        : document.exitPictureInPicture()
    // A browser that refuses leaves everything as it is.
    change?.catch(() => {})
  }, [video])
  // Firefox has a button of its own and no interface for it.
  return { supported: Reflect.get(document, 'pictureInPictureEnabled') === true, active, toggle }
}
