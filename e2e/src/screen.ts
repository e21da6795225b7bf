import { type FrameStamp, readFrameStrip } from '@ondine/demo/frame-strip'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Presses the play button of a title's page. */
export async function pressPlay(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Lecture/ })
    .first()
    .click()
}

/** State of the video element. */
export interface VideoState {
  position: number
  duration: number
  paused: boolean
  frames: number
  audioBytes: number
}

/** Returns the state of the page's video. */
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
        audioBytes: video.webkitAudioDecodedByteCount ?? 0,
      }
    })
}

/**
 * Reads the burned-in film and second of the picture on the screen. It uses a screenshot, because a canvas
 * cannot read an encrypted video.
 */
export async function burnedIn(page: Page): Promise<FrameStamp | null> {
  const { data, info } = await sharp(await page.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return readFrameStrip({ data, width: info.width, height: info.height })
}
