import { forcedSubtitles } from '@ondine/contract/tracks'
import { highestWithin } from './layout.ts'
import { segmentTimes } from './segment-times.ts'
import type { Rendition, TextRendition, TrackSet, VideoRendition } from './track-set.ts'
import { audioRenditions, soundIn, textRenditions, videoRenditions } from './track-set-check.ts'

/** A viewer's choices for a download. */
interface DownloadChoice {
  /** ISO 639-2/T code of the audio language. */
  audio: string
  /** ISO 639-2/T code of the subtitle language; any other value for none. */
  subtitle: string
  /** Largest height of the video, in pixels; the best video if omitted. */
  height?: number | undefined
}

/**
 * Returns the renditions of a download: one video, one audio, and the subtitles in one language. The video is the
 * best within the chosen height, or the smallest if all are larger. If the audio language is missing, the default
 * audio replaces it. Subtitles for the deaf come along with the others of their language, and forced subtitles with
 * their audio, because they need hardly any space.
 */
export function downloadRenditions(trackSet: TrackSet, choice: DownloadChoice): Rendition[] {
  const sound = soundIn(audioRenditions(trackSet), choice.audio)
  return [
    videoWithin(videoRenditions(trackSet), choice.height),
    sound,
    ...spokenTexts(trackSet).filter(({ language }) => language === choice.subtitle),
    ...forcedSubtitles(textRenditions(trackSet), sound?.language ?? 'und', (one, other) => one === other),
  ].filter((rendition) => rendition !== undefined)
}

/** A height of video that a viewer can choose, with the expected size of the download in bytes. */
export interface DownloadQuality {
  height: number
  bytes: number
}

/**
 * Returns the heights of video that a viewer can choose, largest first. The sizes include the audio and subtitles
 * of `choice`.
 */
export function downloadQualities(
  trackSet: TrackSet,
  choice: Omit<DownloadChoice, 'height'>,
): DownloadQuality[] {
  const heights = new Set(videoRenditions(trackSet).map(({ height }) => height))
  return [...heights]
    .toSorted((one, other) => other - one)
    .map((height) => ({ height, bytes: expectedBytes(downloadRenditions(trackSet, { ...choice, height })) }))
}

/** Returns the languages that a viewer can choose, in the order of the TrackSet. */
export function downloadLanguages(trackSet: TrackSet): { audio: string[]; subtitle: string[] } {
  const audio = audioRenditions(trackSet)
    .filter(({ addition }) => addition === undefined)
    .map(({ language }) => language)
  const subtitle = spokenTexts(trackSet).map(({ language }) => language)
  return { audio: [...new Set(audio)], subtitle: [...new Set(subtitle)] }
}

/** Returns the TrackSet without thumbnails, and with the renditions `ids` only. Ignores unknown ids. */
export function withRenditions(trackSet: TrackSet, ids: readonly string[]): TrackSet {
  const renditions = trackSet.renditions.filter(({ id }) => ids.includes(id))
  return { ...trackSet, renditions, thumbnails: null }
}

/** Returns the TrackSet without the video above a height in pixels. If all video is higher, the lowest remains. */
export function withinHeight(trackSet: TrackSet, maximumHeight = Number.POSITIVE_INFINITY): TrackSet {
  const highest = highestWithin(videoRenditions(trackSet), maximumHeight)
  const renditions = trackSet.renditions.filter((each) => each.kind !== 'video' || each.height <= highest)
  return { ...trackSet, renditions }
}

/** Returns the number of segments of a rendition. */
export function segmentCount(rendition: Rendition): number {
  return segmentTimes(rendition).count
}

/** Returns the expected size of renditions in bytes. Subtitles count as 0. */
export function expectedBytes(renditions: readonly Rendition[]): number {
  const bits = renditions.map((rendition) =>
    rendition.kind === 'text' ? 0 : rendition.averageBandwidth * durationSeconds(rendition),
  )
  return Math.ceil(bits.reduce((sum, each) => sum + each, 0) / 8)
}

function durationSeconds({ segments, timescale }: Rendition): number {
  return segments.reduce((sum, [ticks, count]) => sum + ticks * count, 0) / timescale
}

function videoWithin(
  videos: readonly VideoRendition[],
  height = Number.POSITIVE_INFINITY,
): VideoRendition | undefined {
  const byHeight = videos.toSorted((a, b) => a.height - b.height || a.averageBandwidth - b.averageBandwidth)
  return byHeight.findLast((video) => video.height <= height) ?? byHeight[0]
}

/** Returns the full subtitles, without the forced ones. */
function spokenTexts(trackSet: TrackSet): TextRendition[] {
  return textRenditions(trackSet).filter(({ forced }) => !forced)
}
