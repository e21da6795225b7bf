import { crc32, deflateSync } from 'node:zlib'
import { generator } from './random.ts'

/** Width of the pictures in pixels, as film studios deliver pictures. */
const WIDTH_OF_ART = 1920
const HEIGHT_OF_ART = 1080

/**
 * Draws a landscape of hills and sky as a PNG. Each `index` gives another landscape. It has soft and sharp parts
 * with some grain, like a picture of a film.
 */
export function drawLandscape(index: number): Buffer {
  const rows = Buffer.alloc(HEIGHT_OF_ART * (1 + WIDTH_OF_ART * 3))
  const grain = generator(index + 1)
  for (let y = 0; y < HEIGHT_OF_ART; y++) {
    const row = y * (1 + WIDTH_OF_ART * 3) + 1
    for (let x = 0; x < WIDTH_OF_ART; x++) {
      let depth = 0
      while (depth < 6 && y > 300 + depth * 120 + 80 * Math.sin(x / (60 + depth * 40) + index + depth * 2))
        depth++
      const light = Math.max(0, 230 - depth * 30 - y / 12) + 8 * grain()
      rows[row + x * 3] = light * (0.5 + (index % 5) / 10)
      rows[row + x * 3 + 1] = light * 0.8
      rows[row + x * 3 + 2] = Math.min(255, light)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH_OF_ART, 0)
  header.writeUInt32BE(HEIGHT_OF_ART, 4)
  // 8 bits per sample, and colour type 2 (RGB).
  header.set([8, 2], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a chunk of a PNG file (PNG specification, 5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
