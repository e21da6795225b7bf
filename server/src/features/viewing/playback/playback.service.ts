import type { InputOf } from '@ondine/contract/operation'
import type { Drm, readAsset } from '@ondine/contract/playback'
import { growingWindow, LATEST_MEDIA_MS, windowStart } from '@ondine/media/window'
import type { Context } from '../../../context.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { isProvenForPlayback } from '../../people/parental/parental.service.ts'
import {
  isVisible,
  needsParentalCode,
  notAvailableBefore,
  type OffersFor,
  type Playable,
  type Rated,
  requireActiveAccount,
  requirePlay,
  tenureFor,
  type Viewer,
  viewerOf,
} from '../../rights/entitlements/entitlements.service.ts'
import { beginRental } from '../../rights/entitlements/grants.service.ts'
import { maximumHeightFor, outputRulesFor } from '../../rights/entitlements/output-rules.service.ts'
import { unlockingOffers } from '../../rights/orders/unlocking-offers.service.ts'
import { ENTRANCE } from '../../streams/manifests/manifests.service.ts'
import type { ChannelAir, RatedPiece } from '../../streams/on-air/on-air.service.ts'
import {
  type BoundedWindow,
  type ChannelWindow,
  createSession,
  type LiveWindow,
  type ManifestFormat,
  type PlaybackContent,
  type SessionViewer,
} from '../../streams/play-sessions/play-sessions.service.ts'
import { findPlayableChannel, ratingNow } from '../../television/channels/channels.service.ts'
import type { PlayableRecording } from '../recordings/recordings.service.ts'
import type { Seat } from './concurrency-limit.ts'
import { findPlayableAsset, type PlayableAsset, type PlayableMedia } from './playback.repository.ts'

export { writeLicence } from './clear-key.ts'
export { seekPositionsOf, storeSeekPositions } from './seek-positions.ts'

/**
 * Returns the viewer of a call for playback. A valid `proof` shows that the viewer has entered the parental code
 * (spec 28).
 */
export async function playerOf(
  context: Context,
  call: Call<'profile'>,
  proof: string | undefined,
): Promise<Viewer> {
  const [viewer, hasGivenCode] = await Promise.all([
    viewerOf(context, call, call.now),
    isProvenForPlayback(context, call.profile, proof),
  ])
  return { ...viewer, hasGivenCode }
}

/** Returns the function that finds the offers for content that is locked for the viewer of a call (spec 16). */
export function offersFor(
  { configurations, offers }: Pick<Context, 'configurations' | 'offers'>,
  { language, now, storefront }: Pick<Call, 'language' | 'now' | 'storefront'>,
): OffersFor {
  return (viewer, locked) =>
    unlockingOffers(offers, viewer, locked, { sells: configurations.of(storefront.id).offers, language, now })
}

/**
 * Returns the languages that a call requests.
 *
 * @throws ServiceError idAudioLangRequired, idSubtitleLangRequired
 */
export function requireLanguages({
  idAudioLang,
  idSubtitleLang,
}: Pick<InputOf<typeof readAsset>, 'idAudioLang' | 'idSubtitleLang'>): { audio: string; subtitle: string } {
  if (!idAudioLang) throw new ServiceError('idAudioLangRequired')
  if (!idSubtitleLang) throw new ServiceError('idSubtitleLangRequired')
  return { audio: idAudioLang, subtitle: idSubtitleLang }
}

/** Asset with a film that the viewer may play now. */
export interface Admitted {
  asset: PlayableAsset
  media: PlayableMedia
}

/** Live event that the viewer may play now, as a channel carries it. */
export interface AdmittedEvent {
  asset: PlayableAsset
  /** Times in milliseconds since the Unix epoch. */
  broadcast: { channelId: number; startsAt: number; endsAt: number }
}

/**
 * Returns an asset with a film if the viewer may play it now.
 *
 * @throws ServiceError as {@link admitToTitle}; noMediaFound for an event that a channel carries
 */
export async function admitToAsset(
  db: Database,
  viewer: Viewer,
  assetId: number,
  now: number,
  offersFor?: OffersFor,
): Promise<Admitted> {
  const admitted = await admitToTitle(db, viewer, assetId, now, offersFor)
  if ('broadcast' in admitted) throw new ServiceError('noMediaFound')
  return admitted
}

