import { type FrameStamp, readFrameStrip } from '@ondine/demo/frame-strip'
import type { Page } from 'playwright-core'

/** What the video element says of itself. */
export interface VideoState {
  position: number
  duration: number
  paused: boolean
  frames: number
  dropped: number
  audioBytes: number
  text: string
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
        text: '',
      }
    })
}

/** What is burned into the picture that is on the screen now: which film, and which second of it. */
export async function burnedIn(page: Page): Promise<FrameStamp | null> {
  const picture = await page
    .locator('video')
    .first()
    .evaluate((element) => {
      const video = element as HTMLVideoElement
      if (video.videoWidth === 0) return null
      const canvas = document.createElement('canvas')
      canvas.width = video.videoWidth
      canvas.height = video.videoHeight
      const context = canvas.getContext('2d', { willReadFrequently: true })
      if (!context) throw new Error('There is no canvas.')
      context.drawImage(video, 0, 0)
      // Only the rows of the strip travel; the rest would be megabytes.
      const rows = Math.ceil((canvas.height * 8) / 720) + 1
      const { data } = context.getImageData(0, canvas.height - rows, canvas.width, rows)
      let bytes = ''
      for (let start = 0; start < data.length; start += 32_768) {
        bytes += String.fromCharCode(...data.subarray(start, start + 32_768))
      }
      return { width: canvas.width, height: canvas.height, rows, strip: btoa(bytes) }
    })
  if (!picture) return null
  const { width, height, rows, strip } = picture
  const data = new Uint8Array(width * height * 4)
  data.set(Buffer.from(strip, 'base64'), width * (height - rows) * 4)
  return readFrameStrip({ data, width, height })
}
