import { removeActiveAsset, restoreActiveAsset } from '@ondine/contract/catalogue'
import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import {
  askLicenseFP,
  askLicenseWV,
  channelStream,
  getVodLicense,
  HEARTBEAT_SECONDS,
  heartbeat,
  listAssetTags,
  readAsset,
  readTrailer,
  testAsset,
} from '@ondine/contract/playback'
import { playRecording } from '@ondine/contract/recordings'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import { requireAccount } from '../../people/accounts/accounts.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { getsAds } from '../../rights/entitlements/ad-rule.service.ts'
import { isVisible, type Playable, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { maximumHeightFor } from '../../rights/entitlements/output-rules.service.ts'
import { recordedAir } from '../../streams/on-air/on-air.service.ts'
import type {
  BoundedWindow,
  ManifestFormat,
  PlaybackContent,
} from '../../streams/play-sessions/play-sessions.service.ts'
import { RELAY_ENTRANCE } from '../../streams/relays/relays.service.ts'
import { findPlayedChannel, findTimeshift } from '../../television/channels/channels.service.ts'
import type { AdsMacro } from '../ads/ad-macros.ts'
import { type PlannedBreaks, planBreaks } from '../ads/ads.service.ts'
import { beginAdSession } from '../ads/live-breaks.service.ts'
import { type ReportedPlayback, storePlayback } from '../recordings/played-recordings.service.ts'
import { admitToRecording, type PlayableRecording } from '../recordings/recordings.service.ts'
import type { Seat } from './concurrency-limit.ts'
import type { PlaybackParts } from './play.routes.ts'
import { findMarks, findTrailer } from './playback.repository.ts'
import * as playback from './playback.service.ts'
import { SILENCE_MS } from './playing.service.ts'
import {
  createSeekWriter,
  seekKey,
  seekPositionsOf,
  setRemoved,
  storeSeekPositions,
} from './seek-positions.ts'
import { presentTags } from './tags.ts'

/** Registers the calls that start, continue and end playback. */
export function registerPlayback(on: On, context: Context, parts: PlaybackParts): void {
  const { sessions, trackSets, relays, air, concurrencyLimit, recordings, drmProvider } = parts
  const keySystem = (format: ManifestFormat) => playback.keySystemOf(format, drmProvider !== undefined)
  // FairPlay is for HLS only (spec 18).
  const formatFor = (format: ManifestFormat, hasFairPlay = false) =>
    drmProvider !== undefined && hasFairPlay ? 'hls' : format
  // Every device with FairPlay decodes in hardware. Clear Key has no hardware security.
  const isHardware = (format: ManifestFormat, hasHardwareSecurity = false) =>
    keySystem(format) === 'com.apple.fps' ||
    (keySystem(format) === 'com.widevine.alpha' && hasHardwareSecurity)
  const seekWriter = createSeekWriter(
    async (positions) => await storeSeekPositions(context.db, positions),
    seekKey,
  )
  const playbackWriter = createSeekWriter(
    async (reported: ReportedPlayback[]) => await storePlayback(context.db, reported),
    ({ recordingId }) => String(recordingId),
  )

  on(testAsset, async ({ idAsset, parentalProof }, call) => {
    const viewer = await playerOf(call, parentalProof)
    const { asset } = await admitToTitle(viewer, idAsset, call)
    return { playable: true as const, medias: asset.medias.map(presentMedia) }
  })

  on(listAssetTags, async ({ idAsset }, call) => {
    const asset = await findMarks(call.db, idAsset)
    if (!asset || !isVisible(await context.viewers.of(call, call.now), asset))
      throw new ServiceError('notFound')
    return presentTags(asset.marks, asset.durationSeconds)
  })

  on(readAsset, async (input, call) => {
    const { idAsset, hasHardwareSecurity, parentalProof, adsMacro } = input
    playback.requireLanguages(input)
    const viewer = await playerOf(call, parentalProof)
    const admitted = await admitToTitle(viewer, idAsset, call)
    if ('broadcast' in admitted) return await readEvent(input, admitted, viewer, call)
    const [encrypted, seeks, breaks] = await Promise.all([
      isEncrypted(admitted.media.trackSetId),
      seekPositionsOf(call.db, call.profile.id, [idAsset]),
      adsMacro && breaksOf(admitted, viewer, adsMacro, call),
    ])
    const format = encrypted ? formatFor(input.format, input.hasFairPlay) : input.format
    const seat = concurrencyLimit.seat(call)
    await concurrencyLimit.take(seat, { assetId: idAsset }, call)
    const rentedUntil = await playback.beginRentalOf(call.db, viewer, admitted, call.now)
    const isSecure = !encrypted || isHardware(format, hasHardwareSecurity)
    const played = playback.contentOf(viewer, admitted, isSecure)
    const content = { ...played, rentedUntil, breaks: breaks?.session }
    return {
      ...playback.startSession(context, viewer, content, format, encrypted ? keySystem(format) : null, seat),
      seek: seekOf(seeks.get(idAsset) ?? 0, admitted.asset.durationSeconds),
      ...(breaks && { breaks: breaks.player }),
    }
  })

  on(getVodLicense, async ({ idAsset, parentalProof, ...languages }, call) => {
    playback.requireLanguages(languages)
    const viewer = await playerOf(call, parentalProof)
    const admitted = await admitToTitle(viewer, idAsset, call)
    const isEvent = 'broadcast' in admitted
    if (!isEvent && !(await isEncrypted(admitted.media.trackSetId))) return null
    const seat = await concurrencyLimit.seatFor({ assetId: idAsset }, call)
    await concurrencyLimit.take(seat, { assetId: idAsset }, call)
    if (isEvent) {
      const event = await playback.eventContentOf(air, viewer, admitted, isHardware('dash'), call.now)
      const rentedUntil = await playback.beginRentalOf(call.db, viewer, admitted, call.now)
      const content = { ...event, rentedUntil }
      return playback.startSession(context, viewer, content, 'dash', keySystem('dash'), seat).drm
    }
    const rentedUntil = await playback.beginRentalOf(call.db, viewer, admitted, call.now)
    const played = playback.contentOf(viewer, admitted, isHardware('dash'))
    const content = { ...played, rentedUntil }
    return playback.startSession(context, viewer, content, 'dash', keySystem('dash'), seat).drm
  })

  on(readTrailer, async ({ idMedia, format }, call) => {
    const trailer = await findTrailer(call.db, idMedia)
    const viewer = await context.viewers.of(call, call.now)
    // Trailers are clear, and everyone may watch them. An encrypted TrackSet is the main media of a title.
    if (!trailer || !isVisible(viewer, trailer) || (await isEncrypted(trailer.trackSetId))) {
      throw new ServiceError('noMediaFound')
    }
    const content = { kind: 'trailer', trackSetId: trailer.trackSetId } as const
    const { url } = playback.startSession(context, null, content, format, null)
    return { url, seek: 0 as const, drm: null }
  })

  on(
    channelStream,
    async (
      { idChannel, format, start, isAhead, hasHardwareSecurity, hasFairPlay, parentalProof, adsMacro },
      call,
    ) => {
      const seat = concurrencyLimit.seat(call)
      const viewer = await playerOf(call, parentalProof)
      const asked = { format: formatFor(format, hasFairPlay), start, hasHardwareSecurity, adsMacro }
      const started = await startChannel(idChannel, asked, viewer, seat, call)
      if (isAhead !== true) await concurrencyLimit.take(seat, { channelId: idChannel }, call)
      return { ...started, startsAt: start ?? null }
    },
  )

  on(playRecording, async ({ id, x, hasHardwareSecurity, parentalProof, ...device }, call) => {
    const { account, profile, db, now } = call
    const format = formatFor(device.format, device.hasFairPlay)
    const viewer = await playerOf(call, parentalProof)
    const owner = { accountId: account.id, profileId: profile.id }
    const { recording, window: admitted } = await admitToRecording(recordings, viewer, owner, id, now)
    const recorded = recordedAir(air, recording.copyId)
    const window = (await playback.fromSegment(recorded, recording.channelId, admitted, now)) ?? admitted
    const isSecure = isHardware(format, hasHardwareSecurity)
    const maximumHeight = playback.maximumHeightOfRecorded(viewer, recording, isSecure)
    const seat = concurrencyLimit.seat(call)
    await concurrencyLimit.take(seat, { recordingId: id }, call)
    const content: RecordedContent = {
      kind: 'recording',
      maximumHeight,
      recordingId: id,
      channelId: recording.channelId,
      window,
      ...(recording.copyId !== null && { copyId: recording.copyId }),
    }
    await storePlayback(db, [playbackOf(content, 'start', undefined, now)])
    // The session of a channel has DRM data even while the current media of the channel is clear.
    const started = playback.startSession(context, viewer, content, format, keySystem(format), seat)
    return {
      ...started,
      seek: (startOf(recording, window, x, now) - window.from) / 1000,
      isGrowing: window.kind === 'start-over',
      startsAt: window.from / 1000,
      duration: (window.to - window.from) / 1000,
    }
  })

  // Without a DRM provider, channels have Clear Key licences on every platform (spec 18).
  for (const [operation, format] of [
    [askLicenseWV, 'dash'],
    [askLicenseFP, 'hls'],
  ] as const) {
    on(operation, async ({ idChannel, parentalProof }, call) => {
      const viewer = await playerOf(call, parentalProof)
      const seat = await concurrencyLimit.seatFor({ channelId: idChannel }, call)
      const { drm } = await startChannel(idChannel, { format }, viewer, seat, call)
      if (drm !== null) await concurrencyLimit.take(seat, { channelId: idChannel }, call)
      return drm
    })
  }

  on(
    heartbeat,
    async ({ session: token, position, event, isRepeated = false }, { now }) => {
      const session = sessions.require(token, now)
      const { content, viewer } = session
      // Store the position first, even if the session has lost its seat. Positions of a removed device are
      // not stored.
      const played = positioned(content)
      if (played && viewer && position !== undefined) {
        const seconds = await positionToStore(event, position, played)
        const { profileId, deviceId } = viewer
        const reported = { profileId, assetId: played.assetId, deviceId, seconds, updatedAt: now }
        if (!isRepeated) await seekWriter.store(reported)
        // The viewer may have watched on another device since the first report, so the position is not stored again.
        else if (seconds !== position) await seekWriter.store({ ...reported, replaces: position })
      }
      if (content.kind === 'recording') {
        await playbackWriter.store(playbackOf(content, event, isRepeated ? undefined : position, now))
      }
      if (event === 'close') await concurrencyLimit.end(session)
      // A channel that was requested ahead of time takes its seat now.
      else if (event === 'start') await concurrencyLimit.require(session, now)
      else await concurrencyLimit.heard(session, now)
      return { nextInSeconds: HEARTBEAT_SECONDS }
    },
    { keepsWatching: true },
  )

  for (const [operation, removed] of [
    [removeActiveAsset, true],
    [restoreActiveAsset, false],
  ] as const) {
    on(operation, async ({ idAsset }, { account, profile, db, now }) => {
      await requireAccount(db, account)
      const { id } = await requireProfile(db, account.id, profile.id)
      await setRemoved(db, id, idAsset, removed, now)
      return null
    })
  }

  /** Starts a session of an event that a channel carries. Its positions count only once it is over. */
  async function readEvent(
    { idAsset, format, hasFairPlay, hasHardwareSecurity }: InputOf<typeof readAsset>,
    admitted: playback.AdmittedEvent,
    viewer: Viewer,
    call: Call<'profile'>,
  ): Promise<OutputOf<typeof readAsset>> {
    const { db, profile, now } = call
    const played = formatFor(format, hasFairPlay)
    const isSecure = isHardware(played, hasHardwareSecurity)
    const content = await playback.eventContentOf(air, viewer, admitted, isSecure, now)
    const isOn = content.window.kind === 'start-over'
    const seeks = isOn ? undefined : await seekPositionsOf(db, profile.id, [idAsset])
    const seat = concurrencyLimit.seat(call)
    await concurrencyLimit.take(seat, { assetId: idAsset }, call)
    const rentedUntil = await playback.beginRentalOf(db, viewer, admitted, now)
    const { from, to } = content.window
    return {
      ...playback.startSession(context, viewer, { ...content, rentedUntil }, played, keySystem(played), seat),
      seek: seekOf(seeks?.get(idAsset) ?? 0, (to - from) / 1000),
      broadcast: { startsAt: from / 1000, endsAt: to / 1000, isOn },
    }
  }

  async function startChannel(
    channelId: number,
    { format, start, hasHardwareSecurity, adsMacro }: ChannelStart,
    viewer: Viewer,
    seat: Seat,
    call: Call<'profile'>,
  ): Promise<playback.StartedSession> {
    const { db, now } = call
    const channel = await playback.admitToChannel(
      db,
      viewer,
      channelId,
      now,
      playback.offersFor(context, call),
    )
    const [played, reachSeconds] = await Promise.all([
      findPlayedChannel(db, channelId),
      findTimeshift(db, channelId, viewer),
    ])
    if (played?.kind === 'relay') {
      // The service does not know how far back the source of a relay keeps its media.
      if (start !== undefined) throw new ServiceError('noMediaFound')
      await playback.admitToAnnounced(db, viewer, channelId, now)
      const manifest = await relays.begin(channelId, played.source)
      const { session } = playback.startSession(
        context,
        viewer,
        // Relayed media is not protected, so hardware security makes no difference.
        {
          kind: 'channel',
          channelId,
          window: { kind: 'live' },
          maximumHeight: maximumHeightFor(viewer, channel, true),
        },
        manifest,
        null,
        seat,
      )
      return { session, url: `/play/${session}/relay/${RELAY_ENTRANCE[manifest]}`, drm: null }
    }
    const startsAt = start === undefined ? undefined : Math.round(start * 1000)
    // A start beyond the time-shift loads no media: `beginningAt` refuses it.
    const isInReach = startsAt !== undefined && startsAt >= now - reachSeconds * 1000
    if (played?.kind === 'live' && !(await air.hasMediaFor(channelId, now, isInReach ? startsAt : undefined)))
      throw new ServiceError('channelSilent')
    const live = await playback.liveWindowFor(air, viewer, channelId, reachSeconds, now)
    await playback.admitToProgramme(air, viewer, channelId, live, now)
    const window =
      startsAt === undefined ? live : await playback.beginningAt(air, viewer, channelId, live, startsAt, now)
    const isSecure = isHardware(format, hasHardwareSecurity)
    const maximumHeight = maximumHeightFor(viewer, channel, isSecure)
    const hasAds =
      played?.kind === 'live' &&
      adsMacro !== undefined &&
      (await beginAds(channel, viewer, { macros: adsMacro, adsFrom: window.startsAt ?? null }, seat, call))
    const content = { kind: 'channel', channelId, window, maximumHeight, hasAds } as const
    return playback.startSession(context, viewer, content, format, keySystem(format), seat)
  }

  /**
   * Returns the position to store, at most the duration of the title. A title that was watched to its end, or left
   * during its last credits, gets its exact duration, so that it counts as finished.
   */
  async function positionToStore(
    event: HeartbeatEvent,
    position: number,
    { assetId, durationSeconds }: Positioned,
  ): Promise<number> {
    const seconds = Math.min(position, durationSeconds)
    if (event === 'end' && seconds >= (durationSeconds * CONTINUE_WATCHING.max) / 100) return durationSeconds
    if (event !== 'end' && event !== 'close') return seconds
    const { marks = [] } = (await findMarks(context.db, assetId)) ?? {}
    // The title goes on after opening credits.
    const credits = marks.filter(({ type, start }) => type === 'credit' && start >= durationSeconds / 2)
    const isInLast = credits.length > 0 && credits.every(({ start }) => seconds >= start)
    return isInLast ? durationSeconds : seconds
  }

  async function playerOf(call: Call<'profile'>, proof: string | undefined): Promise<Viewer> {
    return await playback.playerOf(context, call, proof)
  }

  async function admitToTitle(
    viewer: Viewer,
    id: number,
    call: Call<'profile'>,
  ): Promise<playback.Admitted | playback.AdmittedEvent> {
    return await playback.admitToTitle(call.db, viewer, id, call.now, playback.offersFor(context, call))
  }

  /** Stores that a session gets advertisements on its channel. @returns false for viewers without advertisements */
  async function beginAds(
    channel: Playable,
    viewer: Viewer,
    asked: { macros: AdsMacro; adsFrom: number | null },
    { sessionId: id }: Seat,
    { db, now, storefront }: Call<'profile'>,
  ): Promise<boolean> {
    const { serverUrl, adFreePackages } = context.configurations.of(storefront.id).ads
    if (serverUrl === '' || !(await getsAds(db, viewer, channel, adFreePackages))) return false
    await beginAdSession(db, { id, storefrontId: storefront.id, ...asked }, now)
    return true
  }

  /** Returns the breaks of a film; undefined for viewers without advertisements. */
  async function breaksOf(
    { asset, media }: playback.Admitted,
    viewer: Viewer,
    macros: AdsMacro,
    { db, now, storefront }: Call<'profile'>,
  ): Promise<PlannedBreaks | undefined> {
    const { serverUrl, adFreePackages } = context.configurations.of(storefront.id).ads
    if (serverUrl === '') return undefined
    const [isShown, film, marks] = await Promise.all([
      getsAds(db, viewer, playback.asPlayable(asset), adFreePackages),
      trackSets.get(media.trackSetId),
      findMarks(db, asset.id),
    ])
    if (!isShown || !film) return undefined
    const { chapters } = presentTags(marks?.marks ?? [], asset.durationSeconds)
    return await planBreaks(
      context,
      trackSets,
      {
        film,
        chapters: chapters.map(({ timestamp }) => timestamp),
        assetId: asset.id,
        macros,
        storefrontId: storefront.id,
      },
      now,
    )
  }

  async function isEncrypted(trackSetId: string): Promise<boolean> {
    const trackSet = await trackSets.get(trackSetId)
    if (!trackSet) throw new ServiceError('noMediaFound')
    return trackSet.encryption !== null
  }
}

function presentMedia({ id, audioLanguages, subtitleLanguages }: playback.Admitted['media']) {
  return { idMedia: id, audioLanguages, subtitleLanguages }
}

/** How a channel is started. */
interface ChannelStart {
  format: ManifestFormat
  start?: number | undefined
  hasHardwareSecurity?: boolean | undefined
  /** Data about the client for the ad server; undefined without advertisements. */
  adsMacro?: AdsMacro | undefined
}

type HeartbeatEvent = InputOf<typeof heartbeat>['event']

/** Title whose positions are stored. */
interface Positioned {
  assetId: number
  durationSeconds: number
}

/** Returns the title whose positions a session reports: a film, or an event that is over. Undefined for the rest. */
function positioned(content: PlaybackContent): Positioned | undefined {
  if (content.kind === 'asset') return content
  if (content.kind !== 'event' || content.window.kind !== 'closed') return undefined
  const { from, to } = content.window
  return { assetId: content.assetId, durationSeconds: (to - from) / 1000 }
}

type RecordedContent = Extract<PlaybackContent, { kind: 'recording' }>

/** Converts a heartbeat of a recording to the row that is stored. */
function playbackOf(
  { recordingId, window }: RecordedContent,
  event: HeartbeatEvent,
  position: number | undefined,
  now: number,
): ReportedPlayback {
  const hasEnded = event === 'end' || event === 'close'
  return {
    recordingId,
    watchedTo: position === undefined ? undefined : Math.min(placeOf(position * 1000, window), window.to),
    updatedAt: now,
    playingUntil: hasEnded ? now : now + SILENCE_MS,
  }
}

/**
 * Converts a position to a time, in milliseconds since the Unix epoch. A player sends either such a time, or a
 * position from the beginning of the window. A number below the time of that beginning is a position.
 */
function placeOf(position: number, { from }: BoundedWindow): number {
  return position >= from ? position : from + position
}

/**
 * Returns where a recording starts, in milliseconds since the Unix epoch: at the beginning of its programme, or where
 * the profile stopped watching. A nearly finished programme starts again.
 */
function startOf(
  { startsAt, endsAt, watchedTo }: PlayableRecording['recording'],
  { from, to }: BoundedWindow,
  x: InputOf<typeof playRecording>['x'],
  now: number,
): number {
  const beginning = Math.max(startsAt, from)
  const newest = Math.min(to, now)
  if (x === 'start' || watchedTo === null || watchedTo < from) return Math.min(beginning, newest)
  // A recording that the viewer stopped ends before its programme ends.
  const isOver = isFinished((watchedTo - beginning) / 1000, (Math.min(endsAt, to) - beginning) / 1000)
  return Math.min(isOver ? beginning : watchedTo, newest)
}

/** Returns the position to continue at, in seconds. A nearly finished title starts again. */
function seekOf(position: number, durationSeconds: number): number {
  return isFinished(position, durationSeconds) ? 0 : position
}

function isFinished(position: number, durationSeconds: number): boolean {
  return position > (durationSeconds * CONTINUE_WATCHING.max) / 100
}