/**
 * Returns an asset if the viewer may play it now: with its film, or else as an event that a channel carries.
 *
 * @throws ServiceError the errors of `requirePlay`; notFound; noMediaFound while the asset is being prepared;
 * resourceNotActive if the asset is withdrawn, before an event that a channel carries, and before and after any event
 * for viewers whose only right is a purchase of this event
 */
export async function admitToTitle(
  db: Database,
  viewer: Viewer,
  assetId: number,
  now: number,
  offersFor?: OffersFor,
): Promise<Admitted | AdmittedEvent> {
  const asset = await findPlayableAsset(db, assetId)
  if (!asset) throw new ServiceError('notFound')
  requirePlay(viewer, asPlayable(asset), now, offersFor)
  if (!isOn(asset, now) && isBoughtEvent(viewer, asset)) {
    const { startsAt } = asset
    throw startsAt !== null && now < startsAt
      ? notAvailableBefore(startsAt)
      : new ServiceError('resourceNotActive')
  }
  if (asset.availability === 'withdrawn') throw new ServiceError('resourceNotActive')
  const [media] = asset.medias
  const { broadcastOn, startsAt, endsAt } = asset
  if (!media && broadcastOn !== null && startsAt !== null && endsAt !== null) {
    if (now < startsAt) throw notAvailableBefore(startsAt)
    return { asset, broadcast: { channelId: broadcastOn, startsAt, endsAt } }
  }
  if (!media || asset.availability !== 'ready') throw new ServiceError('noMediaFound')
  return { asset, media }
}

/** Content of a session that plays an event. */
export type EventContent = Extract<PlaybackContent, { kind: 'event' }>

/**
 * Returns the content of a session that plays an admitted event. While the event is on, the session's window grows.
 *
 * @throws ServiceError channelSilent while the event is on, and noMediaFound after it, if its channel has no media of it
 */
export async function eventContentOf(
  air: ChannelAir,
  viewer: Viewer,
  { asset, broadcast: { channelId, startsAt, endsAt } }: AdmittedEvent,
  hasHardwareSecurity: boolean,
  now: number,
): Promise<EventContent> {
  const pieces = (await air.piecesIn(channelId, startsAt, endsAt)).filter(({ from }) => from < now)
  // Of an event whose signal never came, nothing is left.
  const media = now >= endsAt && pieces.every(({ isSlate }) => isSlate) ? undefined : lastRun(pieces)
  const asked = media && windowOfEvent(media, { from: startsAt, to: endsAt }, now)
  const window = asked && (await fromSegment(air, channelId, asked, now))
  if (!window) throw new ServiceError(now < endsAt ? 'channelSilent' : 'noMediaFound')
  const maximumHeight = maximumHeightFor(viewer, asPlayable(asset), hasHardwareSecurity)
  return { kind: 'event', assetId: asset.id, channelId, window, maximumHeight }
}

/** Returns the part of an event that has media. It grows until the last segments of the signal have arrived. */
function windowOfEvent(media: Interval, event: Interval, now: number): BoundedWindow {
  const from = Math.max(event.from, media.from)
  const isWhole = now >= event.to && (media.to >= event.to || now >= event.to + LATEST_MEDIA_MS)
  return isWhole
    ? { kind: 'closed', from, to: Math.min(event.to, media.to) }
    : { kind: 'start-over', from, to: event.to }
}

/** Returns the interval of the newest media that a Timeline can play; undefined without media. */
function lastRun(pieces: readonly RatedPiece[]): Interval | undefined {
  const first = pieces.findLast(({ isJoined }) => !isJoined)
  const last = pieces.at(-1)
  return first && last && { from: first.from, to: last.to }
}

/**
 * Returns a window that begins with its first segment, because positions in the manifest count from the beginning
 * of the first segment. Undefined if there is no segment yet.
 */
export async function fromSegment(
  air: Pick<ChannelAir, 'at'>,
  channelId: number,
  window: BoundedWindow,
  now: number,
): Promise<BoundedWindow | undefined> {
  const onAir = await air.at(channelId, window, now)
  const shown = onAir && growingWindow(onAir.timeline, window.from, now, window.to)
  return shown ? { ...window, from: windowStart(shown) } : undefined
}

