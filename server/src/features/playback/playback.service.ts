import type { Drm } from '@ondine/contract/playback'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import type { ChannelAir } from '../channels/channel-air.ts'
import { findPlayableChannel, ratingNow } from '../channels/channels.service.ts'
import {
  isVisible,
  needsParentalCode,
  type Playable,
  type Rated,
  requireActiveAccount,
  requirePlay,
  tenureFor,
  type Viewer,
} from '../entitlements/entitlements.service.ts'
import { beginRental } from '../entitlements/grants.service.ts'
import type { Seat } from './at-once.ts'
import { ENTRANCE } from './manifests.ts'
import { findPlayableAsset, type PlayableAsset, type PlayableMedia } from './playback.repository.ts'
import {
  type ChannelWindow,
  createSession,
  type LiveWindow,
  type ManifestFormat,
  type PlaybackContent,
  type SessionViewer,
} from './sessions.ts'

/** An asset that the viewer may play now, and the media that plays. */
export interface Admitted {
  asset: PlayableAsset
  media: PlayableMedia
}

/**
 * An asset, if the viewer may play it now; else the reason why not.
 *
 * @throws ServiceError those of `requirePlay`; notFound; noMediaFound while it is being prepared.
 */
export async function admitToAsset(
  db: Database,
  viewer: Viewer,
  assetId: number,
  now: number,
): Promise<Admitted> {
  const asset = await findPlayableAsset(db, assetId)
  if (!asset) throw new ServiceError('notFound')
  requirePlay(viewer, asPlayable(asset), now)
  if (asset.availability === 'withdrawn') throw new ServiceError('resourceNotActive')
  const [media] = asset.medias
  if (!media || asset.availability !== 'ready') throw new ServiceError('noMediaFound')
  return { asset, media }
}

/** What entitlement wants to know of an asset. */
export function asPlayable(asset: PlayableAsset): Playable {
  const { id, serieId, seasonId, packageIds, moralityLevel, adult, validFrom, validTo } = asset
  return { kind: 'asset', id, serieId, seasonId, packageIds, moralityLevel, adult, validFrom, validTo }
}

/**
 * Begins the rental by which a viewer who has been admitted plays an asset, where it has not begun (spec decision 49).
 *
 * @returns when it ends, in milliseconds since the Unix epoch; undefined for what plays by a package.
 * @throws ServiceError noViewingRights when it has ended meanwhile.
 */
export async function beginRentalOf(
  db: Database,
  viewer: Viewer,
  { asset }: Admitted,
  now: number,
): Promise<number | undefined> {
  const tenure = tenureFor(viewer, asPlayable(asset))
  if (!tenure) return undefined
  const until = tenure.slotSeconds === null ? tenure.until : await beginRental(db, tenure.grantId, now)
  if (until === undefined) throw new ServiceError('noViewingRights')
  return Number.isFinite(until) ? until : undefined
}

/**
 * Lets a viewer have a channel, or says why not.
 *
 * @throws ServiceError those of `requirePlay`; channelNotFound.
 */
export async function admitToChannel(
  db: Database,
  viewer: Viewer,
  channelId: number,
  now: number,
): Promise<void> {
  const channel = await findPlayableChannel(db, channelId)
  requireActiveAccount(viewer)
  if (!channel || !isVisible(viewer, channel)) throw new ServiceError('channelNotFound')
  requirePlay(viewer, channel, now)
}

/**
 * Lets a viewer begin with what a channel plays now: a level holds on channels too.
 *
 * @throws ServiceError notFound for a child below the level, invalidAccessCode where the parental code is needed,
 *   noMediaFound when the channel plays nothing.
 */
export async function admitToProgramme(
  air: ChannelAir,
  viewer: Viewer,
  channelId: number,
  window: ChannelWindow,
  now: number,
): Promise<void> {
  const rating = await air.ratingAt(channelId, window, now)
  if (!rating) throw new ServiceError('noMediaFound')
  if (!isVisible(viewer, rating)) throw new ServiceError('notFound')
  if (needsParentalCode(viewer, rating)) throw new ServiceError('invalidAccessCode')
}

