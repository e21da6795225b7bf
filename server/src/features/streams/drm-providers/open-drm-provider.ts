import { LRUCache } from 'lru-cache'
import type { Settings } from '../../../env.ts'
import { ServiceError } from '../../../http/errors.ts'
import { type CheckedFetch, checkedFetch } from '../../../outbound/fetch-checked.ts'
import { Axinom } from './axinom.ts'
import { CastLabs } from './castlabs.ts'
import { DoveRunner } from './doverunner.ts'
import type { DrmProvider, LicenceOrder } from './drm-provider.ts'

/**
 * Opens the DRM provider of this installation. Undefined for Clear Key, which needs no provider. `readSettings`
 * has checked that the settings of the provider are complete.
 */
export function openDrmProvider(settings: Settings): DrmProvider | undefined {
  if (settings.DRM_PROVIDER === 'clearkey') return undefined
  const create = PROVIDERS[settings.DRM_PROVIDER]
  return guarded(create(settings, checkedFetch(settings.OUTBOUND_ALLOW)))
}

type Create = (settings: Settings, fetch: CheckedFetch) => DrmProvider

const PROVIDERS: Readonly<Record<Exclude<Settings['DRM_PROVIDER'], 'clearkey'>, Create>> = {
  castlabs: (settings, fetch) =>
    new CastLabs(
      {
        licences: baseOf(settings, 'https://lic.drmtoday.com'),
        signIn: baseOf(settings, 'https://auth.drmtoday.com'),
        keyStore: baseOf(settings, 'https://fe.drmtoday.com'),
        merchant: settings.CASTLABS_MERCHANT ?? '',
        secretId: settings.CASTLABS_SECRET_ID ?? '',
        secret: Buffer.from(settings.CASTLABS_SECRET ?? '', 'hex'),
        user: settings.CASTLABS_USER ?? '',
        password: settings.CASTLABS_PASSWORD ?? '',
        hardwareTemplate: settings.CASTLABS_HARDWARE_TEMPLATE,
      },
      fetch,
    ),
  axinom: (settings, fetch) =>
    new Axinom(
      {
        keyId: settings.AXINOM_KEY_ID ?? '',
        key: Buffer.from(settings.AXINOM_KEY ?? '', 'base64'),
        widevineUrl: settings.AXINOM_WIDEVINE_URL ?? '',
        fairPlayUrl: settings.AXINOM_FAIRPLAY_URL ?? '',
        certificateUrl: settings.AXINOM_CERTIFICATE_URL ?? '',
      },
      fetch,
    ),
  doverunner: (settings, fetch) =>
    new DoveRunner(
      {
        base: baseOf(settings, 'https://drm-license.doverunner.com'),
        siteId: settings.DOVERUNNER_SITE_ID ?? '',
        siteKey: settings.DOVERUNNER_SITE_KEY ?? '',
        accessKey: settings.DOVERUNNER_ACCESS_KEY ?? '',
      },
      fetch,
    ),
}

/** Returns `DRM_API_BASE` without trailing slashes, or the default address of the provider. */
function baseOf({ DRM_API_BASE }: Settings, own: string): string {
  return DRM_API_BASE?.replace(/\/+$/, '') ?? own
}

/** How long a fetched certificate is used, in milliseconds. Certificates change every few years. */
const CERTIFICATE_MS = 24 * 3_600_000

/**
 * Returns a provider that refuses FairPlay licences for keys without an initialisation vector, and caches its
 * certificate. Concurrent requests share one fetch. If a fetch fails, the old certificate stays in use.
 */
function guarded(provider: DrmProvider): DrmProvider {
  const certificates = new LRUCache<'fairPlay', Buffer>({
    max: 1,
    ttl: CERTIFICATE_MS,
    allowStaleOnFetchRejection: true,
    fetchMethod: async () => requireDer(await provider.fairPlayCertificate()),
  })
  return {
    licence: async (order, now) => await provider.licence(withVectors(order), now),
    fairPlayUri: (key) => provider.fairPlayUri(key),
    fairPlayCertificate: async () => await certificates.forceFetch('fairPlay'),
  }
}

/**
 * Removes keys without an initialisation vector from a FairPlay order. Such keys belong to clear media, or to
 * media that an older version imported. With a wrong vector, a device would show a broken picture instead of an
 * error.
 *
 * @throws ServiceError licenceRefused if no key remains
 */
function withVectors(order: LicenceOrder): LicenceOrder {
  if (order.system !== 'fairPlay') return order
  const keys = order.keys.filter(({ iv }) => iv !== null)
  if (keys.length > 0) return { ...order, keys }
  const [key] = order.keys
  const cause = new Error(`TrackSet ${key?.trackSetId} does not state its vector. Import its file again.`)
  throw new ServiceError('licenceRefused', null, { cause })
}

/** First byte of a certificate in DER: the tag of an ASN.1 sequence. */
const SEQUENCE = 0x30

/**
 * Requires that the answer of a provider is a certificate, because the answer is cached for a day.
 *
 * @throws ServiceError temporarilyUnavailable for any other answer, such as a page of a proxy
 */
function requireDer(certificate: Buffer): Buffer {
  if (certificate[0] === SEQUENCE) return certificate
  const cause = new Error('The licence provider answered with something else than a certificate in DER.')
  throw new ServiceError('temporarilyUnavailable', null, { cause })
}