/**
 * Returns the content of a session that plays an admitted asset.
 *
 * @param hasHardwareSecurity whether the device decrypts and decodes in hardware, or the asset is clear
 */
export function contentOf(
  viewer: Viewer,
  { asset, media }: Admitted,
  hasHardwareSecurity: boolean,
): Extract<PlaybackContent, { kind: 'asset' }> {
  return {
    kind: 'asset',
    assetId: asset.id,
    trackSetId: media.trackSetId,
    durationSeconds: asset.durationSeconds,
    maximumHeight: maximumHeightFor(viewer, asPlayable(asset), hasHardwareSecurity),
  }
}

/**
 * Returns the maximum height of video in lines for a recording; undefined without a limit. The packages that the
 * recording stores decide, as for its right (spec 53). The channel may have left them since, or be hidden.
 */
export function maximumHeightOfRecorded(
  viewer: Viewer,
  { channelId, packageIds, moralityLevel, adult }: PlayableRecording['recording'],
  hasHardwareSecurity: boolean,
): number | undefined {
  const playable: Playable = { kind: 'channel', id: channelId, packageIds, moralityLevel, adult }
  return maximumHeightFor(viewer, playable, hasHardwareSecurity)
}

/** Returns whether a live event is in progress. Always true for other assets. */
function isOn({ startsAt, endsAt }: PlayableAsset, now: number): boolean {
  return startsAt === null || endsAt === null || (startsAt <= now && now < endsAt)
}

/**
 * Returns whether the viewer's only right to play an asset is a purchase of the event (pay-per-view), which ends
 * with the event. Other rights outlast the event: a package includes the film of the event, and a rental lasts for
 * a number of hours.
 */
function isBoughtEvent(viewer: Viewer, asset: PlayableAsset): boolean {
  return tenureFor(viewer, asPlayable(asset))?.isRental === false
}

/** Returns the fields of an asset that entitlement checks need. */
export function asPlayable(asset: PlayableAsset): Playable {
  const { id, serieId, seasonId, packageIds, moralityLevel, adult, validFrom, validTo } = asset
  return { kind: 'asset', id, serieId, seasonId, packageIds, moralityLevel, adult, validFrom, validTo }
}

/**
 * Starts the rental by which an admitted viewer plays an asset, if the rental has not started (spec 49).
 *
 * @returns when the rental ends, in milliseconds since the Unix epoch; undefined if a package gives the right.
 * @throws ServiceError noViewingRights if the rental has ended meanwhile.
 */
export async function beginRentalOf(
  db: Database | Transaction,
  viewer: Viewer,
  { asset }: Pick<Admitted, 'asset'>,
  now: number,
): Promise<number | undefined> {
  const tenure = tenureFor(viewer, asPlayable(asset))
  if (!tenure) return undefined
  const until = tenure.slotSeconds === null ? tenure.until : await beginRental(db, tenure.grantId, now)
  if (until === undefined) throw new ServiceError('noViewingRights')
  return Number.isFinite(until) ? until : undefined
}

/**
 * Returns when the rental of an admitted viewer would end if it began now, in milliseconds since the Unix epoch.
 * Returns undefined if a package gives the right to play, or if the right has no end. Does not begin the rental.
 */
export function rentalEndOf(viewer: Viewer, { asset }: Admitted, now: number): number | undefined {
  const tenure = tenureFor(viewer, asPlayable(asset))
  if (!tenure) return undefined
  const until = tenure.slotSeconds === null ? tenure.until : now + tenure.slotSeconds * 1000
  return Number.isFinite(until) ? until : undefined
}

/**
 * Admits a viewer to a channel. Returns the channel.
 *
 * @throws ServiceError the errors of `requirePlay`; channelNotFound.
 */
export async function admitToChannel(
  db: Database,
  viewer: Viewer,
  channelId: number,
  now: number,
  offersFor?: OffersFor,
): Promise<Playable> {
  const channel = await findPlayableChannel(db, channelId)
  requireActiveAccount(viewer)
  if (!channel || !isVisible(viewer, channel)) throw new ServiceError('channelNotFound')
  requirePlay(viewer, channel, now, offersFor)
  return channel
}

