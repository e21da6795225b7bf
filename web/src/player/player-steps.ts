import { PLAYER } from '@ondine/contract/constants'
import { NO_TRACKS } from './engine.ts'
import { seekable } from './live-edge.ts'
import type { Languages, Opened } from './playable.ts'
import type { PlayerContext } from './player-context.ts'
import { programmeAt } from './programmes.ts'

const SECOND_MS = 1000

/** What the opening found out, as the machine keeps it. */
export function takeOpened(context: PlayerContext, opened: Opened): Partial<PlayerContext> {
  const { playable } = opened
  return {
    ...opened,
    // On live the start is a place to seek to, once (V4-31); else playback begins there.
    toSeek: playable.live ? opened.assetStartTime : null,
    tracks: NO_TRACKS,
    error: null,
    speed: context.speed,
  }
}

/** Lets the engine load what was opened. */
export async function loadStream({
  parts,
  streamUrl,
  licenseData,
  assetStartTime,
  playable,
  selectedMedia,
}: PlayerContext) {
  if (streamUrl === null || selectedMedia === null) throw new TypeError('Nothing was opened')
  await parts.engine.load({
    url: streamUrl,
    licence: licenseData,
    startAt: playable?.live === true ? null : assetStartTime,
    languages: selectedMedia,
  })
}

/** Where playback is now, and what is on there. */
export function readEngine(context: PlayerContext): Partial<PlayerContext> {
  const reading = context.parts.engine.read()
  return { reading, liveEpgProgram: programmeNow({ ...context, reading }) }
}

/** What is on where playback is: behind the edge that is another programme than at it. */
export function programmeNow({ playable, programmes, reading, parts }: PlayerContext) {
  if (playable?.kind !== 'channel') return null
  const now = reading.epoch === null ? parts.now() / SECOND_MS : reading.epoch + reading.position
  return programmeAt(programmes, now) ?? null
}

/** Where the programme begins, in seconds of the presentation; undefined where one may not or cannot go back so far (V1-08). */
export function programmeStart({
  playable,
  liveEpgProgram,
  reading,
}: Pick<PlayerContext, 'playable' | 'liveEpgProgram' | 'reading'>): number | undefined {
  if (playable?.startOver !== true || liveEpgProgram === null || reading.epoch === null) return undefined
  return seekable(liveEpgProgram.startutc - reading.epoch, reading.range)
}

/** The one seek of a live start, if its target lies in the seek range (V4-31). */
export function pendingSeek({ toSeek, reading }: PlayerContext): number | undefined {
  return toSeek === null ? undefined : seekable(toSeek - (reading.epoch ?? 0), reading.range)
}

/** Whether a next asset is offered at the end: there is one, and episodes follow each other (V1-09). */
export function offersNext({ nextAsset, parts }: Pick<PlayerContext, 'nextAsset' | 'parts'>): boolean {
  return nextAsset !== null && parts.settings().bingeEnabled
}

/** What the binge rule looks at. A channel has no end, so that nothing is ever due on it. */
export function bingeSituation(context: PlayerContext) {
  const { reading, segments, bingeDismissed, parts } = context
  return {
    position: reading.position,
    durationSeconds: reading.epoch === null ? reading.duration : 0,
    segments,
    hasNext: offersNext(context),
    dismissed: bingeDismissed,
    ad: false,
    timingSeconds: parts.settings().bingeTiming,
  }
}

/** Sets the volume within its bounds; what is louder than nothing is heard. */
export function setVolume({ parts, muted }: PlayerContext, percent: number): void {
  const bounded = Math.min(100, Math.max(0, percent))
  parts.engine.setVolume(bounded)
  if (muted && bounded > 0) parts.engine.setMuted(false)
}

/** Mutes, or lets hear again: what was turned down to nothing comes back at the default (V9-01). */
export function toggleMute({ parts, muted, volumePercent }: PlayerContext): void {
  if (volumePercent === 0) parts.engine.setVolume(PLAYER.defaultVolume)
  parts.engine.setMuted(!muted && volumePercent > 0)
}

/** Keeps a choice of languages, here and for the next time (decision 21): what was chosen, never what stood beside it by itself. */
export function keepLanguages(context: PlayerContext, chosen: Partial<Languages>): Partial<PlayerContext> {
  if (context.selectedMedia === null) return {}
  const selectedMedia = { ...context.selectedMedia, ...chosen }
  context.parts.keepLanguages(chosen)
  return { selectedMedia }
}

/** Another try begins where the last one stopped. */
export function retryContext({ target, reading, playable }: PlayerContext): Partial<PlayerContext> {
  const moved = playable !== null && !playable.live && reading.position > 0
  return {
    error: null,
    loading: true,
    target: moved && target.kind === 'asset' ? { ...target, start: reading.position } : target,
  }
}
