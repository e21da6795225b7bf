import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { OPTIONS } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMultivariant } from './hls.ts'
import { growLayout, type Layout, layoutWithin, mapOnto } from './layout.ts'
import { appendSpan, createSpan, createTimeline, type SpanPlan } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { slidingWindow, type Window } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const NONE: Layout = { slots: [], targetDurationSeconds: 4 }
const live = (number: number, ...heights: number[]) =>
  aTrackSet({ number, segments: 3, heights, audio: ['fra'], text: [] })
const LADDER = live(1, 1080, 720, 360)
const SINGLE = live(2, 1080)
const GROWN = growLayout(NONE, LADDER)

const idsOf = ({ slots }: Layout) => slots.map(({ id }) => id)
const playedBy = (layout: Layout, trackSet: TrackSet) =>
  Object.values(mapOnto(layout, trackSet)).map((rendition) => rendition?.id)

describe('issue 19: the layout of a live input with a ladder', () => {
  it('has a slot for each rendition, lowest first, and keeps them', () => {
    expect(idsOf(GROWN)).toEqual(['v360', 'v720', 'v1080', 'a-fra'])
    expect(growLayout(GROWN, LADDER)).toBe(GROWN)
    expect(playedBy(GROWN, LADDER)).toEqual(['v360', 'v720', 'v1080', 'a-fra'])
  })

  it('plays the only rendition of other media everywhere, such as the slate', () => {
    expect(growLayout(GROWN, SINGLE)).toBe(GROWN)
    expect(playedBy(GROWN, SINGLE)).toEqual(['v1080', 'v1080', 'v1080', 'a-fra'])
  })

  it('plays the nearest rendition of media that lacks one', () => {
    expect(playedBy(GROWN, live(3, 1080, 360))).toEqual(['v360', 'v360', 'v1080', 'a-fra'])
    const other = growLayout(GROWN, live(4, 576, 360))
    expect(idsOf(other)).toEqual(['v360', 'v576', 'v720', 'v1080', 'a-fra'])
    expect(playedBy(other, LADDER)).toEqual(['v360', 'v360', 'v720', 'v1080', 'a-fra'])
  })

  it('keeps the slot that the channel had before the ladder, with an id of its own', () => {
    // The only slot has the id of its first height, and the greatest height.
    const raised = growLayout(growLayout(NONE, live(5, 720)), live(6, 1080))
    expect(raised.slots[0]).toMatchObject({ id: 'v720', height: 1080 })
    const grown = growLayout(raised, LADDER)
    expect(idsOf(grown)).toEqual(['v360', 'v720-2', 'v720', 'a-fra'])
    expect(playedBy(grown, LADDER)).toEqual(['v360', 'v720', 'v1080', 'a-fra'])
  })

  it('has at most 8 pictures, whatever the source sends', () => {
    const grown = Array.from({ length: 20 }, (_, index) => live(index + 1, 100 + index, 50)).reduce(
      growLayout,
      NONE,
    )
    expect(grown.slots.filter(({ kind }) => kind === 'video')).toHaveLength(8)
    expect(() => mapOnto(grown, LADDER)).not.toThrow()
  })

  it('V4-25 holds a height back like a library channel', () => {
    expect(idsOf(layoutWithin(GROWN, 720))).toEqual(['v360', 'v720', 'a-fra'])
  })

  it('is written with all renditions, and different bandwidths also where all slots play one file', () => {
    const plans: SpanPlan[] = []
    for (const trackSet of [LADDER, SINGLE]) {
      const last = plans.at(-1)
      plans.push(appendSpan(last ? createSpan(GROWN, last) : null, trackSet, { startsAt: START }))
    }
    const window = slidingWindow(createTimeline(GROWN, plans), START + 24_000, { seconds: 60 }) as Window
    expect(
      [...hlsMultivariant(window).matchAll(/RESOLUTION=\d+x(\d+)/g)].map(([, height]) => height),
    ).toEqual(['360', '720', '1080'])
    const [, second] = dashManifest(window, OPTIONS).match(/<Period[^]*?<\/Period>/g) ?? []
    const rates = [...(second ?? '').matchAll(/<Representation id="v\d+"[^>]* bandwidth="(\d+)"/g)].map(
      ([, rate]) => Number(rate),
    )
    expect(rates).toHaveLength(3)
    expect(new Set(rates).size).toBe(3)
  })
})
