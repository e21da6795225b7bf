import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Width of the picture, in pixels. `HEIGHT` is its height, and `SQUARE` the side of a square in its strip. */
const WIDTH = 640
const HEIGHT = 360
const SQUARE = 16
/** Number of squares for the time, one per bit. `CHECK_BITS` is the number of squares for the checksum. */
const TIME_BITS = 32
const CHECK_BITS = 8
const BITS = TIME_BITS + CHECK_BITS
const TIME_RANGE = 2 ** TIME_BITS
const FRAME_RATE = 25

/** A live signal. Each frame shows the time at which it was drawn. */
export interface ClockSignal {
  stop(): Promise<void>
}

/**
 * Sends a live signal over SRT, with frames that are drawn and encoded in real time, and silent audio. A row of
 * black and white squares in the middle of each frame encodes the time at which the frame was drawn.
 */
export function sendClock(port: number): ClockSignal {
  const encoder = spawn(
    'ffmpeg',
    [
      ...`-nostdin -v error -f rawvideo -pix_fmt gray -video_size ${WIDTH}x${HEIGHT} -framerate ${FRAME_RATE} -i pipe:0`.split(
        ' ',
      ),
      ...'-f lavfi -i anullsrc=r=48000:cl=stereo -c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p'.split(
        ' ',
      ),
      ...`-g ${2 * FRAME_RATE} -sc_threshold 0 -c:a aac -f mpegts -flush_packets 1`.split(' '),
      `srt://127.0.0.1:${port}?mode=caller&latency=200000&connect_timeout=10000`,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  // A broken pipe means that the signal was stopped.
  encoder.stdin.on('error', () => {})
  const startedAt = performance.now()
  let drawn = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * FRAME_RATE)
    for (; drawn < due; drawn++) encoder.stdin.write(drawClock(Date.now()))
  }, 5)
  const stop = () => encoder.kill('SIGKILL')
  process.once('exit', stop)
  return {
    stop: async () => {
      clearInterval(timer)
      process.off('exit', stop)
      if (encoder.exitCode !== null || encoder.signalCode !== null) return
      const ended = once(encoder, 'exit')
      stop()
      await ended
    },
  }
}

function drawClock(time: number): Buffer {
  const frame = Buffer.alloc(WIDTH * HEIGHT, 90)
  const value = time % TIME_RANGE
  const bits =
    value.toString(2).padStart(TIME_BITS, '0') + checksum(value).toString(2).padStart(CHECK_BITS, '0')
  const top = (HEIGHT - SQUARE) / 2
  for (let row = top; row < top + SQUARE; row++) {
    for (const [index, bit] of bits.split('').entries()) {
      const from = row * WIDTH + index * SQUARE
      frame.fill(bit === '1' ? 235 : 16, from, from + SQUARE)
    }
  }
  return frame
}

/** Returns the checksum of a time. It does not match if the strip changed during the read, or was covered. */
function checksum(value: number): number {
  return (Math.imul(value, 0x9e3779b1) >>> 24) ^ 0xa5
}

/**
 * Reads the time in the displayed frame from a screenshot, because a canvas cannot read an encrypted video.
 *
 * @returns milliseconds from the drawing of the frame to the end of the screenshot; undefined if the time is
 * unreadable
 */
export async function delayOnScreen(page: Page): Promise<number | undefined> {
  const box = await page.locator('video').first().boundingBox()
  if (!box) return undefined
  const scale = Math.min(box.width / WIDTH, box.height / HEIGHT)
  const clip = {
    x: box.x + (box.width - WIDTH * scale) / 2,
    y: box.y + box.height / 2 - 2,
    width: WIDTH * scale,
    height: 4,
  }
  const picture = await page.screenshot({ clip })
  const seenAt = Date.now()
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  const middle = Math.floor(info.height / 2) * info.width
  const bits = Array.from({ length: BITS }, (_, index) => {
    const at = Math.floor(((index + 0.5) * info.width) / BITS)
    return (data[(middle + at) * info.channels] ?? 0) > 127 ? '1' : '0'
  }).join('')
  const value = Number.parseInt(bits.slice(0, TIME_BITS), 2)
  if (Number.parseInt(bits.slice(TIME_BITS), 2) !== checksum(value)) return undefined
  return (seenAt % TIME_RANGE) - value
}
