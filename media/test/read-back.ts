import * as HLS from 'hls-parser'
import { parse } from 'mpd-parser'
import { type DashOptions, dashManifest } from '../src/dash.ts'
import { type HlsOptions, hlsMedia } from '../src/hls.ts'
import type { Window } from '../src/window.ts'

/** The options as the service sets them. */
export const OPTIONS: HlsOptions & DashOptions = {
  mediaBase: '/media/',
  keys: ({ trackSet }) => [{ uri: `key/${trackSet.encryption?.keyId}`, keyFormat: 'identity' }],
  utcTimingUrl: '/time',
}

/** Parses a media playlist with an independent reader. */
export function readHls(window: Window, slotId: string): HLS.types.MediaPlaylist {
  const playlist = HLS.parse(hlsMedia(window, slotId, OPTIONS) ?? '')
  if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected')
  return playlist
}

/** Parses a manifest with an independent reader. */
export function readDash(window: Window) {
  return parse(dashManifest(window, OPTIONS), { manifestUri: 'https://ondine.test/play/token/manifest.mpd' })
}

/** A segment of a manifest, placed on the clock by its Period and its own time. */
export interface DashSegment {
  representation: string
  period: string
  number: number
  /** Milliseconds on the manifest's timeline. */
  startsAt: number
  durationMs: number
}

/** Reads Periods, Representations and segments literally from the manifest, without a player's corrections. */
export function dashSegments(manifest: string): { periods: Map<string, string>; segments: DashSegment[] } {
  const periods = new Map<string, string>()
  const segments: DashSegment[] = []
  for (const [, period = '', start = '', body = ''] of manifest.matchAll(
    /<Period id="([\d.]+)" start="PT([\d.]+)S">(.*?)<\/Period>/gs,
  )) {
    periods.set(period, start)
    for (const [, representation = '', inner = ''] of body.matchAll(
      /<Representation id="([^"]+)"(.*?)<\/Representation>/gs,
    )) {
      segments.push(...representationSegments(representation, period, Number(start), inner))
    }
  }
  return { periods, segments }
}

function representationSegments(
  representation: string,
  period: string,
  start: number,
  inner: string,
): DashSegment[] {
  const attribute = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(inner)?.[1])
  const timescale = attribute('timescale')
  const offset = attribute('presentationTimeOffset')
  let number = attribute('startNumber')
  let time = 0
  const segments: DashSegment[] = []
  for (const [, t, d, r] of inner.matchAll(/<S(?: t="(\d+)")? d="(\d+)"(?: r="(\d+)")?\/>/g)) {
    if (t !== undefined) time = Number(t)
    for (let repeat = 0; repeat <= Number(r ?? 0); repeat++) {
      segments.push({
        representation,
        period,
        number,
        startsAt: start * 1000 + ((time - offset) / timescale) * 1000,
        durationMs: (Number(d) / timescale) * 1000,
      })
      number++
      time += Number(d)
    }
  }
  return segments
}
