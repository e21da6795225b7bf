import { PLAYER } from '@ondine/contract/constants'
import type { Languages, Opened, PlayerTarget } from '../content/playable.ts'
import { NO_TRACKS, type Reading } from '../engine/engine.ts'
import { seekable } from '../engine/live-edge.ts'
import type { Opening } from '../opening/opening.ts'
import { programmeAt } from '../opening/programmes.ts'
import { type EndTarget, endTarget } from './end-target.ts'
import type { PlayerContext } from './player-context.ts'

const SECOND_MS = 1000

/** Converts the opened content to fields of the state machine's context. */
export function takeOpened(context: PlayerContext, opened: Opened): Partial<PlayerContext> {
  const { playable } = opened
  return {
    // Without these keys, the content has no such value. A value of the content that was open before does not apply.
    lengthSeconds: undefined,
    keepPosition: undefined,
    holder: undefined,
    breaks: undefined,
    ...opened,
    // On a live stream, the player seeks to the start once playback runs (V4-31). On other streams, playback begins at
    // the start position.
    toSeek: playable.live ? opened.assetStartTime : null,
    isOnTheWay: playable.live && opened.assetStartTime !== null,
    tracks: NO_TRACKS,
    error: null,
    // A channel begins at its live edge, where media arrives at the usual speed.
    speed: playable.live ? 1 : context.speed,
  }
}

/**
 * Opens content. Its session takes a place of the limit of simultaneous streams before the opening is over, so the
 * reports begin with the session. Closes the session if the opening fails.
 *
 * @param signal aborted when the viewer leaves, or opens other content. This closes the session, unless it has not begun
 * yet
 */
export async function openContent(
  { parts, target: { kind, id }, target }: Pick<PlayerContext, 'parts' | 'target'>,
  signal: AbortSignal,
): Promise<Opening> {
  const { reporter, now } = parts
  let hasBegun = false
  let hasFailed = false
  try {
    const begun = (session: string) => {
      if (signal.aborted || hasFailed) {
        reporter.drop(session)
        return
      }
      hasBegun = true
      reporter.about({ kind, id, session })
    }
    return await parts.open(target, begun, signal)
  } catch (error) {
    hasFailed = true
    // After an abort, the reports possibly concern other content.
    if (hasBegun && !signal.aborted) reporter.report({ type: 'close', position: undefined }, now())
    throw error
  }
}

/** Loads the opened stream into the engine. */
export async function loadStream({
  parts,
  streamUrl,
  licenseData,
  assetStartTime,
  playable,
  selectedMedia,
  breaks,
}: PlayerContext) {
  if (streamUrl === null || selectedMedia === null) throw new TypeError('No stream was opened')
  await parts.engine.load({
    url: streamUrl,
    licence: licenseData,
    startAt: playable?.live === true ? null : assetStartTime,
    languages: selectedMedia,
    breaks,
  })
}

/**
 * Reads the playback state, and finds the programme at the position of playback. After an error, the last reading
 * remains, because a retry continues from it.
 */
export function readEngine(context: PlayerContext): Partial<PlayerContext> {
  if (context.error !== null) return {}
  const reading = context.parts.engine.read()
  context.parts.adReporter.follow(reading.ad)
  return { reading, liveEpgProgram: programmeNow({ ...context, reading }) }
}

/**
 * Returns the programme at the position of playback. If playback is behind the live edge, this is possibly an earlier
 * programme than the programme on air.
 */
export function programmeNow({ playable, programmes, reading, parts }: PlayerContext) {
  if (playable?.kind !== 'channel') return null
  return programmeAt(programmes, broadcastTime(reading, parts)) ?? null
}

/**
 * Returns the time of the broadcast at the position of playback on a channel, in seconds since the Unix epoch. On a
 * stream without a wall clock, the live edge counts as the present.
 */
export function broadcastTime(
  { position, edge, epoch }: Reading,
  { now }: Pick<PlayerContext['parts'], 'now'>,
): number {
  return epoch === null ? now() / SECOND_MS - (edge - position) : epoch + position
}

/**
 * Returns the start of the programme or the event in seconds of the presentation. Undefined if the viewer may not start
 * over, or if the start is outside the seekable range (V1-08).
 */
export function programmeStart({
  playable,
  liveEpgProgram,
  reading,
}: Pick<PlayerContext, 'playable' | 'liveEpgProgram' | 'reading'>): number | undefined {
  if (playable?.startOver !== true || reading.epoch === null) return undefined
  if (playable.kind === 'asset') return reading.range.start
  if (liveEpgProgram === null) return undefined
  if (!liveEpgProgram.timeshiftEnabled) return undefined
  return seekable(liveEpgProgram.startutc - reading.epoch, reading.range)
}

/** Returns the position of the requested live start; undefined if it is outside the seekable range (V4-31). */
export function pendingSeek({ toSeek, reading }: PlayerContext): number | undefined {
  return toSeek === null ? undefined : seekable(toSeek - (reading.epoch ?? 0), reading.range)
}

