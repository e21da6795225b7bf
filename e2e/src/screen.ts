import { type FrameStamp, readFrameStrip } from '@ondine/demo/frame-strip'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** What the video element says of itself. */
export interface VideoState {
  position: number
  duration: number
  paused: boolean
  frames: number
  dropped: number
  audioBytes: number
}

/** The state of the page's video. */
export async function videoState(page: Page): Promise<VideoState> {
  return await page
    .locator('video')
    .first()
    .evaluate((element) => {
      const video = element as HTMLVideoElement & { webkitAudioDecodedByteCount?: number }
      const quality = video.getVideoPlaybackQuality()
      return {
        position: video.currentTime,
        duration: video.duration,
        paused: video.paused,
        frames: quality.totalVideoFrames - quality.droppedVideoFrames,
        dropped: quality.droppedVideoFrames,
        audioBytes: video.webkitAudioDecodedByteCount ?? 0,
      }
    })
}

/**
 * What is burned into the picture that is on the screen now: which film, and which second of it. Taken from a picture of
 * the screen, because a canvas gets nothing of an encrypted video.
 */
export async function burnedIn(page: Page): Promise<FrameStamp | null> {
  const { data, info } = await sharp(await page.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return readFrameStrip({ data, width: info.width, height: info.height })
}
