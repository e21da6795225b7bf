import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, filmTimeline, type SpanPlan } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { closedWindow, growingWindow, slidingWindow, type Window, wholeWindow } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const LICENCE = 'https://ondine.test/play/token/licence'
const TRACK_SETS = [
  aTrackSet({ number: 1, segments: 4 }),
  aTrackSet({ number: 2, segments: 2, lastFrames: 30, clear: true }),
  aTrackSet({ number: 3, segments: 6, lastFrames: 1, audio: ['eng'], text: [] }),
  aTrackSet({ number: 4, segments: 3, heights: [360], clear: true, text: ['fra'] }),
  withLongSound(aTrackSet({ number: 5, segments: 5 })),
]
const LAYOUT = layoutOfChannel(TRACK_SETS)

/**
 * Makes the sound segments of `trackSet` longer than its video segments, by the maximum that a Layout allows. They
 * differ in real media too, because sound is cut at audio frames.
 */
function withLongSound(trackSet: TrackSet): TrackSet {
  for (const rendition of trackSet.renditions) {
    if (rendition.kind === 'audio')
      rendition.segments = [
        [Math.round(4.2 * 48_000), 1],
        [192_512, 4],
      ]
  }
  return trackSet
}

function channel(trackSets: readonly TrackSet[]) {
  const plans: SpanPlan[] = []
  for (const trackSet of trackSets) {
    const last = plans.at(-1)
    plans.push(appendSpan(last ? createSpan(LAYOUT, last) : null, trackSet, { startsAt: START }))
  }
  return createTimeline(LAYOUT, plans)
}

/**
 * Returns windows of every kind: the windows of a channel that plays these TrackSets, `now` milliseconds after the
 * start of the channel, and a window of each TrackSet as a film.
 */
function windowsOf(trackSets: readonly TrackSet[], now: number): Window[] {
  const timeline = channel(trackSets)
  const end = timeline.spans.at(-1)?.endsAt ?? START
  const at = Math.min(START + now, end)
  return [
    slidingWindow(timeline, at, { seconds: 30 }),
    slidingWindow(timeline, at, { seconds: 3600 }),
    growingWindow(timeline, START, at, end),
    closedWindow(timeline, START, end),
    wholeWindow(timeline),
    ...trackSets.map((trackSet) => wholeWindow(filmTimeline(trackSet))),
  ].filter((window) => window !== null)
}

/** Returns the violations of ISO/IEC 23009-1 and of DASH-IF's protection rules in a manifest. */
function faultsOf(manifest: string): string[] {
  const faults: string[] = []
  const longest = Number(/maxSegmentDuration="PT([\d.]+)S"/.exec(manifest)?.[1]) * 1000
  const { segments } = dashSegments(manifest)
  const tiles = [...manifest.matchAll(/timescale="1000" duration="(\d+)"/g)].map(([, ms]) => Number(ms))
  for (const durationMs of [...segments.map((segment) => segment.durationMs), ...tiles])
    if (!(durationMs <= longest)) faults.push(`a segment of ${durationMs} ms, at most ${longest}`)

  const periods = manifest.split('<Period ').slice(1)
  const isProtected = periods.map((period) => period.includes('<ContentProtection'))
  if (isProtected.some(Boolean) && !isProtected.every(Boolean))
    faults.push('protection begins in a later Period')
  for (const period of periods) {
    const sets = period.split('<AdaptationSet ').slice(1)
    for (const set of sets) {
      const media = /contentType="(\w+)"/.exec(set)?.[1]
      const keyIds = [...set.matchAll(/cenc:default_KID="([^"]*)"/g)].map(([, keyId]) => keyId)
      const wanted = isProtected[0] && (media === 'video' || media === 'audio') ? 1 : 0
      if (keyIds.length !== wanted) faults.push(`${keyIds.length} key ids in a set of ${media}`)
      for (const keyId of keyIds)
        if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(keyId ?? '')) faults.push(`key id ${keyId}`)
      if (media === 'text' && !/mimeType="application\/mp4".*codecs="wvtt".*initialization="/s.test(set))
        faults.push('a text that its Period does not move')
    }
    const ids = sets.map((set) => /^id="(\d+)"/.exec(set)?.[1])
    if (new Set(ids).size !== ids.length) faults.push(`AdaptationSets ${ids.join()}`)
  }
  for (const name of ['Laurl', 'laurl'] as const) {
    const urls = [...manifest.matchAll(new RegExp(`<dashif:${name} [^>]*>([^<]*)<`, 'g'))]
    for (const [, url] of urls) if (!URL.canParse(url ?? '')) faults.push(`${name} ${url} is not absolute`)
    if (urls.length > 0 && urls.length !== manifest.split('value="ClearKey1.0"').length - 1)
      faults.push(`${name} is not in each Period`)
  }
  return faults
}

describe('every DASH manifest', () => {
  it('follows the rules that players rely on, for any programmes at any time', () => {
    const programmes = fc.array(fc.constantFrom(...TRACK_SETS), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(programmes, fc.integer({ min: 5000, max: 120_000 }), (trackSets, now) => {
        for (const window of windowsOf(trackSets, now)) {
          for (const options of [OPTIONS, { ...OPTIONS, licenceUrl: LICENCE }]) {
            const manifest = dashManifest(window, options)
            expect(faultsOf(manifest)).toEqual([])
            expect(manifest.includes('aurl')).toBe(
              'licenceUrl' in options && manifest.includes('default_KID'),
            )
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('states a maximum segment duration that later updates keep', () => {
    const timeline = channel([TRACK_SETS[0]!, TRACK_SETS[4]!])
    const said = [8000, 30_000].map((later) => {
      const window = slidingWindow(timeline, START + later, { seconds: 8 }) as Window
      return /maxSegmentDuration="([^"]*)"/.exec(dashManifest(window, OPTIONS))?.[1]
    })
    expect(said).toEqual(['PT4.5S', 'PT4.5S'])
  })

  it('V4-31 lets a player of live begin with the last but one segment', () => {
    const timeline = channel([TRACK_SETS[0]!])
    const manifest = dashManifest(slidingWindow(timeline, START + 14_000, { seconds: 60 }) as Window, OPTIONS)
    const seconds = (name: string) => Number(new RegExp(`${name}="PT([\\d.]+)S"`).exec(manifest)?.[1])
    // Shaka subtracts both values from the end of the newest segment, and adds the longest duration, which is 4 s.
    const behind = seconds('suggestedPresentationDelay') + seconds('maxSegmentDuration') - 4
    expect(behind).toBe(2 * 4)
  })

  it('gives a clear programme of a channel a key id that no encrypted one has', () => {
    const timeline = channel([TRACK_SETS[1]!, TRACK_SETS[0]!])
    const manifest = dashManifest(slidingWindow(timeline, START + 4000) as Window, OPTIONS)
    expect(manifest).toContain('cenc:default_KID="00000000-0000-0000-0000-000000000002"')
  })

  it('of a clear film has no protection', () => {
    expect(dashManifest(wholeWindow(filmTimeline(TRACK_SETS[1]!)), OPTIONS)).not.toContain(
      'ContentProtection',
    )
  })
})
