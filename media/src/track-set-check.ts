import { segmentTimes } from './segment-times.ts'
import { TimelineError } from './timeline-error.ts'
import type { AudioRendition, Rendition, TextRendition, TrackSet, VideoRendition } from './track-set.ts'

const checked = new WeakSet<TrackSet>()

/**
 * Refuses a TrackSet that no manifest can be written from.
 * @throws TimelineError bad-identifier, duplicate-rendition, no-picture-no-sound, bad-rendition, bad-segments,
 *   bad-key, bad-thumbnails
 */
export function checkTrackSet(trackSet: TrackSet): void {
  if (checked.has(trackSet)) return
  if (!/^[0-9a-f]{32}$/.test(trackSet.id)) {
    throw new TimelineError('bad-identifier', `TrackSet ${JSON.stringify(trackSet.id)}`)
  }
  if (trackSet.encryption && !/^[0-9a-f]{32}$/i.test(trackSet.encryption.keyId.replaceAll('-', ''))) {
    throw new TimelineError('bad-key', `TrackSet ${trackSet.id}`)
  }
  const ids = new Set<string>()
  for (const rendition of trackSet.renditions) {
    checkRendition(rendition)
    if (ids.has(rendition.id)) throw new TimelineError('duplicate-rendition', `rendition ${rendition.id}`)
    ids.add(rendition.id)
  }
  if (!trackSet.renditions.some((rendition) => rendition.kind !== 'text')) {
    throw new TimelineError('no-picture-no-sound', `TrackSet ${trackSet.id}`)
  }
  checkThumbnails(trackSet)
  checked.add(trackSet)
}

function checkRendition(rendition: Rendition): void {
  const subject = `rendition ${rendition.id}`
  if (!/^[a-z0-9-]+$/.test(rendition.id) || rendition.id === 'thumbnails') {
    throw new TimelineError('bad-identifier', `rendition ${JSON.stringify(rendition.id)}`)
  }
  if (!isCount(rendition.timescale)) throw new TimelineError('bad-rendition', subject)
  if (rendition.segments.length === 0) throw new TimelineError('bad-segments', subject)
  for (const [ticks, count] of rendition.segments) {
    if (!isCount(ticks) || !isCount(count)) throw new TimelineError('bad-segments', subject)
  }
  if (rendition.kind === 'text') return
  // A codec string goes between quotes in both formats.
  const codecIsSound = /^[A-Za-z0-9.-]+$/.test(rendition.codec)
  const numbers = [rendition.bandwidth, rendition.averageBandwidth]
  if (rendition.kind === 'video') numbers.push(rendition.width, rendition.height)
  else numbers.push(rendition.channels, rendition.sampleRate)
  const rate = rendition.kind === 'video' ? rendition.frameRate : 1
  if (!codecIsSound || !numbers.every(isCount) || !(rate > 0 && Number.isFinite(rate))) {
    throw new TimelineError('bad-rendition', subject)
  }
}

function checkThumbnails({ id, thumbnails }: TrackSet): void {
  if (!thumbnails) return
  const { tileWidth, tileHeight, columns, rows, count, intervalSeconds } = thumbnails
  const countsAreSound = [tileWidth, tileHeight, columns, rows, count].every(isCount)
  if (!countsAreSound || !(intervalSeconds > 0 && Number.isFinite(intervalSeconds))) {
    throw new TimelineError('bad-thumbnails', `TrackSet ${id}`)
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

/** The video renditions of `trackSet`, in its order. */
export function videoRenditions(trackSet: TrackSet): VideoRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'video')
}

/** The audio renditions of `trackSet`, in its order. */
export function audioRenditions(trackSet: TrackSet): AudioRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'audio')
}

/** The text renditions of `trackSet`, in its order. */
export function textRenditions(trackSet: TrackSet): TextRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'text')
}

/** The audio that plays when nobody chose one: the source's default, or the first. */
export function defaultAudio(trackSet: TrackSet): AudioRendition | undefined {
  const audio = audioRenditions(trackSet)
  return audio.find((rendition) => rendition.isDefault) ?? audio[0]
}

const clocks = new WeakMap<TrackSet, Rendition>()

/**
 * The rendition that tells how long a TrackSet is and where it is cut: its first video, or on the radio its
 * default audio. Audio is never exactly as long as the picture, so one of them has to be the clock.
 * @throws TimelineError no-picture-no-sound
 */
export function clockRendition(trackSet: TrackSet): Rendition {
  let clock = clocks.get(trackSet)
  if (!clock) {
    clock = videoRenditions(trackSet)[0] ?? defaultAudio(trackSet)
    if (!clock) throw new TimelineError('no-picture-no-sound', `TrackSet ${trackSet.id}`)
    clocks.set(trackSet, clock)
  }
  return clock
}

/** How long a piece of `trackSet` plays, in milliseconds, rounded up. `firstSegment` counts from 1. */
export function playingTime(trackSet: TrackSet, firstSegment = 1, segmentCount?: number): number {
  const times = segmentTimes(clockRendition(trackSet))
  const from = firstSegment - 1
  const to = segmentCount === undefined ? times.count : from + segmentCount
  return ticksToMilliseconds(times.startTicks(to) - times.startTicks(from), times.timescale)
}

/**
 * How many segments from `firstSegment` on end within `milliseconds`: for cutting filler up to a round time.
 * Filler can only be cut between segments.
 */
export function segmentsWithin(trackSet: TrackSet, milliseconds: number, firstSegment = 1): number {
  const times = segmentTimes(clockRendition(trackSet))
  const from = firstSegment - 1
  const ticks = times.startTicks(from) + millisecondsToTicks(milliseconds, times.timescale)
  return Math.max(0, times.endedAt(ticks) - from)
}

/**
 * Whole milliseconds of `ticks`, rounded up: the next Span then never begins before the last frame has ended,
 * which players would cut off. The gap is below a millisecond, and players ignore it.
 */
export function ticksToMilliseconds(ticks: number, timescale: number): number {
  return Math.ceil((ticks * 1000) / timescale)
}

/** The ticks that have passed after whole `milliseconds`. */
export function millisecondsToTicks(milliseconds: number, timescale: number): number {
  return Math.floor((milliseconds * timescale) / 1000)
}
