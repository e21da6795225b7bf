import { Readable } from 'node:stream'
import HLSVod from '@eyevinn/hls-vodtolive'
import { dashManifest } from '@ondine/media/dash'
import { hlsMedia } from '@ondine/media/hls'
import { slidingWindow, type Window } from '@ondine/media/window'
import { HLS_FILM_BANDWIDTHS, hlsFilmMedia, hlsFilmMultivariant } from '../peers/hls-film.ts'
import { ratesInTurns } from '../rate.ts'
import type { Row } from '../row.ts'
import { syntheticChannel } from '../synthetic-channel.ts'

const SEGMENTS = 10
const SEGMENT_MS = 4000
const START = Date.UTC(2026, 0, 15, 6)
const HOURS = 3

/** Measures how fast the manifests of successive live windows are written. */
export const liveManifest: Row = {
  name: 'live-manifest',
  measure: async (effort) => {
    const channel = syntheticChannel(START, HOURS)
    const windows = (HOURS * 3_600_000) / SEGMENT_MS - 2 * SEGMENTS
    const windowOf = (turn: number): Window => {
      const now = START + (SEGMENTS + 1 + (turn % windows)) * SEGMENT_MS
      const window = slidingWindow(channel, now, { seconds: (SEGMENTS * SEGMENT_MS) / 1000 })
      if (!window) throw new Error('The channel is off the air.')
      return window
    }
    const peer = await loadPeer()
    // Node concatenates strings lazily. Writing the bytes to a buffer forces Node to build the whole manifest.
    const bytes = Buffer.alloc(64 * 1024)
    const hls = (turn: number) => bytes.write(hlsMedia(windowOf(turn), 'v720', HLS) ?? '')
    const dash = (turn: number) => bytes.write(dashManifest(windowOf(turn), DASH))
    const reference = (turn: number) =>
      bytes.write(peer.film.getLiveMediaSequences(turn, BANDWIDTH, turn % peer.windows, 0))
    hold('ours', hlsMedia(windowOf(7), 'v720', HLS) ?? '')
    hold('the reference', peer.film.getLiveMediaSequences(7, BANDWIDTH, 7, 0))

    const hlsRates = ratesInTurns(hls, reference, effort)
    const dashRates = ratesInTurns(dash, reference, effort)
    return [
      {
        what: 'build a live manifest in process: HLS playlist, 10 segments',
        unit: '/s',
        values: hlsRates.subject,
        target: { better: 'higher', mustReach: 500_000, aimsAt: 700_000 },
        reference: { what: 'hls-vodtolive, same window', values: hlsRates.reference },
      },
      {
        what: 'build a live manifest in process: DASH, 10 segments of 7 renditions',
        unit: '/s',
        values: dashRates.subject,
        target: { better: 'higher', mustReach: 150_000, aimsAt: 400_000 },
        reference: { what: 'hls-vodtolive, one rendition', values: dashRates.reference },
        note: 'One DASH manifest has what a viewer of HLS asks for in seven playlists.',
      },
    ]
  },
}

const [, BANDWIDTH] = HLS_FILM_BANDWIDTHS
const HLS = {
  mediaBase: '/media/',
  keys: () => [{ uri: 'key/00000000000000000000000000000001', keyFormat: 'identity' }],
}
const DASH = { mediaBase: '/media/', utcTimingUrl: '/time', licenceUrl: 'licence' }

async function loadPeer(): Promise<{ film: HLSVod; windows: number }> {
  // The library adds segments to a window until their total length is at least this value, in seconds.
  process.env.SEQUENCE_DURATION = String(((SEGMENTS + 1) * SEGMENT_MS) / 1000)
  const film = new HLSVod('http://localhost/film/multivariant.m3u8')
  const text = (content: string) => Readable.from([Buffer.from(content)])
  await film.load(
    () => text(hlsFilmMultivariant()),
    (bandwidth) => text(hlsFilmMedia(bandwidth, 900)),
    () => text(''),
  )
  // The last windows of the film are shorter, so they are not measured.
  return { film, windows: film.getLiveMediaSequencesCount() - SEGMENTS }
}

function hold(what: string, playlist: string): void {
  const count = playlist.split('#EXTINF').length - 1
  if (count !== SEGMENTS) throw new Error(`${what} has ${count} segments in its window.`)
}
