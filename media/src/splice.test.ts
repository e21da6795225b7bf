import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { segmentation, spliceInsert, timeSignal } from '../test/splice-sections.ts'
import { layoutOfTrackSet } from './layout.ts'
import { breaksBetween, marksOf, readSplice, type TimedMark } from './splice.ts'
import { createTimeline } from './timeline.ts'

const DURATION = { durationMs: 30_000 }

describe('a section of SCTE 35', () => {
  it.each([
    ['out', { isOut: true }, { kind: 'out', durationMs: null }],
    ['out with a duration', { isOut: true, ...DURATION }, { kind: 'out', ...DURATION }],
    [
      'out at once, with a duration',
      { isOut: true, isImmediate: true, ...DURATION },
      { kind: 'out', ...DURATION },
    ],
    ['out of two components', { isOut: true, components: 2, ...DURATION }, { kind: 'out', ...DURATION }],
    ['in', { isOut: false }, { kind: 'in', durationMs: null }],
    ['cancelled', { isCancelled: true }, { kind: 'cancel', durationMs: null }],
  ])('with a splice_insert: %s', (_, options, mark) => {
    expect(readSplice(spliceInsert({ event: 0xfedcba98, ...options }))).toEqual([
      { by: 'insert', event: 0xfedcba98, ...mark },
    ])
  })

  it('with a time_signal: the beginning and the end of what its descriptors name', () => {
    const section = timeSignal(
      segmentation({ event: 1, type: 0x34, ...DURATION }),
      segmentation({ event: 2, type: 0x31 }),
      segmentation({ event: 3, type: 0x10, ...DURATION }),
      segmentation({ event: 4, isCancelled: true }),
      segmentation({ event: 5, type: 0x36, components: 3, upid: 12 }),
    )
    expect(readSplice(section)).toEqual([
      { kind: 'out', by: 0x34, event: 1, durationMs: 30_000 },
      { kind: 'in', by: 0x30, event: 2, durationMs: null },
      { kind: 'cancel', by: null, event: 4, durationMs: null },
      { kind: 'out', by: 0x36, event: 5, durationMs: null },
    ])
  })

  it('that is cut off, encrypted or of another kind marks nothing', () => {
    const section = timeSignal(segmentation({ event: 1, type: 0x34, upid: 200, ...DURATION }))
    for (let length = 0; length < section.length - 4; length++)
      expect(() => readSplice(section.subarray(0, length))).not.toThrow()
    const encrypted = Uint8Array.from(spliceInsert({ isOut: true }))
    encrypted[4] = 0x80
    expect(readSplice(encrypted)).toEqual([])
    const empty = Uint8Array.from(spliceInsert({ isOut: true }))
    empty[13] = 0
    expect(readSplice(empty)).toEqual([])
  })

  it('of random bytes never fails', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const bytes = Uint8Array.from({ length: 60 }, (_, index) => (seed * 2654435761 * (index + 7)) >>> 13)
      bytes[4] = 0
      bytes[13] = seed % 2 === 0 ? 5 : 6
      expect(Array.isArray(readSplice(bytes))).toBe(true)
    }
  })
})

describe('the marks of a live input', () => {
  it('are on its clock', () => {
    const trackSet = aTrackSet({ segments: 10 })
    for (const rendition of trackSet.renditions) rendition.startTicks = 100 * rendition.timescale
    const section = btoa(String.fromCharCode(...spliceInsert({ isOut: true, ...DURATION })))
    trackSet.splices = [{ seconds: 108, section }]
    const plan = { trackSet, firstSegment: 0, segmentCount: 10, mediaSequence: 0, discontinuitySequence: 0 }
    const timeline = createTimeline(layoutOfTrackSet(trackSet), [{ ...plan, startsAt: 1_000_000 }])
    expect(marksOf(timeline)).toEqual([{ kind: 'out', by: 'insert', event: 1, at: 1_008_000, ...DURATION }])
  })
})

describe('breaks', () => {
  const mark = (kind: TimedMark['kind'], at: number, more: Partial<TimedMark> = {}): TimedMark => ({
    kind,
    at,
    by: 'insert',
    event: 1,
    durationMs: kind === 'out' ? 30_000 : null,
    ...more,
  })
  const times = (...marks: TimedMark[]) =>
    breaksBetween(marks).map(({ startsAt, endsAt }) => [startsAt, endsAt])

  it('end as announced, or when the broadcaster returns', () => {
    expect(times(mark('out', 1000))).toEqual([[1000, 31_000]])
    expect(times(mark('out', 1000), mark('in', 20_000, { event: 9 }))).toEqual([[1000, 20_000]])
    expect(times(mark('out', 1000), mark('in', 40_000), mark('out', 50_000))).toEqual([
      [1000, 31_000],
      [50_000, 80_000],
    ])
  })

  it('that are announced several times are one', () => {
    expect(times(mark('out', 1000), mark('out', 1000), mark('out', 1010))).toEqual([[1000, 31_000]])
  })

  it('without a duration are left alone', () => {
    expect(times(mark('out', 1000, { durationMs: null }))).toEqual([])
  })

  it('that are called off do not take place, or end', () => {
    expect(times(mark('cancel', 500), mark('out', 1000))).toEqual([])
    expect(times(mark('cancel', 500, { event: 2 }), mark('out', 1000))).toEqual([[1000, 31_000]])
    expect(times(mark('out', 1000), mark('cancel', 11_000))).toEqual([[1000, 11_000]])
    expect(times(mark('cancel', 500, { by: null }), mark('out', 1000, { by: 0x34 }))).toEqual([])
  })

  it('contain the breaks within them, whose ends are not theirs', () => {
    const spot = { by: 0x30, event: 7, durationMs: 15_000 }
    expect(
      times(
        mark('out', 1000, { by: 0x34 }),
        mark('out', 1000, spot),
        mark('in', 16_000, { ...spot, durationMs: null }),
        mark('out', 16_000, spot),
        mark('in', 25_000, { by: 0x34 }),
      ),
    ).toEqual([[1000, 25_000]])
  })
})