/**
 * What is live, as far back as this viewer may watch it: not beyond what they may not see, because a player asks for all keys
 * of its manifest at once and stops where it is refused one.
 *
 * @param reachSeconds how far back the channel may be watched
 */
export async function liveWindowFor(
  air: ChannelAir,
  viewer: Viewer,
  channelId: number,
  reachSeconds: number,
  now: number,
): Promise<LiveWindow> {
  const window: LiveWindow = { kind: 'live', reachSeconds }
  const barred = (rating: Rated) => !isVisible(viewer, rating) || needsParentalCode(viewer, rating)
  return { ...window, since: await air.barredUntil(channelId, window, now, barred) }
}

/**
 * A live window whose players begin at `startsAt`, in milliseconds: at a programme's beginning, or anywhere in the time-shift.
 * All from there to live has to be there, and the viewer has to be allowed to see it.
 *
 * @throws ServiceError notFound, invalidAccessCode where what was on then may not be seen; noMediaFound for a time that
 *   is still to come, longer ago than the channel reaches back, or before a hole in its schedule.
 */
export async function beginningAt(
  air: ChannelAir,
  viewer: Viewer,
  channelId: number,
  window: LiveWindow,
  startsAt: number,
  now: number,
): Promise<LiveWindow> {
  const { reachSeconds = 0, since = 0 } = window
  const reached = startsAt <= now && startsAt >= now - reachSeconds * 1000
  const [first] = (await air.at(channelId, window, now))?.entries ?? []
  if (!reached || !first || first.startsAt > startsAt) throw new ServiceError('noMediaFound')
  if (startsAt < since) {
    const then: ChannelWindow = { kind: 'closed', from: startsAt, to: startsAt + 1 }
    await admitToProgramme(air, viewer, channelId, then, now)
    throw new ServiceError('noMediaFound')
  }
  return { ...window, startsAt }
}

/**
 * Lets a viewer begin with what the guide announces on a channel that plays from elsewhere; where it announces nothing, the
 * channel's own level holds alone.
 *
 * @throws ServiceError notFound, invalidAccessCode
 */
export async function admitToAnnounced(
  db: Database,
  viewer: Viewer,
  channelId: number,
  now: number,
): Promise<void> {
  const rating = await ratingNow(db, channelId, now)
  if (!rating) return
  if (!isVisible(viewer, rating)) throw new ServiceError('notFound')
  if (needsParentalCode(viewer, rating)) throw new ServiceError('invalidAccessCode')
}

function placeOf(seat: Seat | undefined): Pick<SessionViewer, 'deviceId' | 'signIn' | 'since'> {
  if (!seat) return {}
  const { deviceId, signIn, since } = seat
  return { signIn, since, ...(deviceId !== null && { deviceId }) }
}

/** A session that has begun: its token, and where a player finds things. */
export interface StartedSession {
  session: string
  url: string
  drm: Drm | null
}

/** Begins a session for a viewer who has been admitted. `encrypted` is false for clear media, which needs no keys. */
export function startSession(
  { keys }: Pick<Context, 'keys'>,
  viewer: Viewer | null,
  content: PlaybackContent,
  format: ManifestFormat,
  encrypted: boolean,
  seat?: Seat,
): StartedSession {
  const who =
    viewer?.accountId != null && viewer.profileId != null
      ? {
          accountId: viewer.accountId,
          profileId: viewer.profileId,
          ...placeOf(seat),
          hasGivenCode: viewer.hasGivenCode === true,
        }
      : null
  const session = createSession(keys, { viewer: who, content }, seat?.sessionId)
  return {
    session,
    url: `/play/${session}/${ENTRANCE[format]}${anchorOf(content, format)}`,
    drm: encrypted ? { keySystem: 'org.w3.clearkey', licenceUrl: `/play/${session}/licence` } : null,
  }
}

/** Where players of DASH begin (ISO/IEC 23009-1, annex C.4); HLS says so in its playlists. */
function anchorOf(content: PlaybackContent, format: ManifestFormat): string {
  if (format !== 'dash' || content.kind !== 'channel' || content.window.kind !== 'live') return ''
  const { startsAt } = content.window
  return startsAt === undefined ? '' : `#t=posix:${startsAt / 1000}`
}
