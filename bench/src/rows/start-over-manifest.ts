import { hlsMedia } from '@ondine/media/hls'
import { growingWindow } from '@ondine/media/window'
import { ratesInTurns } from '../rate.ts'
import type { Row } from '../row.ts'
import { syntheticChannel } from '../synthetic-channel.ts'

const SEGMENTS = 900
const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 15, 6)

/**
 * Measures the manifest of a start-over (watching the current programme from its beginning). Its window is one hour,
 * and each new segment requires a new manifest.
 */
export const startOverManifest: Row = {
  name: 'start-over-manifest',
  measure: async (effort) => {
    const channel = syntheticChannel(START, 4)
    const bytes = Buffer.alloc(512 * 1024)
    const playlist = (turn: number): string => {
      const from = START + (turn % 1800) * 4000
      const window = growingWindow(channel, from, from + HOUR_MS, from + 2 * HOUR_MS)
      if (!window) throw new Error('The channel does not reach back an hour.')
      return hlsMedia(window, 'v720', { mediaBase: '/media/', keys }) ?? ''
    }
    const count = playlist(100).split('#EXTINF').length - 1
    if (Math.abs(count - SEGMENTS) > 1) throw new Error(`The playlist has ${count} segments.`)
    const written = Buffer.from(playlist(100))
    const rates = ratesInTurns(
      (turn) => bytes.write(playlist(turn)),
      () => written.copy(bytes),
      effort,
    )
    return [
      {
        what: `build a 1 h start-over manifest: HLS playlist, ${SEGMENTS} segments, ${Math.round(written.length / 1000)} kB`,
        unit: '/s',
        values: rates.subject,
        target: { better: 'higher', mustReach: 100_000, aimsAt: 300_000 },
        reference: { what: 'a memory copy of its bytes', values: rates.reference },
      },
    ]
  },
}

const keys = () => [{ uri: 'key/00000000000000000000000000000001', keyFormat: 'identity' }]
