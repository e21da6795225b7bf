import type {
  downloadAsset,
  downloadHelperTokens,
  downloadLicence,
  OfflineLicence,
} from '@ondine/contract/downloads'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import {
  downloadLanguages,
  downloadQualities,
  downloadRenditions,
  expectedBytes,
  segmentCount,
  withinHeight,
} from '@ondine/media/download'
import type { Rendition } from '@ondine/media/track-set'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import { findContentKey, type TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { isProven } from '../../people/parental/parental.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { Sessions } from '../../people/sign-in/sessions.service.ts'
import {
  mayDownload,
  needsParentalCode,
  type Playable,
  tenureFor,
  type Viewer,
  viewerOf,
} from '../../rights/entitlements/entitlements.service.ts'
import { outputRulesFor } from '../../rights/entitlements/output-rules.service.ts'
import { tenureOf } from '../../rights/entitlements/owned.service.ts'
import { knownEndOf } from '../../rights/orders/known-end.service.ts'
import type { DrmProvider } from '../../streams/drm-providers/drm-provider.ts'
import { MEDIA_BASE, plainKeyId } from '../../streams/manifests/manifests.service.ts'
import type { SessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import { licensedKey } from '../playback/licences.service.ts'
import {
  type Admitted,
  admitToAsset,
  asPlayable,
  beginRentalOf,
  certificateUrlOf,
  contentOf,
  keySystemOf,
  offersFor,
  rentalEndOf,
  requireLanguages,
  startSession,
  writeLicence,
} from '../playback/playback.service.ts'
import { holdDownload, requirePlace } from './held-downloads.ts'
import { readDeviceKey, seal } from './seal.ts'

/** Dependencies of downloads. */
export interface DownloadParts {
  sessions: SessionReader
  trackSets: TrackSetStore
  /** Undefined without a DRM provider: then the service issues the keys itself. */
  drmProvider: DrmProvider | undefined
}

/** Path of {@link downloadLicence}, the request URI of licences. */
const LICENCE_PATH = '/proxy/downloadLicence'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/** Validity of the tokens of the local player, in seconds. The player uses them only to begin a download. */
const LENT_SECONDS = 600

/**
 * Prepares a download of an asset that the viewer may play now. The session in `url` has no viewer, so it serves
 * manifests but no keys, and does not count as a concurrent stream.
 *
 * @throws ServiceError the errors of `requireLanguages` and `admitToAsset`; downloadForbidden
 */
export async function prepareDownload(
  context: Context,
  { trackSets, drmProvider }: DownloadParts,
  call: Call<'profile'>,
  input: InputOf<typeof downloadAsset>,
): Promise<OutputOf<typeof downloadAsset>> {
  const { idAsset, asUrl, height, hasHardwareSecurity, hasFairPlay, parentalProof } = input
  const choice = requireLanguages(input)
  const { viewer, admitted } = await admitToDownload(context, call, idAsset, parentalProof)
  const whole = await trackSets.get(admitted.media.trackSetId)
  if (!whole) throw new ServiceError('noMediaFound')
  const isFairPlay = drmProvider !== undefined && hasFairPlay === true
  // Every device with FairPlay decodes in hardware. Clear Key has no hardware security.
  const isSecure = isFairPlay || (drmProvider !== undefined && hasHardwareSecurity === true)
  const content = contentOf(viewer, admitted, isSecure || whole.encryption === null)
  const trackSet = withinHeight(whole, content.maximumHeight)
  const renditions = downloadRenditions(trackSet, { ...choice, height })
  const { session, url } = startSession(context, null, content, 'dash', null)
  const query = new URLSearchParams({ renditions: renditions.map(({ id }) => id).join() })
  return {
    url: `${asUrl === true ? originOf(context, call) : ''}${url}?${query}`,
    licence: trackSet.encryption && {
      provider: context.settings.DRM_PROVIDER,
      keySystem: keySystemOf(isFairPlay ? 'hls' : 'dash', drmProvider !== undefined),
      authMethod: 'token',
      licenceUrl: LICENCE_PATH,
      token: session,
      ...(isFairPlay && { certificateUrl: certificateUrlOf(session) }),
      ...(drmProvider && !isFairPlay && robustnessOf(viewer, content)),
    },
    folders: renditions.map((rendition) => ({
      address: `${MEDIA_BASE}${trackSet.id}/${rendition.id}/`,
      segments: segmentCount(rendition),
    })),
    bytes: expectedBytes(renditions),
    qualities: downloadQualities(trackSet, choice),
    availableLanguages: downloadLanguages(trackSet),
    languages: {
      audio: languageOf(renditions, 'audio') ?? choice.audio,
      subtitle: languageOf(renditions, 'text') ?? 'non',
    },
  }
}

/**
 * Returns when the account loses the packages that contain a title; undefined if no end is known. The end is later
 * if the viewer owns the title itself for longer.
 */
async function heldUntilOf(
  db: Database,
  accountId: number,
  { owned }: Viewer,
  { id, serieId = null, seasonId = null, packageIds }: Playable,
  now: number,
): Promise<number | undefined> {
  const known = await knownEndOf(db, accountId, packageIds, now)
  const own = tenureOf(owned, { id, serieId, seasonId })
  return known !== undefined && own?.slotSeconds === null ? Math.max(known, own.until) : known
}

/**
 * Issues the keys of a prepared download for one device (spec 39). The viewer's right to the title is checked
 * again. A rental begins now, because the service cannot see the first offline play. The licence ends with the
 * rental, with a package whose end is known, or with the validity of the title, and at the latest after the
 * `licenceDays` of the configuration. With a DRM provider, the keys are in the persistent licence of the provider.
 * This licence is requested before the rental begins, because the provider may refuse it.
 *
 * @throws ServiceError the errors of `admitToAsset`; downloadForbidden; licenceRefused for a token of another kind,
 * or if the title's media was replaced, or if the provider refuses; temporarilyUnavailable if the provider does not
 * answer; tokenInvalid if the account is closed or the sign-in has ended; tooManyDownloads, tooManyDownloadDevices;
 * invalidInput for a device key that is not on the curve, and for a missing challenge if there is a provider
 */
export async function issueLicence(
  context: Context,
  { sessions, trackSets, drmProvider }: DownloadParts,
  call: Call<'profile'>,
  { token, deviceKey, challenge, keySystem, parentalProof }: InputOf<typeof downloadLicence>,
): Promise<OutputOf<typeof downloadLicence>> {
  const { db, now } = call
  const session = sessions.read(token, now)
  if (session?.content.kind !== 'asset') throw new ServiceError('licenceRefused')
  const { content } = session
  const device = await readDeviceKey(deviceKey)
  const { viewer, admitted } = await admitToDownload(context, call, content.assetId, parentalProof)
  const trackSet = await trackSets.get(admitted.media.trackSetId)
  const key = trackSet && (await findContentKey(db, trackSet.id))
  if (!trackSet?.encryption || !key || trackSet.id !== content.trackSetId)
    throw new ServiceError('licenceRefused')
  const { encryption } = trackSet
  const { downloads } = context.configurations.of(call.storefront.id)
  const issuedAt = Math.floor(now / 1000)
  const playSeconds = downloads.hoursAfterFirstPlay * HOUR_SECONDS
  const playable = asPlayable(admitted.asset)
  const isRented = tenureFor(viewer, playable) !== undefined
  const heldUntil = isRented ? undefined : await heldUntilOf(db, call.account.id, viewer, playable, now)
  const endOf = (rentedUntil: number | undefined) => {
    const ends = [rentedUntil, heldUntil, admitted.asset.validTo]
      .filter((end) => end != null)
      .map((end) => end / 1000)
    return Math.floor(Math.min(issuedAt + downloads.licenceDays * DAY_SECONDS, ...ends))
  }
  const licence =
    drmProvider &&
    (await drmProvider.licence(
      {
        system: keySystem === 'com.apple.fps' ? 'fairPlay' : 'widevine',
        request: requireChallenge(challenge),
        keys: [licensedKey(trackSet.id, encryption, key)],
        rules: outputRulesFor(viewer, content.maximumHeight),
        kept: { expiresAt: endOf(rentalEndOf(viewer, admitted, now)) * 1000, playSeconds },
        accountId: call.account.id,
        sessionId: session.id,
      },
      now,
    ))
  const expiresAt = await db.transaction(async (tx) => {
    const { id: accountId } = await requireHeldAccount(tx, call.account)
    const held = { accountId, deviceKey, assetId: content.assetId }
    await requirePlace(tx, held, downloads, now)
    const expiry = endOf(await beginRentalOf(tx, viewer, admitted, now))
    await holdDownload(tx, held, expiry * 1000)
    return expiry
  })
  const offline: OfflineLicence = {
    idAsset: content.assetId,
    clearKey: drmProvider ? null : writeLicence([{ keyId: plainKeyId(encryption.keyId), key }]),
    issuedAt,
    expiresAt,
    playSeconds,
    // The parental code that was entered for this call does not count for later plays.
    needsCode: needsParentalCode({ ...viewer, hasGivenCode: false }, admitted.asset),
  }
  return {
    sealed: await seal(device, offline),
    licence: licence?.toString('base64') ?? null,
    expiresAt,
    playSeconds,
  }
}

/** @throws ServiceError invalidInput */
function requireChallenge(challenge: string | undefined): Buffer {
  if (challenge !== undefined) return Buffer.from(challenge, 'base64')
  throw invalidFields([{ field: 'challenge', message: 'is required: keys come from a provider of licences' }])
}

/**
 * Lends tokens of the viewer to the local player, for a title that the viewer may download now (A4.9-04).
 *
 * @throws ServiceError the errors of `admitToAsset`; downloadForbidden, also if the operator names no local player
 */
export async function lendToHelper(
  context: Context,
  call: Call<'profile'>,
  { idAsset, parentalProof }: InputOf<typeof downloadHelperTokens>,
): Promise<OutputOf<typeof downloadHelperTokens>> {
  await admitToDownload(context, call, idAsset, parentalProof)
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
 * Admits a viewer to a download of an asset. The right to play is checked before the right to download: from the
 * error of the first check, the application learns which downloads it has to remove.
 *
 * @throws ServiceError the errors of `admitToAsset`; downloadForbidden
 */
async function admitToDownload(
  context: Context,
  call: Call<'profile'>,
  idAsset: number,
  parentalProof: string | undefined,
): Promise<{ viewer: Viewer; admitted: Admitted }> {
  // A proof that was lent to a screen does not count here, because keys of downloads outlive it.
  const [known, hasGivenCode] = await Promise.all([
    viewerOf(context, call, call.now),
    isProven(context, call.account.id, parentalProof),
  ])
  const viewer = { ...known, hasGivenCode }
  const admitted = await admitToAsset(call.db, viewer, idAsset, call.now, offersFor(context, call))
  requireDownloads(context, call)
  requireDownloadable(viewer, admitted)
  return { viewer, admitted }
}

/** Requires that the operator offers downloads, in the app or on the web (V3-45). */
function requireDownloads({ configurations }: Context, { storefront }: Call<'profile'>): void {
  const { downloadEnabled, downloadWebEnabled } = configurations.of(storefront.id).downloads
  if (!downloadEnabled && !downloadWebEnabled) throw new ServiceError('downloadForbidden')
}

/** @throws ServiceError downloadForbidden for a live event, and if the viewer's offer has no downloads (A3-18) */
function requireDownloadable(viewer: Viewer, { asset }: Admitted): void {
  if (asset.startsAt !== null || !mayDownload(viewer, asPlayable(asset)))
    throw new ServiceError('downloadForbidden')
}

/** Returns the Widevine robustness, if the licence requires hardware security. */
function robustnessOf(viewer: Viewer, { maximumHeight }: { maximumHeight?: number | undefined }) {
  return (
    outputRulesFor(viewer, maximumHeight).security === 'hardware' && { robustness: 'HW_SECURE_ALL' as const }
  )
}

function languageOf(renditions: readonly Rendition[], kind: 'audio' | 'text'): string | undefined {
  return renditions.flatMap((each) => (each.kind !== 'video' && each.kind === kind ? [each.language] : []))[0]
}

/** @throws ServiceError invalidInput if the origin of this site is not certain (docs/decisions/0043) */
function originOf(context: Context, { request }: Call<'profile'>): string {
  const { origin, isKnown } = siteOriginOf(context, request)
  if (isKnown) return origin
  const message = 'needs the address of this site: set PUBLIC_URL, or the hosts of a storefront'
  throw invalidFields([{ field: 'asUrl', message }])
}
