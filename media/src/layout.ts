import { segmentTimes } from './segment-times.ts'
import { TimelineError } from './timeline-error.ts'
import type { AudioRendition, Rendition, TextRendition, TrackSet, VideoRendition } from './track-set.ts'
import {
  audioRenditions,
  checkTrackSet,
  clockRendition,
  soundIn,
  textRenditions,
  videoRenditions,
} from './track-set-check.ts'

/** A track that a manifest offers. Each Span may play another rendition in a slot. The slot's id never changes. */
export type Slot = VideoSlot | AudioSlot | TextSlot

/**
 * A rendition without the times of its segments. The conditional type applies `Omit` to each kind of rendition.
 * Applied to the union, `Omit` would keep only the fields that all kinds have.
 */
type Described<R extends Rendition> = R extends Rendition
  ? Omit<R, 'timescale' | 'segments' | 'startTicks'>
  : never
interface Offered {
  /**
   * Start of the first Span that the slot was made for, in milliseconds since the Unix epoch; undefined for a slot of
   * the first Layout. Earlier Spans play a rendition of an earlier slot instead (docs/decisions/0109).
   */
  offeredFrom?: number
}
export type VideoSlot = Described<VideoRendition> & Offered
export type AudioSlot = Described<AudioRendition> & Offered
export type TextSlot = Described<TextRendition> & Offered

/**
 * The slots of a Timeline. A multivariant HLS playlist names the slots once for a whole channel, and a slot has the
 * same id in every DASH Period.
 */
export interface Layout {
  slots: readonly Slot[]
  /** Maximum segment duration, in whole seconds. HLS fixes it for the lifetime of a channel. */
  targetDurationSeconds: number
}

/** The renditions of a TrackSet by the ids of their slots; null for a text slot without a matching text. */
export type RenditionMap = Readonly<Record<string, Rendition | null>>

/** Returns the Layout of a film, with one slot per rendition. */
export function layoutOfTrackSet(trackSet: TrackSet): Layout {
  checkTrackSet(trackSet)
  return { slots: trackSet.renditions.map(describe), targetDurationSeconds: targetDuration([trackSet]) }
}

/**
 * Returns a Layout that fits all of `trackSets`: a video slot for each height, an audio slot for each language,
 * and a text slot for each language and kind. The first audio slot is the default. Commentaries and descriptions have
 * no slot.
 *
 * @param targetDurationSeconds lower bound for the Layout's `targetDurationSeconds`. With it, later TrackSets of
 * the usual segment length fit too.
 */
