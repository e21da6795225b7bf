import type { Session } from '@ondine/contract/accounts'
import { CONTINUE_WATCHING, PLAYER } from '@ondine/contract/constants'
import type { Asset, Category, Channel } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import type { LiveState } from '../../../design/time/live-state.ts'
import type { ItemContent, MediaChoice } from '../../../modals/modal-kinds.ts'
import { episodeNumbers } from '../../../words/episode-numbers.ts'
import { positionText } from '../../../words/format.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import type { SoldContent } from '../../rights/offers/offer-paths.ts'

/**
 * The main action for a title: a button to play it, a button to sign in, or a text that says why there is no
 * button.
 */
export type PlayAction =
  | { kind: 'play'; text: string; to: string; choice?: MediaQuestion }
  /** A signed-out viewer has to sign in first (V6-02). */
  | { kind: 'connect'; text: string; label: string; to: string }
  /** Locked content has no play button (V6-03). A text says what the viewer needs. */
  | { kind: 'locked'; text: string }
  /** For a suspended account, the button explains the suspension when it is pressed (V4-13). */
  | { kind: 'suspended'; text: string }
  | { kind: 'preparing'; text: string }

/** A choice among the media of an asset (V4-15). */
export interface MediaQuestion {
  itemContent: ItemContent
  medias: readonly MediaChoice[]
}

/** The fields of an asset that give the viewer's progress. */
type Watched = Pick<Asset, 'alreadyWatchedInPercent' | 'seekTime' | 'durationInSeconds'>

/**
 * Returns whether the viewer has begun an asset and not almost finished it (V4-49, spec 20). Such an asset resumes
 * at the last position (V4-30). Progress bars and the resume button use this function.
 */
export function isBegun(asset: Watched): boolean {
  return asset.alreadyWatchedInPercent >= CONTINUE_WATCHING.min && resumePosition(asset) > 0
}

/**
 * Returns whether the viewer has watched an asset almost to its end (V4-49, spec 20). Such an asset plays from
 * its beginning.
 */
export function isFinished({ alreadyWatchedInPercent }: Pick<Watched, 'alreadyWatchedInPercent'>): boolean {
  return alreadyWatchedInPercent > CONTINUE_WATCHING.max
}

/** Returns the remaining time of an asset in seconds (V3-17); 0 for a position beyond the end. */
export function remainingSeconds(asset: Pick<Asset, 'seekTime' | 'durationInSeconds'>): number {
  return Math.max(0, asset.durationInSeconds - asset.seekTime)
}

/**
 * Returns the start position of an asset in seconds: the last position, or 0 if that position is too close to the
 * beginning or the end (V4-30). Too close means within 30 s, or within 5 % of an asset shorter than ten minutes (spec
 * 44).
 */
export function startPosition(asset: Pick<Asset, 'seekTime' | 'durationInSeconds'>): number {
  const { seekTime, durationInSeconds } = asset
  const threshold =
    durationInSeconds < PLAYER.shortSeconds
      ? durationInSeconds * PLAYER.shortStartThresholdShare
      : PLAYER.startSeekThresholdSeconds
  return seekTime > threshold && seekTime < durationInSeconds - threshold ? seekTime : 0
}

/** Returns the position at which an asset resumes, in seconds; 0 for a finished asset (V4-49). */
export function resumePosition(asset: Watched): number {
  return isFinished(asset) ? 0 : startPosition(asset)
}

/**
 * Returns the main action for an asset: play it, sign in, or a text that says why it cannot be played.
 *
 * @param page path to which a signed-out viewer returns after signing in
 * @param episode whether the text of the button names the season and the episode, as on the page of a series
 */
export function assetAction(
  asset: Asset,
  { account }: Pick<Session, 'account'>,
  page: string,
  t: TFunction,
  episode = false,
): PlayAction {
  if (asset.availability.state === 'failed') return { kind: 'preparing', text: t('play.failed') }
  if (asset.availability.state === 'preparing') {
    return {
      kind: 'preparing',
      text: t('play.preparing', { percent: Math.round(asset.availability.percent) }),
    }
  }
  if (account === null) return connect(asset.title, page, t)
  const text = playText(asset, episode, t)
  if (account.status === 'SUSPENDED') return { kind: 'suspended', text }
  if (!asset.isIncludedInUserOffers) return { kind: 'locked', text: t('play.locked') }
  const to = `${pathOf('player')}?asset=${asset.idAsset}`
  if (asset.medias.length < 2) return { kind: 'play', text, to }
  const itemContent = { title: asset.title, image: asset.backgroundImage }
  return { kind: 'play', text, to, choice: { itemContent, medias: asset.medias } }
}