/**
 * Returns whether the player offers a next asset at the end. It does if there is a next asset, and binge is
 * enabled (V1-09).
 */
export function offersNext({ nextAsset, parts }: Pick<PlayerContext, 'nextAsset' | 'parts'>): boolean {
  return nextAsset !== null && parts.settings().bingeEnabled
}

/**
 * Returns whether a recording or an event that was played while it ran goes on: because it has become longer since it was
 * opened, or because the viewer is behind the live edge of an event that may be watched afterwards.
 */
export async function goesOn({
  parts,
  target,
  playable,
  reading,
  toSeek,
  lengthSeconds = 0,
}: PlayerContext): Promise<boolean> {
  if ((await parts.lengthSeconds(target)) > lengthSeconds) return true
  const isBehind = !reading.followsLive || toSeek !== null
  return playable?.live === true && isBehind && (await parts.mayPlay(target.id))
}

/** Returns where the player goes after the end; undefined until the content has opened. */
export function endOf({ playable, nextAsset, bingeDismissed, parts }: PlayerContext): EndTarget | undefined {
  if (playable === null) return undefined
  const next = nextAsset?.isIncludedInUserOffers === true
  const binge = parts.settings().bingeEnabled
  return endTarget({ playable, next, binge, dismissed: bingeDismissed, from: parts.from() })
}

/**
 * Returns the input of {@link isBingeDue}. A recording that still grows has the duration 0, so the rule does not apply
 * to it. A channel has no next asset.
 */
export function bingeSituation(context: PlayerContext) {
  const { reading, segments, bingeDismissed, parts } = context
  return {
    position: reading.position,
    durationSeconds: reading.epoch === null ? reading.duration : 0,
    segments,
    hasNext: offersNext(context),
    dismissed: bingeDismissed,
    ad: reading.ad !== undefined,
    timingSeconds: parts.settings().bingeTiming,
  }
}

/** Sets the volume, limited to 0 to 100 percent. A volume above zero unmutes. */
export function setVolume({ parts, muted }: PlayerContext, percent: number): void {
  const bounded = Math.min(100, Math.max(0, percent))
  parts.engine.setVolume(bounded)
  if (muted && bounded > 0) parts.engine.setMuted(false)
}

/** Mutes or unmutes. If the volume is zero, sets the default volume and unmutes (V9-01). */
export function toggleMute({ parts, muted, volumePercent }: PlayerContext): void {
  if (volumePercent === 0) parts.engine.setVolume(PLAYER.defaultVolume)
  parts.engine.setMuted(!muted && volumePercent > 0)
}

/**
 * Uses the chosen languages for this playback, and stores them for later (spec 21). `chosen` has only what the
 * viewer has just chosen, for audio or for subtitles. Only this choice is stored.
 */
export function keepLanguages(context: PlayerContext, chosen: Partial<Languages>): Partial<PlayerContext> {
  if (context.selectedMedia === null) return {}
  const selectedMedia = { ...context.selectedMedia, ...chosen }
  context.parts.keepLanguages(chosen)
  return { selectedMedia }
}

/**
 * Returns the context for a retry, which starts at the last position, in the languages of the last choice. Ended content
 * starts at its beginning, a channel at its live edge.
 */
export function retryContext(context: PlayerContext): Partial<PlayerContext> {
  return {
    error: null,
    loading: true,
    // A late answer about the previous session must not stop the new opening.
    session: null,
    // The start of the previous opening. It would hide the start of the target.
    assetStartTime: null,
    target: retryTarget(context),
  }
}

/** Returns the target of a retry. Until its content has been open, this is the target as it was requested. */
function retryTarget(context: PlayerContext): PlayerTarget {
  const { target, reading, selectedMedia, hasEnded, toSeek } = context
  if (target.kind === 'trailer' || selectedMedia === null) return target
  const opened = { ...target, languages: selectedMedia }
  // The requested start still holds.
  if (toSeek !== null) return opened
  if (hasEnded) return { ...opened, start: context.playable?.live === true ? undefined : 0 }
  return reading.position > 0 ? { ...opened, start: retryStart(context), continues: true } : opened
}

/**
 * Returns the last position as the start of a target. Undefined for live content that begins at its live edge: because
 * the viewer followed the broadcast, or because a programme since the last position may only be watched live.
 */
function retryStart({ playable, programmes, reading, parts }: PlayerContext): number | undefined {
  const { position, epoch, followsLive } = reading
  if (playable?.live !== true) return position
  if (!playable.timeshift || followsLive) return undefined
  // The start of an event counts from its beginning.
  if (playable.kind === 'asset') return position
  if (epoch === null) return undefined
  const start = epoch + position
  const now = parts.now() / SECOND_MS
  const isRefused = programmes.some(
    ({ startutc, endutc, timeshiftEnabled }) => !timeshiftEnabled && startutc <= now && endutc > start,
  )
  return isRefused ? undefined : start
}
