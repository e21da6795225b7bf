/**
 * Time without progress after which a stall is reported, in seconds. It is longer than the time after which the player
 * requests a segment again.
 */
const STALL_SECONDS = 20
/** Longest time between two reports of a stall that goes on, in seconds. */
const LONGEST_SECONDS = 320
/** Time of progress after which a stall is over, in seconds. */
const STEADY_SECONDS = 10

/** The fields of a video that show its progress. */
type Watched = Pick<HTMLVideoElement, 'currentTime' | 'paused' | 'ended' | 'getVideoPlaybackQuality'>

/**
 * Returns a function to call every second. It returns true when a video that should play has made no progress for 20 s.
 * While the stall lasts, it returns true again after a further 40 s, then after 80 s, and so on, up to every 320 s. A
 * video makes progress if its position advances and, while the page is visible, its picture changes. A browser may draw
 * no picture of a hidden page.
 */
export function stallWatch(video: Watched, isVisible: () => boolean): () => boolean {
  let still = 0
  let moving = 0
  let patience = STALL_SECONDS
  let position = -1
  let frames = -1
  return () => {
    const now = { position: video.currentTime, frames: video.getVideoPlaybackQuality().totalVideoFrames }
    const hasPictures = now.frames > 0 && isVisible()
    const advances = now.position !== position && !(hasPictures && now.frames === frames)
    position = now.position
    frames = now.frames
    moving = advances ? moving + 1 : 0
    still = advances || video.paused || video.ended ? 0 : still + 1
    if (moving >= STEADY_SECONDS) patience = STALL_SECONDS
    if (still < patience) return false
    still = 0
    patience = Math.min(patience * 2, LONGEST_SECONDS)
    return true
  }
}
