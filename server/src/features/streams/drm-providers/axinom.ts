import { createCipheriv } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import type { OutputRules } from '../../rights/entitlements/output-rules.service.ts'
import type { ContentKey, DrmProvider, KeptLicence, LicenceOrder } from './drm-provider.ts'
import { callForLicence, callProvider, uuidOf } from './provider-calls.ts'

/** Settings with which this installation calls Axinom. */
export interface AxinomSettings {
  /** Id of the communication key, a UUID. */
  keyId: string
  /** The communication key, 32 bytes. */
  key: Buffer
  widevineUrl: string
  fairPlayUrl: string
  certificateUrl: string
}

/** Validity of a token, in milliseconds. The token is used at once. */
const TOKEN_MS = 60_000
const POLICY = 'session'

/**
 * Axinom DRM: a License Service Message with an Entitlement Message of version 2
 * (https://docs.axinom.com/services/drm/license-service/license-service-message, …/entitlement-message).
 */
export class Axinom implements DrmProvider {
  readonly #settings: AxinomSettings
  readonly #fetch: CheckedFetch
  readonly #sign: (message: Record<string, unknown>) => string

  constructor(settings: AxinomSettings, fetch: CheckedFetch) {
    this.#settings = settings
    this.#fetch = fetch
    this.#sign = createSigner({ key: settings.key, algorithm: 'HS256', noTimestamp: true })
  }

  async licence(order: LicenceOrder, now: number): Promise<Buffer> {
    const { widevineUrl, fairPlayUrl } = this.#settings
    const call = {
      url: order.system === 'widevine' ? widevineUrl : fairPlayUrl,
      headers: { 'x-axdrm-message': this.#token(order, now), 'content-type': 'application/octet-stream' },
      body: order.request,
    }
    return await callForLicence(this.#fetch, call, 'bytes')
  }

  async fairPlayCertificate(): Promise<Buffer> {
    return (await callProvider(this.#fetch, { url: this.#settings.certificateUrl })).body
  }

  fairPlayUri({ keyId }: Pick<ContentKey, 'keyId'>): string {
    return `skd://${uuidOf(keyId)}`
  }

  #token({ keys, rules, kept }: LicenceOrder, now: number): string {
    return this.#sign({
      version: 1,
      com_key_id: this.#settings.keyId,
      begin_date: new Date(now - TOKEN_MS).toISOString(),
      expiration_date: new Date(now + TOKEN_MS).toISOString(),
      message: {
        type: 'entitlement_message',
        version: 2,
        license: kept ? keptLicence(kept) : { allow_persistence: false },
        content_keys_source: { inline: keys.map((key) => this.#inline(key)) },
        content_key_usage_policies: [{ name: POLICY, ...policyOf(rules) }],
      },
    })
  }

  /**
   * Returns a key, encrypted with the communication key. The id of the key is the initialisation vector of this
   * encryption.
   */
  #inline({ keyId, key, iv }: ContentKey): Record<string, string> {
    const cipher = createCipheriv('aes-256-cbc', this.#settings.key, Buffer.from(keyId, 'hex'))
    return {
      id: uuidOf(keyId),
      encrypted_key: cipher.setAutoPadding(false).update(key).toString('base64'),
      ...(iv && { iv: iv.toString('base64') }),
      usage_policy: POLICY,
    }
  }
}

/** Returns the configuration of a persistent licence (…/entitlement-message/license-configuration). */
function keptLicence({ expiresAt, playSeconds }: KeptLicence) {
  return {
    allow_persistence: true,
    expiration_datetime: new Date(expiresAt).toISOString(),
    widevine: { playback_duration: playSeconds },
    fairplay: { playback_duration: playSeconds },
  }
}

function policyOf({ security, hdcp }: OutputRules) {
  return {
    widevine: {
      device_security_level: security === 'hardware' ? 'HW_SECURE_ALL' : 'SW_SECURE_CRYPTO',
      ...(hdcp !== 'none' && { hdcp }),
    },
    ...(hdcp !== 'none' && { fairplay: { hdcp: hdcp === '2.2' ? 'TYPE1' : 'TYPE0' } }),
  }
}
