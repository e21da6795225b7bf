import type { Session } from '@ondine/contract/accounts'
import { CONTINUE_WATCHING, PLAYER } from '@ondine/contract/constants'
import type { Asset, Category, Channel } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import type { ItemContent, MediaChoice } from '../../modals/modal-kinds.ts'
import { positionText } from '../../words/format.ts'
import { pathOf } from '../links/content-link.ts'
import type { SoldContent } from '../offers/offer-paths.ts'

/** What stands where one would press play: a way to play, a way in, or the reason why there is neither. */
export type PlayAction =
  | { kind: 'play'; text: string; to: string; choice?: MediaQuestion }
  /** A visitor connects first (V6-02). */
  | { kind: 'connect'; text: string; label: string; to: string }
  /** Locked content has no play button (V6-03): what is missing stands in its place. */
  | { kind: 'locked'; text: string }
  /** A suspended account is told so when it asks (V4-13). */
  | { kind: 'suspended'; text: string }
  | { kind: 'preparing'; text: string }

/** An asset with more than one media, of which the viewer chooses one (V4-15). */
export interface MediaQuestion {
  itemContent: ItemContent
  medias: readonly MediaChoice[]
}

/** Whether the viewer has begun an asset and it is not as good as finished (V4-49, decision 20). */
export function isBegun(asset: Pick<Asset, 'alreadyWatchedInPercent'>): boolean {
  const { alreadyWatchedInPercent: percent } = asset
  return percent >= CONTINUE_WATCHING.min && percent <= CONTINUE_WATCHING.max
}

/** What is left of an asset, in seconds (V3-17). A position beyond the end leaves nothing. */
export function remainingSeconds(asset: Pick<Asset, 'seekTime' | 'durationInSeconds'>): number {
  return Math.max(0, asset.durationInSeconds - asset.seekTime)
}

/**
 * Where an asset starts, in seconds: at the place where the viewer stopped if that is far enough from both ends, else at 0
 * (V4-30). Far enough is more than 30 s, or 5 % of what is shorter than ten minutes (decision 44).
 */
export function startPosition(asset: Pick<Asset, 'seekTime' | 'durationInSeconds'>): number {
  const { seekTime, durationInSeconds } = asset
  const threshold =
    durationInSeconds < PLAYER.shortSeconds
      ? durationInSeconds * PLAYER.shortStartThresholdShare
      : PLAYER.startSeekThresholdSeconds
  return seekTime > threshold && seekTime < durationInSeconds - threshold ? seekTime : 0
}

/**
 * What a viewer can do with an asset.
 *
 * @param page path that a visitor comes back to after signing in
 * @param episode whether the words name season and episode, as on the page of a series
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

/**
 * What the page of an asset says how to unlock: the asset, where it is sold, and not included for who looks at it. A visitor sees it
 * too. Undefined where there is nothing to say.
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

/** The same for a channel. A free one is locked for nobody: a visitor only signs in. */
export function channelSoldBy(
  { kind }: Pick<PlayAction, 'kind'>,
  { idChannel, item: { isFta } }: Pick<Channel, 'idChannel' | 'item'>,
): SoldContent | undefined {
  const isClosed = kind === 'locked' || (kind === 'connect' && !isFta)
  return isClosed ? { contentId: idChannel, contentType: 'CHANNEL' } : undefined
}

/**
 * What a viewer can do with a series: begin it, or go on with the episode that comes with it. What that needs is said where it
 * is played.
 */
export function seriesAction(
  series: Pick<Category, 'idCatalog' | 'name' | 'resume'>,
  { account }: Pick<Session, 'account'>,
  page: string,
  t: TFunction,
): PlayAction {
  if (account === null) return connect(series.name, page, t)
  const text = series.resume === undefined ? t('play.play') : playText(series.resume, true, t)
  if (account.status === 'SUSPENDED') return { kind: 'suspended', text }
  return { kind: 'play', text, to: `${pathOf('player')}?series=${series.idCatalog}` }
}

/** What a viewer can do with a channel. */
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

/** Where an asset plays from the media that was chosen: its languages tell it from the others. */
export function mediaPath(to: string, { audioLanguages, subtitleLanguages }: MediaChoice): string {
  const [audio] = audioLanguages
  const [sub = PLAYER.defaultSubtitle] = subtitleLanguages
  return `${to}&${new URLSearchParams({ ...(audio === undefined ? {} : { audio }), sub })}`
}

/** Where the trailer of an asset or a series plays: for everyone (V6-02); undefined when there is none. */
export function trailerPath(content: { trailer: { idMedia: number } | null }): string | undefined {
  return content.trailer === null ? undefined : `${pathOf('player')}?trailer=${content.trailer.idMedia}`
}

function playText(asset: Asset, episode: boolean, t: TFunction): string {
  const start = startPosition(asset)
  const { AD_SERIESEA: season, AD_SERIESEP: number } = asset.directMetadata
  if (episode && season !== undefined && number !== undefined) {
    return t(start > 0 ? 'play.resumeEpisode' : 'play.episode', { season, episode: number })
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
