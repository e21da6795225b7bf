import { clearKeyId } from '@ondine/media/protection'
import type { TrackSet } from '@ondine/media/track-set'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { findContentKey, type TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import {
  isVisible,
  needsParentalCode,
  type Rules,
  type Viewer,
  viewerOf,
} from '../../rights/entitlements/entitlements.service.ts'
import { type OutputRules, outputRulesFor } from '../../rights/entitlements/output-rules.service.ts'
import type { ContentKey } from '../../streams/drm-providers/drm-provider.ts'
import { plainKeyId } from '../../streams/manifests/manifests.service.ts'
import { type ChannelAir, recordedAir } from '../../streams/on-air/on-air.service.ts'
import type {
  PlaybackContent,
  PlaybackSession,
  SessionViewer,
} from '../../streams/play-sessions/play-sessions.service.ts'
import type { SessionBreaks } from '../ads/live-breaks.service.ts'
import { admitToRecording, type RecordingParts } from '../recordings/recordings.service.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { admitToAsset, admitToChannel, admitToTitle } from './playback.service.ts'

/** Dependencies of licence decisions. */
export interface LicenceDesk {
  db: Database
  configurations: Rules
  trackSets: TrackSetStore
  air: ChannelAir
  liveBreaks: SessionBreaks
  concurrencyLimit: ConcurrencyLimit
  recordings: RecordingParts
}

/** A key that a session may have now. */
export type LicensedKey = ContentKey

/** The keys that a session may have now, and the rules for the device. */
export interface Licensed {
  keys: LicensedKey[]
  rules: OutputRules
}

/**
 * Key of clear TrackSets. No media is encrypted with this key, but manifests contain its id, so players request it
 * ({@link clearKeyId}).
 */
const UNUSED_KEY = Buffer.alloc(16)

/**
 * Returns the keys of `keyIds` that a session may have now; all keys of the session if `keyIds` is null. The
 * viewer's right is checked again, because a subscription may have ended since the session began.
 *
 * @throws ServiceError accountSuspended, tokenInvalid, tooManySessions, noDeviceLinked; licenceRefused for every
 * other reason, and if the session may have none of the keys.
 */
export async function licensedKeys(
  desk: LicenceDesk,
  session: PlaybackSession,
  keyIds: readonly string[] | null,
  now: number,
): Promise<Licensed> {
  const wanted = keyIds && new Set(keyIds.map(plainKeyId))
  const { trackSetIds, rules } = await admittedTrackSets(desk, session, now)
  await desk.concurrencyLimit.require(session, now)
  const trackSets = await desk.trackSets.getAll(trackSetIds)
  const keys: LicensedKey[] = []
  // The TrackSets of a live channel share a key.
  const seen = new Set<string>()
  for (const trackSet of trackSets.values()) {
    const { encryption } = trackSet
    const keyId = plainKeyId(encryption?.keyId ?? clearKeyId(trackSet))
    if (seen.has(keyId) || (wanted && !wanted.has(keyId))) continue
    const key = encryption ? await findContentKey(desk.db, trackSet.id) : UNUSED_KEY
    if (!key) continue
    seen.add(keyId)
    keys.push(licensedKey(trackSet.id, { ...encryption, keyId }, key))
  }
  if (keys.length === 0) throw new ServiceError('licenceRefused')
  return { keys, rules }
}

/** Returns a key of a TrackSet, with the vector of its media. */
export function licensedKey(
  trackSetId: string,
  { keyId, iv }: NonNullable<TrackSet['encryption']>,
  key: Buffer,
): LicensedKey {
  return { trackSetId, keyId: plainKeyId(keyId), key, iv: iv === undefined ? null : Buffer.from(iv, 'hex') }
}

/** Returns the TrackSets whose keys the session may have now, and the rules of its viewer. */
async function admittedTrackSets(
  desk: LicenceDesk,
  session: PlaybackSession,
  now: number,
): Promise<{ trackSetIds: Set<string>; rules: OutputRules }> {
  const { viewer: who, content } = session
  // A trailer is clear, so it has no keys.
  if (!who || content.kind === 'trailer') throw new ServiceError('licenceRefused')
  const caller = {
    account: { id: who.accountId },
    // The strictest limits. They apply only if the profile was deleted.
    profile: { id: who.profileId, kid: true, maximumMoralityLevel: 1 },
  }
  const at = timeOfRight(content, now)
  const viewer = { ...(await viewerOf(desk, caller, at)), hasGivenCode: who.hasGivenCode === true }
  try {
    const trackSetIds = await stillAdmitted(desk, viewer, who, content, at)
    for (const trackSetId of await advertised(desk, session)) trackSetIds.add(trackSetId)
    return { trackSetIds, rules: outputRulesFor(viewer, content.maximumHeight) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    if (error.error === 'accountSuspended' || error.error === 'tokenInvalid') throw error
    throw new ServiceError('licenceRefused', null, { cause: error })
  }
}

/**
 * Returns the time at which the right to play is checked. A viewer who is watching when a rental ends can finish
 * the film (spec 49). So when the rental has ended, this is the last millisecond of the rental, until the duration
 * of the film has passed. Otherwise it is `now`.
 */
function timeOfRight(content: PlaybackContent, now: number): number {
  if (content.kind !== 'asset' && content.kind !== 'event') return now
  const { rentedUntil } = content
  if (rentedUntil === undefined || now < rentedUntil) return now
  const length =
    content.kind === 'asset' ? content.durationSeconds * 1000 : content.window.to - content.window.from
  return now < rentedUntil + length ? rentedUntil - 1 : now
}

/** Returns the TrackSets of the advertisements in a session. */
async function advertised(
  { liveBreaks }: LicenceDesk,
  { id, content }: PlaybackSession,
): Promise<readonly string[]> {
  if (content.kind === 'asset') return (content.breaks ?? []).flatMap(({ trackSetIds }) => trackSetIds)
  return content.kind === 'channel' && content.hasAds === true ? await liveBreaks.trackSetIdsOf(id) : []
}

async function stillAdmitted(
  { db, air, recordings }: LicenceDesk,
  viewer: Viewer,
  who: SessionViewer,
  content: Exclude<PlaybackContent, { kind: 'trailer' }>,
  now: number,
): Promise<Set<string>> {
  if (content.kind === 'asset') {
    await admitToAsset(db, viewer, content.assetId, now)
    return new Set([content.trackSetId])
  }
  if (content.kind === 'event') {
    const admitted = await admitToTitle(db, viewer, content.assetId, now)
    const { channelId, window } = content
    // Since the session began, the event may have moved, or have become a film.
    if (!('broadcast' in admitted) || admitted.broadcast.channelId !== channelId)
      throw new ServiceError('licenceRefused')
    const { startsAt, endsAt } = admitted.broadcast
    const shared = { from: Math.max(window.from, startsAt), to: Math.min(window.to, endsAt) }
    const spans = await air.spansToLicense(channelId, { ...window, ...shared }, now)
    // The rating of the event decides. The guide of the channel may not know the event.
    return new Set(spans.map(({ trackSetId }) => trackSetId))
  }
  if (content.kind === 'recording') await admitToRecording(recordings, viewer, who, content.recordingId, now)
  else await admitToChannel(db, viewer, content.channelId, now)
  const played = content.kind === 'recording' ? recordedAir(air, content.copyId) : air
  const spans = await played.spansToLicense(content.channelId, content.window, now)
  return new Set(
    spans
      .filter(({ rating }) => isVisible(viewer, rating) && !needsParentalCode(viewer, rating))
      .map(({ trackSetId }) => trackSetId),
  )
}
