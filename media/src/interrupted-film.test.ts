import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { type FilmBreak, interruptedTimeline, placedBreaks } from './interrupted-film.ts'
import { wholeWindow } from './window.ts'

const FILM = aTrackSet({ number: 1, segments: 6 })
const SPOT = aTrackSet({ number: 2, segments: 2 })
const OTHER = aTrackSet({ number: 3, segments: 3 })

const BREAKS: FilmBreak[] = [
  { before: 0, trackSets: [SPOT] },
  { before: 4, trackSets: [SPOT, OTHER] },
  { before: 6, trackSets: [OTHER] },
]

describe('a film with breaks', () => {
  it('plays them before, in and after the film, and nothing of the film twice', () => {
    const { spans } = interruptedTimeline(FILM, BREAKS)
    expect(
      spans.map(({ trackSet, firstSegment, segmentCount }) => [trackSet.id, firstSegment, segmentCount]),
    ).toEqual([
      [SPOT.id, 0, 2],
      [FILM.id, 0, 4],
      [SPOT.id, 0, 2],
      [OTHER.id, 0, 3],
      [FILM.id, 4, 2],
      [OTHER.id, 0, 3],
    ])
    expect(spans.map(({ mediaSequence }) => mediaSequence)).toEqual([0, 2, 6, 8, 11, 13])
  })

  it('says where its breaks are, in the film and in the Timeline', () => {
    const timeline = interruptedTimeline(FILM, BREAKS)
    const placed = placedBreaks(timeline, FILM)
    const lengths = timeline.spans.map(({ startsAt, endsAt }) => endsAt - startsAt)
    const [spot = 0, first = 0, , other = 0, second = 0] = lengths
    expect(placed.map(({ position }) => position)).toEqual([0, first, first + second])
    expect(placed.map(({ startsAt, endsAt }) => endsAt - startsAt)).toEqual([spot, spot + other, other])
    expect(placed[1]?.parts).toEqual([
      { startsAt: spot + first, endsAt: spot + first + spot },
      { startsAt: spot + first + spot, endsAt: spot + first + spot + other },
    ])
  })

  it('has a manifest whose segments follow one another', () => {
    const window = wholeWindow(interruptedTimeline(FILM, BREAKS))
    const { segments } = dashSegments(dashManifest(window, OPTIONS))
    expect(segments.length).toBeGreaterThan(0)
  })

  it('is the film itself without breaks', () => {
    const { spans } = interruptedTimeline(FILM, [])
    expect(spans).toHaveLength(1)
    expect(placedBreaks(interruptedTimeline(FILM, []), FILM)).toEqual([])
  })

  it('refuses a TrackSet without sound in a film that has one', () => {
    const silent = aTrackSet({ number: 4, segments: 2, audio: [] })
    expect(() => interruptedTimeline(FILM, [{ before: 0, trackSets: [silent] }])).toThrow(
      /has sound and the TrackSet has none/,
    )
  })

  it('has thumbnails for each of its parts, also from the middle of a tile', () => {
    const film = aTrackSet({ number: 1, segments: 60 })
    const timeline = interruptedTimeline(film, [
      { before: 0, trackSets: [SPOT] },
      { before: 30, trackSets: [SPOT] },
    ])
    const manifest = dashManifest(wholeWindow(timeline), OPTIONS)
    // A tile has 25 pictures, one per 4 s. So the second part, which begins at 120 s, begins in the second tile.
    const templates = [...manifest.matchAll(/<SegmentTemplate timescale="1000" [^>]*thumbnails[^\n]*/g)]
      .map(([template]) => template)
      .filter((template) => template.includes(film.id))
    expect(templates).toEqual([
      `<SegmentTemplate timescale="1000" duration="100000" startNumber="1" media="/media/${film.id}/thumbnails/$Number$.jpg"/>`,
      `<SegmentTemplate timescale="1000" presentationTimeOffset="120000" startNumber="2" media="/media/${film.id}/thumbnails/$Number$.jpg"><SegmentTimeline><S t="100000" d="100000" r="1"/></SegmentTimeline></SegmentTemplate>`,
    ])
  })
})
