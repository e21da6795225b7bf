import { segmentTimes } from './segment-times.ts'
import { TimelineError } from './timeline-error.ts'
import type { AudioRendition, Rendition, TextRendition, TrackSet, VideoRendition } from './track-set.ts'
import { audioRenditions, checkTrackSet, textRenditions, videoRenditions } from './track-set-check.ts'

/** What a slot promises; the rendition behind it may change from Span to Span, its id never does. */
export type Slot = VideoSlot | AudioSlot | TextSlot

/** Distributes over the kinds, which a plain `Omit` would flatten into one. */
type Described<R extends Rendition> = R extends Rendition ? Omit<R, 'timescale' | 'segments'> : never
export type VideoSlot = Described<VideoRendition>
export type AudioSlot = Described<AudioRendition>
export type TextSlot = Described<TextRendition>

/**
 * The renditions of a Timeline, the same in all its Spans: HLS names them once for a whole channel, and DASH wants their
 * ids to be the same in every Period.
 */
export interface Layout {
  slots: readonly Slot[]
  /** The longest that any segment may be, in whole seconds: HLS fixes it for the life of a channel. */
  targetDurationSeconds: number
}

/** The rendition of a TrackSet behind each slot, by the slot's id; null where a text slot has nothing to show. */
export type RenditionMap = Readonly<Record<string, Rendition | null>>

/** The Layout of a film: each rendition is its own slot. */
export function layoutOfTrackSet(trackSet: TrackSet): Layout {
  checkTrackSet(trackSet)
  return { slots: trackSet.renditions.map(describe), targetDurationSeconds: targetDuration([trackSet]) }
}

/**
 * A Layout that all of `trackSets` fit: a video slot for each height, an audio slot for each language of the first of
 * them that has sound and of the others, a text slot for each language and kind.
 *
 * @param targetDurationSeconds at least this, so that later TrackSets of the usual cut fit too.
 */
export function layoutOfChannel(trackSets: readonly TrackSet[], targetDurationSeconds = 0): Layout {
  const video = new Map<string, VideoSlot>()
  const audio = new Map<string, AudioSlot>()
  const text = new Map<string, TextSlot>()
  for (const trackSet of trackSets) {
    checkTrackSet(trackSet)
    for (const rendition of videoRenditions(trackSet)) {
      addPeak(video, { ...describe(rendition), id: `v${rendition.height}` })
    }
    for (const rendition of audioRenditions(trackSet)) {
      const id = `a-${rendition.language.toLowerCase()}`
      if (!audio.has(id)) addPeak(audio, { ...describe(rendition), id, isDefault: audio.size === 0 })
      else addPeak(audio, { ...describe(rendition), id })
    }
    for (const rendition of textRenditions(trackSet)) {
      const kind = rendition.forced ? '-forced' : rendition.captions ? '-captions' : ''
      const id = `t-${rendition.language.toLowerCase()}${kind}`
      if (!text.has(id)) text.set(id, { ...describe(rendition), id })
    }
  }
  const slots = [
    ...[...video.values()].toSorted((a, b) => a.height - b.height),
    ...audio.values(),
    ...text.values(),
  ]
  if (video.size + audio.size === 0) throw new TimelineError('no-picture-no-sound', 'layout')
  return { slots, targetDurationSeconds: Math.max(targetDurationSeconds, targetDuration(trackSets)) }
}

function describe<R extends Rendition>(rendition: R): Described<R> {
  const { timescale: _timescale, segments: _segments, ...described } = rendition
  // The compiler cannot see that leaving two fields out of one kind leaves that kind.
  return described as Described<R>
}

/** Keeps the first description of a slot, with the highest rates of all that were seen. */
function addPeak<S extends VideoSlot | AudioSlot>(slots: Map<string, S>, slot: S): void {
  const known = slots.get(slot.id)
  slots.set(
    slot.id,
    known
      ? {
          ...known,
          bandwidth: Math.max(known.bandwidth, slot.bandwidth),
          averageBandwidth: Math.max(known.averageBandwidth, slot.averageBandwidth),
        }
      : slot,
  )
}

function targetDuration(trackSets: readonly TrackSet[]): number {
  // HLS compares durations rounded to the nearest second (RFC 8216 section 4.3.3.1).
  let longest = 1
  for (const rendition of trackSets.flatMap((trackSet) => trackSet.renditions)) {
    longest = Math.max(longest, Math.round(segmentTimes(rendition).longestSeconds()))
  }
  return longest
}

/**
 * Finds the rendition of `trackSet` for each slot of `layout`: for a picture the nearest height that is not above the
 * slot's, else the lowest; for sound the slot's language, else the TrackSet's default; for text the same language and
 * kind, or nothing.
 *
 * @param chosen names renditions for some slots instead, by the slots' ids.
 * @throws TimelineError missing-video, missing-audio, segment-too-long, unknown-slot, unknown-rendition
 */
export function mapOnto(
  layout: Layout,
  trackSet: TrackSet,
  chosen: Readonly<Record<string, string>> = {},
): RenditionMap {
  checkTrackSet(trackSet)
  for (const id of Object.keys(chosen)) {
    if (!layout.slots.some((slot) => slot.id === id)) throw new TimelineError('unknown-slot', `slot ${id}`)
  }
  const map: Record<string, Rendition | null> = {}
  for (const slot of layout.slots) {
    const name = chosen[slot.id]
    const rendition = name === undefined ? renditionFor(slot, trackSet) : renditionNamed(name, slot, trackSet)
    if (rendition && Math.round(segmentTimes(rendition).longestSeconds()) > layout.targetDurationSeconds) {
      throw new TimelineError('segment-too-long', `rendition ${rendition.id} of TrackSet ${trackSet.id}`)
    }
    map[slot.id] = rendition
  }
  return map
}

function renditionNamed(name: string, slot: Slot, trackSet: TrackSet): Rendition {
  const found = trackSet.renditions.find(({ id, kind }) => id === name && kind === slot.kind)
  if (!found)
    throw new TimelineError('unknown-rendition', `${slot.kind} rendition ${name} of TrackSet ${trackSet.id}`)
  return found
}

function renditionFor(slot: Slot, trackSet: TrackSet): Rendition | null {
  if (slot.kind === 'video') {
    const [lowest, ...higher] = videoRenditions(trackSet).toSorted((a, b) => a.height - b.height)
    if (!lowest) throw new TimelineError('missing-video', `TrackSet ${trackSet.id}`)
    return higher.findLast(({ height }) => height <= slot.height) ?? lowest
  }
  if (slot.kind === 'audio') {
    const all = audioRenditions(trackSet)
    const found =
      all.find(({ id }) => id === slot.id) ??
      all.find(({ language }) => language === slot.language) ??
      all.find(({ isDefault }) => isDefault) ??
      all[0]
    if (!found) throw new TimelineError('missing-audio', `TrackSet ${trackSet.id}`)
    return found
  }
  const all = textRenditions(trackSet)
  return (
    all.find(({ id }) => id === slot.id) ??
    all.find(
      (text) =>
        text.language === slot.language && text.forced === slot.forced && text.captions === slot.captions,
    ) ??
    null
  )
}
