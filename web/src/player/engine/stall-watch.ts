/**
 * Time without progress after which playback has stalled for good, in seconds. Longer than the time after which the
 * player requests a segment again.
 */
const STALL_SECONDS = 20

/** What shows whether a video makes progress. */
type Watched = Pick<HTMLVideoElement, 'currentTime' | 'paused' | 'ended' | 'getVideoPlaybackQuality'>

/**
 * Returns a function to call every second. It returns true each time that a video that should play has made no
 * progress for 20 s. A video makes progress if its position advances and, while the page is visible, its picture
 * changes. A browser may draw no picture of a hidden page.
 */
export function stallWatch(video: Watched, isVisible: () => boolean): () => boolean {
  let seconds = 0
  let position = -1
  let frames = -1
  return () => {
    const now = { position: video.currentTime, frames: video.getVideoPlaybackQuality().totalVideoFrames }
    const hasPictures = now.frames > 0 && isVisible()
    const advances = now.position !== position && !(hasPictures && now.frames === frames)
    position = now.position
    frames = now.frames
    seconds = advances || video.paused || video.ended ? 0 : seconds + 1
    if (seconds < STALL_SECONDS) return false
    seconds = 0
    return true
  }
}
