import type {
  downloadAsset,
  downloadHelperTokens,
  downloadLicence,
  OfflineLicence,
} from '@ondine/contract/downloads'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import { downloadQualities, downloadRenditions, expectedBytes, segmentCount } from '@ondine/media/download'
import type { Rendition } from '@ondine/media/track-set'
import type { Context } from '../../../context.ts'
import { hasDownloadKeys } from '../../../env.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import { findContentKey, type TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { Sessions } from '../../people/sign-in/sessions.service.ts'
import {
  mayDownload,
  needsParentalCode,
  type Viewer,
} from '../../rights/entitlements/entitlements.service.ts'
import { MEDIA_BASE, plainKeyId } from '../../streams/manifests/manifests.service.ts'
import type { SessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import {
  type Admitted,
  admitToAsset,
  asPlayable,
  beginRentalOf,
  contentOf,
  playerOf,
  startSession,
  writeLicence,
} from '../playback/playback.service.ts'
import { holdDownload, requirePlace } from './held-downloads.ts'
import { readDeviceKey, seal } from './seal.ts'

/** Dependencies of downloads. */
export interface DownloadParts {
  sessions: SessionReader
  trackSets: TrackSetStore
}

/** Path of {@link downloadLicence}, the request URI of licences. */
const LICENCE_PATH = '/proxy/downloadLicence'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/** Validity of the tokens of the local player, in seconds. The player uses them only to begin a download. */
const LENT_SECONDS = 600

/**
 * Prepares a download of an asset that the viewer may play now. The session in `url` has no viewer. So it gives
 * manifests but no keys, and does not count as playing.
 *
 * @throws ServiceError the errors of `admitToAsset`; downloadForbidden
 */
export async function prepareDownload(
  context: Context,
  { trackSets }: DownloadParts,
  call: Call<'profile'>,
  { idAsset, idAudioLang, idSubtitleLang, asUrl, height, parentalProof }: InputOf<typeof downloadAsset>,
): Promise<OutputOf<typeof downloadAsset>> {
  const viewer = await playerOf(context, call, parentalProof)
  // The right comes first: by this call, the app learns which of its downloads it has to remove.
  const admitted = await admitToAsset(call.db, viewer, idAsset, call.now)
  requireDownloads(context, call)
  requireDownloadable(viewer, admitted)
  const trackSet = await trackSets.get(admitted.media.trackSetId)
  if (!trackSet) throw new ServiceError('noMediaFound')
  const choice = { audio: idAudioLang, subtitle: idSubtitleLang }
  const renditions = downloadRenditions(trackSet, { ...choice, height })
  const { session, url } = startSession(context, null, contentOf(admitted), 'dash', null)
  const query = new URLSearchParams({ renditions: renditions.map(({ id }) => id).join() })
  return {
    url: `${asUrl === true ? originOf(context, call) : ''}${url}?${query}`,
    licence:
      trackSet.encryption === null
        ? null
        : {
            provider: 'clearkey',
            keySystem: 'org.w3.clearkey',
            authMethod: 'token',
            licenceUrl: LICENCE_PATH,
            token: session,
          },
    folders: renditions.map((rendition) => ({
      address: `${MEDIA_BASE}${trackSet.id}/${rendition.id}/`,
      segments: segmentCount(rendition),
    })),
    bytes: expectedBytes(renditions),
    qualities: downloadQualities(trackSet, choice),
    languages: {
      audio: languageOf(renditions, 'audio') ?? idAudioLang,
      subtitle: languageOf(renditions, 'text') ?? 'non',
    },
  }
}

/**
 * Issues the keys of a prepared download for one device (spec 39). The viewer's right is checked again. A rental begins
 * now, because the service does not see a first play without a connection. The licence ends with the rental, and with
 * the validity of the title.
 *
 * @throws ServiceError the errors of `admitToAsset`; downloadForbidden; licenceRefused for a token of another kind, or
 * if the title's media was replaced; tooManyDownloads, tooManyDownloadDevices; invalidInput for a key that is not on
 * the curve
 */
export async function issueLicence(
  context: Context,
  { sessions, trackSets }: DownloadParts,
  call: Call<'profile'>,
  { token, deviceKey, parentalProof }: InputOf<typeof downloadLicence>,
): Promise<OutputOf<typeof downloadLicence>> {
  requireDownloads(context, call)
  const { db, now } = call
  const content = sessions.read(token, now)?.content
  if (content?.kind !== 'asset') throw new ServiceError('licenceRefused')
  const device = await readDeviceKey(deviceKey)
  const viewer = await playerOf(context, call, parentalProof)
  const admitted = await admitToAsset(db, viewer, content.assetId, now)
  requireDownloadable(viewer, admitted)
  const trackSet = await trackSets.get(admitted.media.trackSetId)
  const key = trackSet && (await findContentKey(db, trackSet.id))
  if (!trackSet?.encryption || !key || trackSet.id !== content.trackSetId)
    throw new ServiceError('licenceRefused')
  const { downloads } = context.configurations.of(call.storefront.id)
  const issuedAt = Math.floor(now / 1000)
  const expiresAt = await db.transaction(async (tx) => {
    const { id: accountId } = await requireHeldAccount(tx, call.account)
    const held = { accountId, deviceKey, assetId: content.assetId }
    await requirePlace(tx, held, downloads, now)
    const rentedUntil = await beginRentalOf(tx, viewer, admitted, now)
    const ends = [rentedUntil, admitted.asset.validTo].filter((end) => end != null).map((end) => end / 1000)
    const expiry = Math.floor(Math.min(issuedAt + downloads.licenceDays * DAY_SECONDS, ...ends))
    await holdDownload(tx, held, expiry * 1000)
    return expiry
  })
  const licence: OfflineLicence = {
    idAsset: content.assetId,
    clearKey: writeLicence([{ keyId: plainKeyId(trackSet.encryption.keyId), key }]),
    issuedAt,
    expiresAt,
    playSeconds: downloads.hoursAfterFirstPlay * HOUR_SECONDS,
    // The code that was given for this call does not count for later plays.
    needsCode: needsParentalCode({ ...viewer, hasGivenCode: false }, admitted.asset),
  }
  return {
    sealed: await seal(device, licence),
    expiresAt: licence.expiresAt,
    playSeconds: licence.playSeconds,
  }
}

/**
 * Lends tokens of the viewer to the local player (A4.9-04).
 *
 * @throws ServiceError downloadForbidden if the operator names no local player
 */
export async function lendToHelper(
  context: Context,
  call: Call<'profile'>,
): Promise<OutputOf<typeof downloadHelperTokens>> {
  requireDownloads(context, call)
  const { downloadWebEnabled, helperUrl } = context.configurations.of(call.storefront.id).downloads
  if (!downloadWebEnabled || helperUrl === '') throw new ServiceError('downloadForbidden')
  const profile = await requireProfile(call.db, call.account.id, call.profile.id)
  call.reply.header('cache-control', 'no-store')
  return {
    ...new Sessions(context).lendBriefly(call.account, profile, LENT_SECONDS),
    expiresIn: LENT_SECONDS,
  }
}

/**
 * Requires that the operator offers downloads, in the app or on the web (V3-45). With a licence provider, all downloads
 * are refused, because their keys are for Clear Key.
 */
function requireDownloads({ configurations, settings }: Context, { storefront }: Call<'profile'>): void {
  if (!hasDownloadKeys(settings)) throw new ServiceError('downloadForbidden')
  const { downloadEnabled, downloadWebEnabled } = configurations.of(storefront.id).downloads
  if (!downloadEnabled && !downloadWebEnabled) throw new ServiceError('downloadForbidden')
}

/** @throws ServiceError downloadForbidden for a live event, and if the viewer's offer has no downloads (A3-18) */
function requireDownloadable(viewer: Viewer, { asset }: Admitted): void {
  if (asset.startsAt !== null || !mayDownload(viewer, asPlayable(asset)))
    throw new ServiceError('downloadForbidden')
}

function languageOf(renditions: readonly Rendition[], kind: 'audio' | 'text'): string | undefined {
  return renditions.flatMap((each) => (each.kind !== 'video' && each.kind === kind ? [each.language] : []))[0]
}

/** @throws ServiceError invalidInput if the address of this site is not known for certain (docs/decisions/0043) */
function originOf(context: Context, { request }: Call<'profile'>): string {
  const { origin, isKnown } = siteOriginOf(context, request)
  if (isKnown) return origin
  const message = 'needs the address of this site: set PUBLIC_URL, or the hosts of a storefront'
  throw invalidFields([{ field: 'asUrl', message }])
}