export function layoutOfChannel(trackSets: readonly TrackSet[], targetDurationSeconds = 0): Layout {
  const video = new Map<string, VideoSlot>()
  const audio = new Map<string, AudioSlot>()
  const text = new Map<string, TextSlot>()
  for (const trackSet of trackSets) {
    checkTrackSet(trackSet)
    for (const rendition of videoRenditions(trackSet)) {
      addPeak(video, { ...describe(rendition), id: slotIdOf(rendition) })
    }
    for (const rendition of audioRenditions(trackSet)) {
      if (isAddition(rendition)) continue
      const id = slotIdOf(rendition)
      if (!audio.has(id)) addPeak(audio, { ...describe(rendition), id, isDefault: audio.size === 0 })
      else addPeak(audio, { ...describe(rendition), id })
    }
    for (const rendition of textRenditions(trackSet)) {
      const id = slotIdOf(rendition)
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

/** Returns the id of the slot that a rendition has in the Layout of a channel. */
function slotIdOf(rendition: Rendition): string {
  if (rendition.kind === 'video') return `v${rendition.height}`
  const language = rendition.language.toLowerCase()
  if (rendition.kind === 'audio') return `a-${language}`
  return `t-${language}${rendition.forced ? '-forced' : rendition.captions ? '-captions' : ''}`
}

/** Returns whether a rendition is a commentary or a description. These have no slot on a channel. */
function isAddition(rendition: Rendition): boolean {
  return rendition.kind === 'audio' && rendition.addition !== undefined
}

/**
 * Returns a Layout from {@link layoutOfChannel} that also offers the tracks of TrackSets that became ready later. The
 * slots keep their ids and the target duration stays, as HLS requires. The first video, the first sound and other
 * codecs get no slot, because earlier Spans have none. A track gets none either if one of the TrackSets would no longer
 * fit. Video below the lowest slot gets none, so that {@link layoutWithin} always keeps the same lowest slot. Returns
 * the same object if nothing changes.
 *
 * @param from start of the first Span that may use the new slots, in milliseconds since the Unix epoch
 */
export function growChannelLayout(layout: Layout, trackSets: readonly TrackSet[], from: number): Layout {
  const lowest = Math.min(...layout.slots.map((slot) => (slot.kind === 'video' ? slot.height : Infinity)))
  // A library has thousands of TrackSets, and mapping is slow. So map each one at most once, and only if it matters.
  const results = new Map<TrackSet, boolean>()
  const fitsAlready = (trackSet: TrackSet) => {
    const result = results.get(trackSet) ?? fits(layout, trackSet)
    results.set(trackSet, result)
    return result
  }
  const refused = new Set<string>()
  let grown = layout
  for (const trackSet of trackSets) {
    for (const rendition of trackSet.renditions) {
      if (isAddition(rendition) || (rendition.kind === 'video' && rendition.height < lowest)) continue
      const id = slotIdOf(rendition)
      const known = grown.slots.find((slot) => slot.id === id)
      const slot = known ? raise(known, rendition) : newSlot(rendition, from)
      if (slot === known || refused.has(id) || !hasStandIn(newSlot(rendition, from), layout)) continue
      if (!fitsAlready(trackSet)) continue
      // A raised slot plays the same renditions. A new one does not change what the others play, so it is enough to
      // map the TrackSets onto the new one.
      const alone = { ...layout, slots: [slot] }
      if (known || trackSets.every((one) => fits(alone, one) || !fitsAlready(one)))
        grown = withSlot(grown, slot)
      else refused.add(id)
    }
  }
  return grown
}

/** Returns whether Spans that are older than a slot can play something in the slot, with the same decoder. */
function hasStandIn(slot: Slot, older: Layout): boolean {
  if (slot.kind === 'text') return true
  const found = standIn(slot, older)
  return found !== undefined && found.kind !== 'text' && family(found) === family(slot)
}

function newSlot(rendition: Rendition, offeredFrom: number): Slot {
  const described = { ...describe(rendition), id: slotIdOf(rendition), offeredFrom }
  return described.kind === 'audio' ? { ...described, isDefault: false } : described
}

/** Returns a channel's Layout with a slot. Replaces the slot with the same id, or else adds the slot. */
function withSlot(layout: Layout, slot: Slot): Layout {
  const place = layout.slots.findIndex(({ id }) => id === slot.id)
  if (place >= 0) return { ...layout, slots: layout.slots.with(place, slot) }
  const slots = [...layout.slots, slot]
  const video = slots.filter((one) => one.kind === 'video')
  const others = slots.filter((one) => one.kind !== 'video')
  return { ...layout, slots: [...video.toSorted((a, b) => a.height - b.height), ...others] }
}

function fits(layout: Layout, trackSet: TrackSet): boolean {
  try {
    mapOnto(layout, trackSet)
    return true
  } catch (error) {
    if (error instanceof TimelineError) return false
    throw error
  }
}

/** Layouts by the Layout that they are a part of, and by their number of slots. */
const offered = new WeakMap<Layout, Map<number, Layout>>()

/** Returns a Layout without the slots that are offered only after `time`. Returns equal objects for equal results. */
export function layoutAt(layout: Layout, time: number): Layout {
  const slots = layout.slots.filter(({ offeredFrom = time }) => offeredFrom <= time)
  if (slots.length === layout.slots.length) return layout
  let ofLayout = offered.get(layout)
  if (!ofLayout) offered.set(layout, (ofLayout = new Map()))
  let known = ofLayout.get(slots.length)
  if (!known) ofLayout.set(slots.length, (known = { ...layout, slots }))
  return known
}

/**
 * Adds the other slots of `layout` to the renditions of a Span that is older than these slots. They play what the
 * Span's own slots play, so the Span stays valid: the nearest picture, the first sound, and no text.
 */
export function completeMap(layout: Layout, own: Layout, renditions: RenditionMap): RenditionMap {
  return Object.fromEntries(
    layout.slots.map((slot) => [slot.id, renditions[standIn(slot, own)?.id ?? ''] ?? null]),
  )
}

function standIn(slot: Slot, { slots }: Layout): Slot | undefined {
  const known = slots.find(({ id }) => id === slot.id)
  if (known || slot.kind === 'text') return known
  if (slot.kind === 'audio') return slots.find(({ kind }) => kind === 'audio')
  const videos = slots.filter(({ kind }) => kind === 'video') as VideoSlot[]
  return videos.findLast(({ height }) => height <= slot.height) ?? videos[0]
}

/**
 * Maximum number of sounds in the Layout of a live input, whose source may change its languages any number of
 * times.
 */
const MOST_LIVE_SOUNDS = 16

/** Maximum number of videos in the Layout of a live input, whose source may change its size any number of times. */
const MOST_LIVE_VIDEOS = 8

/** A higher bandwidth alone changes a slot only if it exceeds the slot's bandwidth by this factor. */
const NOTED_BANDWIDTH = 1.5

/**
 * Returns a Layout that also offers the tracks of `trackSet`. It is for live inputs, whose TrackSets are not known in
 * advance. {@link growChannelLayout} does the same for library channels. A single video shares the highest slot, which
 * describes the best video so far. Each of several videos has a slot of its height. Each text has a slot with the id of
 * its rendition, and so have the first {@link MOST_LIVE_SOUNDS} sounds. Slots keep their ids, and new slots are appended,
 * so that players find the slots of an earlier Layout again. Returns the same object if nothing changes.
 */
export function growLayout(layout: Layout, trackSet: TrackSet): Layout {
  checkTrackSet(trackSet)
  const slots: Slot[] = [
    ...growVideo(layout, videoRenditions(trackSet)),
    ...layout.slots.filter(({ kind }) => kind !== 'video'),
  ]
  for (const rendition of trackSet.renditions) {
    const { kind } = rendition
    if (kind === 'video') continue
    const place = slots.findIndex((slot) => slot.kind === kind && slot.id === rendition.id)
    const known = slots[place]
    if (known) slots[place] = raise(known, describe(rendition))
    else if (kind === 'text') slots.push(describe(rendition))
    else {
      const sounds = slots.filter((slot) => slot.kind === 'audio').length
      if (sounds < MOST_LIVE_SOUNDS) slots.push({ ...describe(rendition), isDefault: sounds === 0 })
    }
  }
  const isSame =
    slots.length === layout.slots.length && slots.every((slot, index) => slot === layout.slots[index])
  return isSame ? layout : { ...layout, slots }
}

/** Returns the video slots of a live input, lowest first, extended for the videos of a TrackSet. */
function growVideo({ slots }: Layout, videos: readonly VideoRendition[]): VideoSlot[] {
  const known = slots.filter((slot) => slot.kind === 'video')
  const [single] = videos
  const highest = known.at(-1)
  if (single && videos.length === 1)
    return [...known.slice(0, -1), highest ? raise(highest, describe(single)) : newVideo(known, single)]
  const grown = videos.reduce<VideoSlot[]>((before, video) => {
    const place = before.findIndex(({ height }) => height === video.height)
    const same = before[place]
    if (same) return before.with(place, raise(same, describe(video)))
    return before.length < MOST_LIVE_VIDEOS ? [...before, newVideo(before, video)] : before
  }, known)
  return grown.toSorted((a, b) => a.height - b.height)
}

/** Returns a slot for a video. Its id is new, also if an earlier slot of this id has another height by now. */
function newVideo(known: readonly VideoSlot[], video: VideoRendition): VideoSlot {
  const id = `v${video.height}`
  const isTaken = known.some((slot) => slot.id === id)
  return { ...describe(video), id: isTaken ? `${id}-${known.length + 1}` : id }
}

/**
 * Returns the slot with the highest values of both descriptions; `known` itself if the change does not matter to
 * players.
 */
function raise(known: VideoSlot, described: VideoSlot): VideoSlot
function raise(known: Slot, described: Slot): Slot
function raise(known: Slot, described: Slot): Slot {
  if (known.kind === 'text' || described.kind !== known.kind) return known
  const peak = peakOf(known, described)
  if (peak.kind === 'video' && described.kind === 'video')
    peak.height = Math.max(peak.height, described.height)
  const isNews =
    peak.bandwidth > known.bandwidth * NOTED_BANDWIDTH ||
    (peak.kind === 'video' &&
      known.kind === 'video' &&
      (['width', 'height', 'frameRate', 'codec'] as const).some((field) => peak[field] !== known[field]))
  return isNews ? peak : known
}

function describe<R extends Rendition>(rendition: R): Described<R> {
  const { timescale: _timescale, segments: _segments, startTicks: _startTicks, ...described } = rendition
  // TypeScript does not know the type of a generic rendition without some of its fields.
  return described as Described<R>
}

/** Adds a rendition to its slot, which keeps the highest values. */
function addPeak<S extends VideoSlot | AudioSlot>(slots: Map<string, S>, slot: S): void {
  const known = slots.get(slot.id)
  slots.set(slot.id, known ? peakOf(known, slot) : slot)
}

/** Returns the first description, but with the highest bandwidth, width, frame rate and codec level of both. */
function peakOf<S extends VideoSlot | AudioSlot>(known: S, slot: VideoSlot | AudioSlot): S {
  const peak = {
    ...known,
    bandwidth: Math.max(known.bandwidth, slot.bandwidth),
    averageBandwidth: Math.max(known.averageBandwidth, slot.averageBandwidth),
  }
  if (peak.kind === 'video' && slot.kind === 'video') {
    peak.width = Math.max(peak.width, slot.width)
    peak.frameRate = Math.max(peak.frameRate, slot.frameRate)
    // `avc1.PPCCLL` contains profile and level in hexadecimal digits. The greater of two such texts requires the
    // better decoder.
    if (family(slot) === family(peak) && slot.codec > peak.codec) peak.codec = slot.codec
  }
  return peak
}

/** Returns the codec family, which selects a decoder: `avc1` for `avc1.64001f`. */
function family({ codec }: { codec: string }): string {
  return codec.split('.', 1)[0] ?? codec
}

function targetDuration(trackSets: readonly TrackSet[]): number {
  // HLS compares durations rounded to the nearest second (RFC 8216 section 4.3.3.1).
  let longest = 1
  for (const rendition of trackSets.flatMap((trackSet) => trackSet.renditions)) {
    longest = Math.max(longest, Math.round(segmentTimes(rendition).longestSeconds()))
  }
  return longest
}

const layoutsWithin = new WeakMap<Layout, Map<number, Layout>>()

/**
 * Returns a Layout without the video slots above a height in pixels. If all slots are higher, keeps the lowest.
 * Returns the same object if nothing changes, and equal objects for equal arguments.
 */
export function layoutWithin(layout: Layout, maximumHeight: number): Layout {
  let ofLayout = layoutsWithin.get(layout)
  if (!ofLayout) layoutsWithin.set(layout, (ofLayout = new Map()))
  let known = ofLayout.get(maximumHeight)
  if (!known) ofLayout.set(maximumHeight, (known = limitSlots(layout, maximumHeight)))
  return known
}

/**
 * Returns the maximum height of the video that remains within a limit: the limit itself, or the lowest video's
 * height if all videos are higher.
 */
export function highestWithin(videos: readonly { height: number }[], maximumHeight: number): number {
  return Math.max(maximumHeight, Math.min(...videos.map(({ height }) => height)))
}

function limitSlots(layout: Layout, maximumHeight: number): Layout {
  const videos = layout.slots.filter((slot) => slot.kind === 'video')
  const highest = highestWithin(videos, maximumHeight)
  const slots = layout.slots.filter((slot) => slot.kind !== 'video' || slot.height <= highest)
  return slots.length === layout.slots.length ? layout : { ...layout, slots }
}

/**
 * Maximum difference between the cut times of a channel's renditions, in seconds. More than a frame of sound, and
 * less than viewers notice.
 */
const CUT_TOLERANCE_SECONDS = 0.25

/**
 * Finds the rendition of `trackSet` for each slot of `layout`. A video slot gets the greatest height that is not above
 * the height of the slot, else the lowest height. An audio slot gets its language, else the default sound of the
 * TrackSet. A text slot gets the same language and kind, or nothing. Video and audio must have the codec of the slot,
 * because players choose a decoder by the codec.
 *
 * @param chosen ids of renditions to use instead, by the id of their slot.
 * @throws TimelineError missing-video, missing-audio, codec-mismatch, segment-too-long, unaligned-rendition,
 * unknown-slot, unknown-rendition
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
    if (rendition) checkCuts(layout, trackSet, rendition)
    map[slot.id] = rendition
  }
  return map
}

/** Maps each slot of a Layout from {@link layoutOfTrackSet} to its own rendition. */
export function mapOntoOwn(layout: Layout, trackSet: TrackSet): RenditionMap {
  return Object.fromEntries(layout.slots.map((slot) => [slot.id, renditionNamed(slot.id, slot, trackSet)]))
}

/**
 * Verifies that a segment number means the same time in every rendition of a channel, except for the length of
 * audio frames.
 */
function checkCuts(layout: Layout, trackSet: TrackSet, rendition: Rendition): void {
  const subject = `rendition ${rendition.id} of TrackSet ${trackSet.id}`
  const times = segmentTimes(rendition)
  if (Math.round(times.longestSeconds()) > layout.targetDurationSeconds) {
    throw new TimelineError('segment-too-long', subject)
  }
  const clock = segmentTimes(clockRendition(trackSet))
  if (times === clock) return
  for (let index = Math.min(times.count, clock.count) - 1; index > 0; index--) {
    const apart = times.startTicks(index) / times.timescale - clock.startTicks(index) / clock.timescale
    if (Math.abs(apart) > CUT_TOLERANCE_SECONDS) throw new TimelineError('unaligned-rendition', subject)
  }
}

function renditionNamed(name: string, slot: Slot, trackSet: TrackSet): Rendition {
  const found = trackSet.renditions.find(({ id, kind }) => id === name && kind === slot.kind)
  if (!found)
    throw new TimelineError('unknown-rendition', `${slot.kind} rendition ${name} of TrackSet ${trackSet.id}`)
  return found
}

function renditionFor(slot: Slot, trackSet: TrackSet): Rendition | null {
  if (slot.kind === 'video') {
    const all = inCodecOf(slot, videoRenditions(trackSet), 'missing-video', trackSet)
    const [lowest, ...higher] = all.toSorted((a, b) => a.height - b.height)
    return higher.findLast(({ height }) => height <= slot.height) ?? lowest ?? null
  }
  if (slot.kind === 'audio') {
    const all = inCodecOf(slot, audioRenditions(trackSet), 'missing-audio', trackSet)
    return all.find(({ id }) => id === slot.id) ?? soundIn(all, slot.language) ?? null
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

/** Returns the renditions that a decoder for `slot` can play. @throws TimelineError if none of them is playable */
function inCodecOf<R extends VideoRendition | AudioRendition>(
  slot: VideoSlot | AudioSlot,
  renditions: readonly R[],
  missing: 'missing-video' | 'missing-audio',
  trackSet: TrackSet,
): R[] {
  if (renditions.length === 0) throw new TimelineError(missing, `TrackSet ${trackSet.id}`)
  const found = renditions.filter((rendition) => family(rendition) === family(slot))
  if (found.length === 0) {
    throw new TimelineError('codec-mismatch', `slot ${slot.id} and TrackSet ${trackSet.id}`)
  }
  return found
}