/** Returns the main action for an event that a channel carries: a text before the event, and to watch it live. */
export function broadcastAction(action: PlayAction, state: LiveState, t: TFunction): PlayAction {
  if (action.kind !== 'play' || state === 'done') return action
  if (state === 'starts') return { kind: 'preparing', text: t('play.notBegun') }
  return { ...action, text: t('play.watchLive') }
}

/**
 * Returns the content that the offers on an asset's page would unlock: the asset itself, if it is on sale and not
 * included in the viewer's offers. Signed-out viewers see offers too. Undefined if the page shows no offers.
 */
export function soldBy(
  { kind }: Pick<PlayAction, 'kind'>,
  {
    idAsset,
    linkedOffers,
    linkedTransactionalOffers,
  }: Pick<Asset, 'idAsset' | 'linkedOffers' | 'linkedTransactionalOffers'>,
): SoldContent | undefined {
  const isClosed = kind === 'locked' || kind === 'connect'
  return isClosed && linkedOffers.length + linkedTransactionalOffers.length > 0
    ? { contentId: idAsset, contentType: 'VOD_ASSET' }
    : undefined
}

/**
 * Like {@link soldBy}, but for a channel. The page of a free channel shows no offers to a signed-out viewer, who only
 * needs to sign in to watch the channel.
 */
export function channelSoldBy(
  { kind }: Pick<PlayAction, 'kind'>,
  { idChannel, item: { isFta } }: Pick<Channel, 'idChannel' | 'item'>,
): SoldContent | undefined {
  const isClosed = kind === 'locked' || (kind === 'connect' && !isFta)
  return isClosed ? { contentId: idChannel, contentType: 'CHANNEL' } : undefined
}

/**
 * Returns the main action for a series: as {@link assetAction} for the episode in `resume`, which the player finds
 * by the series.
 */
export function seriesAction(
  series: Pick<Category, 'idCatalog' | 'name' | 'resume'>,
  { account }: Pick<Session, 'account'>,
  page: string,
  t: TFunction,
): PlayAction {
  if (account === null) return connect(series.name, page, t)
  const to = `${pathOf('player')}?series=${series.idCatalog}`
  if (series.resume === undefined) return { kind: 'play', text: t('play.play'), to }
  const action = assetAction(series.resume, { account }, page, t, true)
  return action.kind === 'play' ? { kind: 'play', text: action.text, to } : action
}

/** Returns the main action for a channel, as {@link assetAction} does for an asset. */
export function channelAction(
  channel: Channel,
  { account }: Pick<Session, 'account'>,
  page: string,
  t: TFunction,
): PlayAction {
  if (account === null) return connect(channel.name, page, t)
  if (account.status === 'SUSPENDED') return { kind: 'suspended', text: t('play.watchLive') }
  if (!channel.isIncludedInUserOffers) return { kind: 'locked', text: t('play.lockedChannel') }
  return { kind: 'play', text: t('play.watchLive'), to: `${pathOf('player')}?channel=${channel.idChannel}` }
}

/**
 * Returns the player's path for the media that the viewer chose. The path contains the audio language, with which the
 * player starts. It contains no subtitles: the profile's choice of subtitles still holds.
 */
export function mediaPath(to: string, { audioLanguages: [audio] }: MediaChoice): string {
  return audio === undefined ? to : `${to}&${new URLSearchParams({ audio })}`
}

/**
 * Returns the path of the player for a trailer, which everyone may watch (V6-02). Undefined for content without a
 * trailer.
 */
export function trailerPath(content: { trailer: { idMedia: number } | null }): string | undefined {
  return content.trailer === null ? undefined : `${pathOf('player')}?trailer=${content.trailer.idMedia}`
}

function playText(asset: Asset, episode: boolean, t: TFunction): string {
  const start = resumePosition(asset)
  const numbers = episode ? episodeNumbers(asset.directMetadata) : undefined
  if (numbers !== undefined) {
    return t(start > 0 ? 'play.resumeEpisode' : 'play.episode', numbers)
  }
  return start > 0 ? t('play.resume', { position: positionText(start) }) : t('play.play')
}

function connect(title: string, page: string, t: TFunction): PlayAction {
  return {
    kind: 'connect',
    text: t('play.connect'),
    label: t('play.connectLabel', { title }),
    to: `${pathOf('auth-login')}?back=${encodeURIComponent(page)}`,
  }
}
