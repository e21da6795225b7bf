import type { AudioAddition } from '@ondine/contract/tracks'
import { NO_TEXT } from './span-segments.ts'
import { TimelineError } from './timeline-error.ts'
import type { AudioRendition, Rendition, TextRendition, TrackSet, VideoRendition } from './track-set.ts'

const checked = new WeakSet<TrackSet>()

/**
 * Rejects a TrackSet from which no manifest can be written.
 * @throws TimelineError bad-identifier, duplicate-rendition, no-picture-no-sound, bad-rendition, bad-segments, bad-key,
 * bad-thumbnails
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
  if (!/^[a-z0-9-]+$/.test(rendition.id) || ['thumbnails', NO_TEXT].includes(rendition.id)) {
    throw new TimelineError('bad-identifier', `rendition ${JSON.stringify(rendition.id)}`)
  }
  if (!isCount(rendition.timescale)) throw new TimelineError('bad-rendition', subject)
  const { startTicks = 0 } = rendition
  if (startTicks !== 0 && !isCount(startTicks)) throw new TimelineError('bad-rendition', subject)
  if (rendition.segments.length === 0) throw new TimelineError('bad-segments', subject)
  for (const [ticks, count] of rendition.segments) {
    if (!isCount(ticks) || !isCount(count)) throw new TimelineError('bad-segments', subject)
  }
  if (rendition.kind === 'text') return
  // HLS and DASH write the codec string between quotes.
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

/** Returns the video renditions of `trackSet`, in the order of its `renditions`. */
export function videoRenditions(trackSet: TrackSet): VideoRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'video')
}

/** Returns the audio renditions of `trackSet`, in the order of its `renditions`. */
export function audioRenditions(trackSet: TrackSet): AudioRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'audio')
}

/**
 * Returns the sound to play for a language: the main one of those that are no commentary and no description. If there
 * is none, returns the main one of all sounds.
 */
export function soundIn(sounds: readonly AudioRendition[], language: string): AudioRendition | undefined {
  const spoken = sounds.filter((sound) => sound.language === language && sound.addition === undefined)
  return mainSound(spoken) ?? mainSound(sounds)
}

/**
 * Returns the main one of several sounds: the default one, or else the first. Commentaries and descriptions count only
 * if there is nothing else.
 */
export function mainSound<
  Sound extends Pick<AudioRendition, 'isDefault'> & { addition?: AudioAddition | undefined },
>(sounds: readonly Sound[]): Sound | undefined {
  const spoken = sounds.filter(({ addition }) => addition === undefined)
  const candidates = spoken.length > 0 ? spoken : sounds
  return candidates.find(({ isDefault }) => isDefault) ?? candidates[0]
}

/** Returns the text renditions of `trackSet`, in the order of its `renditions`. */
export function textRenditions(trackSet: TrackSet): TextRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'text')
}

/** Returns the clock rendition, by which a TrackSet is cut and timed: its first video, else its first sound. */
export function clockRendition(trackSet: TrackSet): Rendition {
  checkTrackSet(trackSet)
  const found = videoRenditions(trackSet)[0] ?? audioRenditions(trackSet)[0]
  if (!found) throw new TimelineError('no-picture-no-sound', `TrackSet ${trackSet.id}`)
  return found
}
