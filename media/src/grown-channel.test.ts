import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMedia, hlsMultivariant } from './hls.ts'
import { growChannelLayout, layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, type SpanPlan, withinHeight } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { slidingWindow, type Window } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const SHORT = aTrackSet({ number: 1, heights: [360], audio: ['fra'], text: [] })
const RICH = aTrackSet({ number: 2, heights: [360, 720], audio: ['fra', 'eng'], text: ['eng'] })
const BASE = layoutOfChannel([SHORT])

/** Two short films, a film that was planned before the layout grew, and the same film again. */
function planned(): SpanPlan[] {
  const plans: SpanPlan[] = []
  for (const trackSet of [SHORT, SHORT, RICH, RICH]) {
    const last = plans.at(-1)
    plans.push(appendSpan(last ? createSpan(BASE, last) : null, trackSet, { startsAt: START }))
  }
  return plans
}

const PLANS = planned()
const FROM = PLANS[3]!.startsAt
const GROWN = growChannelLayout(BASE, [SHORT, RICH], FROM)
const before = createTimeline(BASE, PLANS.slice(0, 3))
const after = createTimeline(GROWN, PLANS)
const windowAt = (timeline: typeof after, now: number) =>
  slidingWindow(timeline, now, { seconds: 120 }) as Window
const periodsOf = (window: Window) => dashManifest(window, OPTIONS).match(/<Period[^]*?<\/Period>/g) ?? []
const idsOf = (text: string) => [...text.matchAll(/<Representation id="([^"]+)"/g)].map(([, id]) => id)

