import type { CastContent, CastMedia, ScreenState } from '@ondine/contract/casting'
import { castPosition, positionToContinue } from '../../features/viewing/casting/cast-target.ts'
import type { Languages, PlayerTarget } from '../content/playable.ts'
import { positionOf } from '../engine/engine.ts'
import type { PlaceAfterCast, PlayerContext } from '../machine/player-context.ts'

/**
 * Returns the content of a target, in the form for casting. Undefined for a trailer and for a download of this
 * device, because these cannot be cast.
 */
export function castContentOf({
  kind,
  id,
  offline,
}: Pick<PlayerTarget, 'kind' | 'id'> & { offline?: boolean | undefined }): CastContent | undefined {
  return kind === 'trailer' || offline === true ? undefined : { kind, id }
}

/**
 * Returns what to cast: the content of this player with its position and languages (V4-53, V4-55). A channel at
 * its live edge is cast as live. Otherwise, the screen begins at the position of this player, at the start that this
 * player has not reached yet, or at the beginning if the content has ended here.
 */
export function castMediaOf(
  {
    target,
    reading,
    playable,
    selectedMedia,
    toSeek,
  }: Pick<PlayerContext, 'target' | 'reading' | 'playable' | 'selectedMedia' | 'toSeek'>,
  hasEnded = false,
): CastMedia | undefined {
  const content = castContentOf(target)
  if (content === undefined) return undefined
  const pending = pendingPosition({ target, reading, toSeek })
  const position = hasEnded ? 0 : (pending ?? positionOf(reading) ?? null)
  const isAtEdge =
    playable?.live === true && pending === undefined && reading.position >= reading.edge - EDGE_SECONDS
  const startAt = position === null || isAtEdge ? null : position + castEpoch({ target, reading })
  return { content, startAt, ...castLanguages(selectedMedia) }
}

/** Returns the start that this player has not reached yet, in seconds of the stream; undefined if there is none. */
function pendingPosition({
  target,
  reading,
  toSeek,
}: Pick<PlayerContext, 'target' | 'reading' | 'toSeek'>): number | undefined {
  if (toSeek === null || target.kind === 'trailer') return undefined
  return target.kind === 'channel' ? toSeek - castEpoch({ target, reading }) : target.start
}

/** Returns whether two targets are the same content. */
export function isSameContent(
  { kind, id }: Pick<PlayerTarget, 'kind' | 'id'>,
  other: Pick<PlayerTarget, 'kind' | 'id'>,
): boolean {
  return kind === other.kind && id === other.id
}

/** Returns whether a screen plays the content of a target. */
export function isPlayed(
  media: Pick<ScreenState, 'content'> | null | undefined,
  target: Pick<PlayerTarget, 'kind' | 'id'>,
): boolean {
  return media != null && isSameContent(media.content, target)
}

/**
 * Creates a function to call with each state of a screen that plays the content of `target`. When the screen has moved
 * on to other content, such as the next episode, the function returns the other content. Until then, it returns
 * undefined.
 */
export function followContent(
  target: Pick<PlayerTarget, 'kind' | 'id'>,
): (media: Pick<ScreenState, 'content'> | null | undefined) => CastContent | undefined {
  // Until the screen plays `target`, it may still report the content that it played before the hand-over.
  let hasBegun = false
  return (media) => {
    if (isPlayed(media, target)) hasBegun = true
    else if (hasBegun) return media?.content
    return undefined
  }
}

/**
 * Creates a function to call with each new state of a screen. It returns the last state in which the screen played
 * `target`. When the screen no longer plays `target`, for example because another phone has stopped it, the returned
 * state is paused at the position of that moment.
 *
 * @param now milliseconds since the Unix epoch, by the service's clock
 */
export function followState(
  target: Pick<PlayerTarget, 'kind' | 'id'>,
): (media: ScreenState | null, now: number) => ScreenState | null {
  let last: ScreenState | null = null
  return (media, now) => {
    if (isPlayed(media, target)) last = media
    else if (last?.playback === 'playing')
      last = { ...last, playback: 'paused', position: castPosition(last, now) }
    return last
  }
}

/**
 * Returns the place at which playback continues in this browser (V4-52): the place of the screen, or of this player if
 * the screen has not reported a position of its content.
 *
 * @param state the last state in which the screen played the content; null if it has not played the content
 * @param now milliseconds since the Unix epoch, by the service's clock
 */
export function placeAfterCast(
  state: ScreenState | null,
  { target, reading, hasEnded, toSeek }: Pick<PlayerContext, 'target' | 'reading' | 'hasEnded' | 'toSeek'>,
  now: number,
): PlaceAfterCast {
  const position = state === null ? undefined : positionToContinue(state, now)
  if (state === null || position === undefined) {
    const pending = pendingPosition({ target, reading, toSeek })
    const followsLive = reading.followsLive && pending === undefined
    return { position: hasEnded ? 0 : (pending ?? reading.position), followsLive, hasEnded }
  }
  return {
    position: position - castEpoch({ target, reading }),
    followsLive: followsBroadcast(state),
    hasEnded: state.playback === 'ended',
  }
}

/** The content that a screen played when the viewer disconnected from it, and the position in seconds. */
export interface LeftContent extends Pick<PlayerTarget, 'kind' | 'id'> {
  position: number | undefined
}

/**
 * Returns `target` with the position of `left` as its start. If the target is other content, such as the next
 * episode, returns the target unchanged.
 */
export function continuedTarget(target: PlayerTarget, left: LeftContent | undefined): PlayerTarget {
  if (target.kind === 'trailer' || left?.position === undefined) return target
  if (!isSameContent(left, target)) return target
  return { ...target, start: left.position, continues: true }
}

/** Returns whether a screen follows a live broadcast, also while it buffers. */
export function followsBroadcast({ isLive, isBehindLive, playback }: ScreenState): boolean {
  return isLive && isBehindLive !== true && playback !== 'paused' && playback !== 'ended'
}

/**
 * Returns the seconds to add to a position of the player to get the screen's position. A screen counts positions
 * on a channel from the Unix epoch. All other positions count from the beginning of the content, even while the
 * content still grows.
 */
export function castEpoch({ target, reading }: Pick<PlayerContext, 'target' | 'reading'>): number {
  return target.kind === 'channel' ? (reading.epoch ?? 0) : 0
}

/** Greatest distance from the live edge that still counts as live, in seconds. */
const EDGE_SECONDS = 30

/** Returns the languages for a cast. For a missing language, uses the default of V4-55. */
export function castLanguages(
  languages: Partial<Languages> | null,
): Pick<CastMedia, 'idAudioLang' | 'idSubtitleLang' | 'subtitleCaptions'> {
  return {
    idAudioLang: languages?.audio ?? 'eng',
    idSubtitleLang: languages?.sub ?? 'non',
    ...(languages?.captions !== undefined && { subtitleCaptions: languages.captions }),
  }
}