/**
 * Requires that a viewer may watch the programme with which a session on a channel starts, because levels apply to
 * programmes too. In a live window, this is the current programme. In any other window, this is the programme at its
 * beginning.
 *
 * @throws ServiceError notFound for a programme above the child's level, invalidAccessCode if the parental code is
 * needed, noMediaFound if the channel plays nothing.
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
 * Returns the live window of this viewer. A player requests all keys of a manifest at once, and stops if a key is
 * refused. So the window does not extend back into programmes that the viewer may not see.
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
 * Returns a live window in which players begin at `startsAt`, in milliseconds since the Unix epoch. This may be
 * the beginning of a programme, or any time within the time-shift. All media from `startsAt` to the live edge must
 * exist, and the viewer must be allowed to see it.
 *
 * @throws ServiceError notFound, invalidAccessCode if the viewer may not see the programme at that time;
 * noMediaFound for a time in the future, beyond the channel's reach, or before a gap in its schedule;
 * startOverForbidden if the guide forbids going back in the programme at that time, or in a later programme
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
  if (startsAt < (await air.liveUntil(channelId, now))) throw new ServiceError('startOverForbidden')
  if (startsAt < since) {
    const then: ChannelWindow = { kind: 'closed', from: startsAt, to: startsAt + 1 }
    await admitToProgramme(air, viewer, channelId, then, now)
    throw new ServiceError('noMediaFound')
  }
  return { ...window, startsAt }
}

/**
 * Admits a viewer to the programme that a relayed channel shows now, according to the guide. If the guide has no
 * programme, only the level of the channel applies.
 *
 * @throws ServiceError notFound and invalidAccessCode, as {@link admitToProgramme}
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

/** A started session: its token, and its addresses for a player. */
export interface StartedSession {
  session: string
  url: string
  drm: Drm | null
}

/**
 * Returns the key system of sessions with this manifest format (spec 18).
 *
 * @param hasProvider whether the installation has a DRM provider for Widevine and FairPlay
 */
export function keySystemOf(format: ManifestFormat, hasProvider: boolean): Drm['keySystem'] {
  if (!hasProvider) return 'org.w3.clearkey'
  return format === 'hls' ? 'com.apple.fps' : 'com.widevine.alpha'
}

/**
 * Returns where a session gets its keys.
 *
 * @param isHardwareOnly whether the session's Widevine licences require hardware security
 */
function drmOf(session: string, keySystem: Drm['keySystem'], isHardwareOnly: boolean): Drm {
  const base = `/play/${session}`
  if (keySystem === 'org.w3.clearkey') return { keySystem, licenceUrl: `${base}/licence` }
  if (keySystem === 'com.widevine.alpha') {
    const licenceUrl = `${base}/widevine`
    return { keySystem, licenceUrl, ...(isHardwareOnly && { robustness: 'HW_SECURE_ALL' }) }
  }
  return { keySystem, licenceUrl: `${base}/fairplay`, certificateUrl: certificateUrlOf(session) }
}

/** Returns the address of the FairPlay certificate for a session. */
export function certificateUrlOf(session: string): string {
  return `/play/${session}/certificate`
}

/** Starts a session for an admitted viewer. `keySystem` is null for clear media, which needs no keys. */
export function startSession(
  { keys }: Pick<Context, 'keys'>,
  viewer: Viewer | null,
  content: PlaybackContent,
  format: ManifestFormat,
  keySystem: Drm['keySystem'] | null,
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
  const isHardwareOnly =
    viewer !== null && outputRulesFor(viewer, content.maximumHeight).security === 'hardware'
  return {
    session,
    url: `/play/${session}/${ENTRANCE[format]}${anchorOf(content, format)}`,
    drm: keySystem && drmOf(session, keySystem, isHardwareOnly),
  }
}

/**
 * Returns the URL fragment that tells DASH players where to start (ISO/IEC 23009-1, annex C.4). In HLS, the
 * playlists contain the start.
 */
function anchorOf(content: PlaybackContent, format: ManifestFormat): string {
  if (format !== 'dash' || content.kind !== 'channel' || content.window.kind !== 'live') return ''
  const { startsAt } = content.window
  return startsAt === undefined ? '' : `#t=posix:${startsAt / 1000}`
}