describe('a channel whose layout grows', () => {
  it('appends the tracks of titles that became ready later, and keeps its slots', () => {
    expect(BASE.slots.map(({ id }) => id)).toEqual(['v360', 'a-fra'])
    expect(GROWN.slots.map(({ id, offeredFrom }) => [id, offeredFrom])).toEqual([
      ['v360', undefined],
      ['v720', FROM],
      ['a-fra', undefined],
      ['a-eng', FROM],
      ['t-eng', FROM],
    ])
    expect(GROWN.slots.filter((slot) => slot.kind === 'audio' && slot.isDefault)).toHaveLength(1)
    expect(growChannelLayout(GROWN, [RICH, SHORT], FROM + 1)).toBe(GROWN)
  })

  it('raises the peak of a slot that plays more than before', () => {
    const heavy = aTrackSet({ number: 3, heights: [360], audio: ['fra'], text: [] })
    const [video] = heavy.renditions
    if (video?.kind === 'video') video.bandwidth *= 2
    const [slot] = growChannelLayout(BASE, [heavy], FROM).slots
    expect(slot).toMatchObject({ id: 'v360', bandwidth: 2 * 360 * 4000 })
    expect(slot?.offeredFrom).toBeUndefined()
  })

  it('has no slot that would exclude a title, and none below its lowest picture', () => {
    const odd = aTrackSet({ number: 4, heights: [240, 360, 1080], audio: ['fra'], text: [] })
    for (const rendition of odd.renditions)
      if (rendition.kind === 'video' && rendition.height === 1080) rendition.codec = 'hvc1.1.6.L93.B0'
    expect(growChannelLayout(BASE, [SHORT, odd], FROM)).toBe(BASE)
    expect(growChannelLayout(BASE, [odd], FROM)).toBe(BASE)
  })

  it('stays silent if it began with a silent title, even when this title is gone', () => {
    const silent = aTrackSet({ number: 5, heights: [360], audio: [], text: [] })
    const layout = layoutOfChannel([silent])
    for (const ready of [[silent, RICH], [RICH]]) {
      const grown = growChannelLayout(layout, ready, FROM)
      expect(grown.slots.map(({ id }) => id)).toEqual(['v360', 'v720', 't-eng'])
    }
  })

  it('refuses a track only for titles that fit, wherever they are among the others', () => {
    /** A title whose English sound is cut at other times than its picture. */
    const uncut = (number: number, audio: string[], heights = [360]) => {
      const trackSet = aTrackSet({ number, heights, audio, text: [] })
      for (const rendition of trackSet.renditions)
        if (rendition.id === 'a-eng') rendition.segments = [[3 * 48_000, 15]]
      return trackSet
    }
    const titles = [RICH, aTrackSet({ number: 6, heights: [360], audio: ['fra', 'eng', 'deu'] })]
    const added = (...others: TrackSet[]) =>
      growChannelLayout(BASE, [...titles, ...others], FROM).slots.flatMap(({ id, offeredFrom }) =>
        offeredFrom === undefined ? [] : id,
      )
    expect(added()).toEqual(['v720', 'a-eng', 't-eng', 'a-deu', 't-fra'])
    expect(added(uncut(7, ['fra', 'eng']))).toEqual(['v720', 't-eng', 'a-deu', 't-fra'])
    // The only sound of this title fits no slot, so the title refuses none and brings none.
    expect(added(uncut(8, ['eng'], [360, 1080]))).toEqual(['v720', 'a-eng', 't-eng', 'a-deu', 't-fra'])
  })

  it('keeps every manifest until the first programme with the new tracks', () => {
    for (let now = START + 4000; now < FROM + 4000; now += 4000) {
      const [old, grown] = [windowAt(before, now), windowAt(after, now)]
      expect(dashManifest(grown, OPTIONS)).toBe(dashManifest(old, OPTIONS))
      expect(hlsMultivariant(grown)).toBe(hlsMultivariant(old))
      for (const { id } of BASE.slots) expect(hlsMedia(grown, id, OPTIONS)).toBe(hlsMedia(old, id, OPTIONS))
    }
  })

  it('offers the new tracks from then on, and keeps the Periods that were announced', () => {
    const announced = periodsOf(windowAt(after, FROM))
    const window = windowAt(after, FROM + 8000)
    const periods = periodsOf(window)
    expect(periods.map(idsOf)).toEqual([
      ['v360', 'a-fra'],
      ['v360', 'a-fra'],
      ['v360', 'v720', 'a-fra', 'a-eng', 't-eng'],
    ])
    expect(periods[1]).toBe(announced.at(-1))
    // The AdaptationSets of sounds and subtitles keep their ids.
    const setOf = (period = '', slot = '') =>
      new RegExp(`<AdaptationSet id="(\\d+)"(?:(?!</AdaptationSet>)[^])*id="${slot}"`).exec(period)?.[1]
    expect(setOf(periods[2], 'a-fra')).toBe(setOf(periods[1], 'a-fra'))
    const master = hlsMultivariant(window)
    for (const { id } of GROWN.slots) expect(master).toContain(`${id}.m3u8`)
  })

  it('has the same numbers and times in the playlists of new and of old tracks', () => {
    const window = windowAt(after, FROM + 8000)
    const [known, ...added] = ['v360', 'v720', 'a-eng', 't-eng'].map((id) => readHls(window, id))
    for (const playlist of added) {
      expect(playlist.mediaSequenceBase).toBe(known?.mediaSequenceBase)
      expect(playlist.discontinuitySequenceBase).toBe(known?.discontinuitySequenceBase)
      expect(playlist.segments).toHaveLength(known?.segments.length ?? 0)
    }
    // Older programmes play what they have played before.
    const uris = (id: string) => readHls(window, id).segments.map(({ uri }) => uri.split('/').at(-2))
    expect(new Set(uris('v720').slice(0, -2))).toEqual(new Set(['v360']))
    expect(uris('v720').slice(-2)).toEqual(['v720', 'v720'])
    expect(new Set(uris('a-eng').slice(0, -2))).toEqual(new Set(['a-fra']))
  })

  it('plays a programme that was planned before, even if it does not fit the new slots', () => {
    const short: TrackSet = {
      ...RICH,
      renditions: RICH.renditions.map((rendition) =>
        rendition.kind === 'audio' && rendition.language === 'eng'
          ? { ...rendition, segments: [[192_512, 3]] }
          : rendition,
      ),
    }
    const plans = PLANS.slice(0, 3).map((plan) =>
      plan.trackSet === RICH ? { ...plan, trackSet: short } : plan,
    )
    const [, , span] = createTimeline(GROWN, plans).spans
    expect(span?.renditions['a-eng']?.id).toBe('a-fra')
  })

  it('has the new sounds also below a maximum height', () => {
    const window = windowAt(withinHeight(after, 360), FROM + 8000)
    const { segments } = dashSegments(dashManifest(window, OPTIONS))
    expect(new Set(segments.map(({ representation }) => representation))).toEqual(
      new Set(['v360', 'a-fra', 'a-eng', 't-eng']),
    )
  })
})
