import type { ScreenState } from '@ondine/contract/casting'
import { PLAYER } from '@ondine/contract/constants'
import type { Image, Programme } from '@ondine/contract/entities'
import { fittingHeight } from '@ondine/contract/images'
import { castContentOf, castEpoch } from '../casting/cast-media.ts'
import type { LiveProgramme } from '../content/playable.ts'
import { maySkip } from '../engine/ad-breaks.ts'
import { NOTHING_READ, type PlayingAd, type Track } from '../engine/engine.ts'
import { isBehindLive } from '../engine/live-edge.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerSnapshot } from '../machine/player-machine.ts'
import { endOf, programmeStart } from '../machine/player-steps.ts'
import { programmeAfter } from '../opening/programmes.ts'

const TEXT_MAX = 500

/** The reported playback state for each state of the player. */
const PLAYBACK: Readonly<Record<string, ScreenState['playback']>> = {
  playing: 'playing',
  // While the screen buffers, its position does not advance, and playback resumes without a command. For phones,
  // this is loading.
  buffering: 'loading',
  ready: 'loading',
  paused: 'paused',
  ended: 'ended',
  error: 'failed',
}

/**
 * Returns the state that a screen reports to the service (V4-51, V4-55); undefined for a trailer.
 *
 * @param now milliseconds since the Unix epoch, by the service's clock
 * @param imageHeights the configured heights of pictures, in px (V3-50)
 */
export function receiverState(
  snapshot: PlayerSnapshot,
  now: number,
  imageHeights: readonly number[],
): ScreenState | undefined {
  const { context, value } = snapshot
  const { target, playable, reading, tracks, liveEpgProgram, nextAsset } = context
  const content = castContentOf(target)
  if (content === undefined) return undefined
  const isLive = playable?.live === true
  // At the end of an episode, the cast continues with the next episode.
  const goesOn = value.playback === 'ended' && endOf(context)?.kind === 'next'
  // During an advertisement, the position in a film does not advance, but the position on a channel does.
  const isHeld = goesOn || (reading.ad !== undefined && !isLive && value.playback === 'playing')
  const state = typeof value.playback === 'string' && !isHeld ? PLAYBACK[value.playback] : undefined
  return {
    content,
    streamType: isLive ? 'LIVE' : playable?.isSerie === true ? 'VOD_SERIES' : 'VOD_MOVIE',
    title: short(liveEpgProgram?.title ?? playable?.title ?? ''),
    subtitle: short(subtitleOf(context)),
    image: imageOf(playable?.backgroundImage ?? programmeImage(context), imageHeights),
    playback: state ?? 'loading',
    ...(isBlocked(context.error) && { isBlocked: true }),
    position: screenPosition(context),
    duration: isLive ? 0 : Math.max(0, reading.duration),
    canMove: canMove(context),
    ...(reading.ad && { ad: adOf(reading.ad) }),
    canStartOver: programmeStart(context) !== undefined,
    isLive,
    ...(liveEpgProgram !== null && { programme: programmeOf(liveEpgProgram, context.programmes) }),
    ...(isLive && canMove(context) && isBehindLive(reading.position, reading.edge) && { isBehindLive: true }),
    nextTitle: short(nextAsset?.title ?? ''),
    ...(snapshot.matches({ binge: 'counting' }) && { isCountingDown: true }),
    audio: languagesOf(tracks.audio),
    subtitles: languagesOf(tracks.subtitles),
    chosenAudio: chosenOf(tracks.audio) ?? '',
    chosenSubtitles: chosenOf(tracks.subtitles) ?? PLAYER.defaultSubtitle,
    volumePercent: Math.min(100, Math.max(0, context.muted ? 0 : context.volumePercent)),
    at: now,
  }
}

/**
 * Returns the position, as a screen counts it. Until the content has loaded, this is the position at which playback
 * will begin; undefined if the service has not named it yet.
 */
function screenPosition(context: PlayerSnapshot['context']): number | undefined {
  const { target, reading, assetStartTime, playable } = context
  if (reading !== NOTHING_READ) return Math.max(0, reading.position + castEpoch(context))
  // The start of an event that is on counts from the Unix epoch, but its positions count from its beginning.
  if (target.kind === 'asset' && playable?.live === true) return target.start
  return assetStartTime ?? (target.kind === 'trailer' ? undefined : target.start)
}

function programmeOf(
  current: LiveProgramme,
  programmes: readonly Programme[],
): NonNullable<ScreenState['programme']> {
  const { startutc: start, endutc: end } = current
  return { start, end, nextTitle: short(programmeAfter(programmes, current)?.title ?? '') }
}

/** Returns the picture of the current programme on a channel, because channels have no artwork. */
function programmeImage({ liveEpgProgram, programmes }: PlayerSnapshot['context']): Image | null | undefined {
  const programme = programmes.find(({ id }) => id === liveEpgProgram?.id)
  return programme?.isBlurred === true ? null : programme?.image
}

function adOf(playing: PlayingAd): NonNullable<ScreenState['ad']> {
  const { number, count } = playing
  return { number, count, canSkip: maySkip(playing) }
}

/** Returns whether the content did not play because it needs the parental code. */
export function isBlocked(error: PlayerSnapshot['context']['error']): boolean {
  return error?.refusal === 'invalidAccessCode'
}

/** Returns the channel of a programme, or the series of an episode; empty for all other content. */
export function subtitleOf({
  playable,
  liveEpgProgram,
}: Pick<PlayerSnapshot['context'], 'playable' | 'liveEpgProgram'>): string {
  if (liveEpgProgram !== null) return playable?.title ?? ''
  const series = playable?.metadatas['AD_SURTITLE']
  return playable?.isSerie === true && series !== undefined ? String(series) : ''
}

function short(text: string): string {
  return text.slice(0, TEXT_MAX)
}

/** Height of the artwork on phones, in px. */
const IMAGE_HEIGHT = 480

function imageOf(image: Image | null | undefined, heights: readonly number[]): string {
  const address = image == null ? '' : `${image.url}/${fittingHeight(IMAGE_HEIGHT, heights)}`
  return address.length > TEXT_MAX ? '' : address
}

const LANGUAGE = /^[A-Za-z0-9-]{1,35}$/
const MOST_LANGUAGES = 50

function languagesOf(tracks: readonly Track[]): string[] {
  const languages = tracks.map(({ language }) => language).filter((language) => LANGUAGE.test(language))
  return [...new Set(languages)].slice(0, MOST_LANGUAGES)
}

function chosenOf(tracks: readonly Track[]): string | undefined {
  const active = tracks.find(({ isActive }) => isActive)
  return active !== undefined && LANGUAGE.test(active.language) ? active.language : undefined
}
