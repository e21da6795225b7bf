import { createCipheriv, createHash } from 'node:crypto'
import { ServiceError } from '../../../http/errors.ts'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import type { OutputRules } from '../../rights/entitlements/output-rules.service.ts'
import type { ContentKey, DrmProvider, KeptLicence, LicenceOrder } from './drm-provider.ts'
import { callForLicence, callProvider, decodeBase64 } from './provider-calls.ts'

/** Settings with which this installation calls DoveRunner. */
export interface DoveRunnerSettings {
  base: string
  siteId: string
  /** 32 characters, which are the bytes of the AES key. */
  siteKey: string
  accessKey: string
}

/** Initialisation vector for the encryption of policies, the same for all sites (License Token Guide, AES256). */
const POLICY_IV = '0123456789abcdef'

/**
 * DoveRunner, formerly PallyCon: a license token with a policy of version 2 that contains the key
 * (https://docs.pallycon.com/en/multidrm/license/license-token/).
 */
export class DoveRunner implements DrmProvider {
  readonly #settings: DoveRunnerSettings
  readonly #fetch: CheckedFetch

  constructor(settings: DoveRunnerSettings, fetch: CheckedFetch) {
    this.#settings = settings
    this.#fetch = fetch
  }

  async licence(order: LicenceOrder, now: number): Promise<Buffer> {
    const isFairPlay = order.system === 'fairPlay'
    const call = {
      url: `${this.#settings.base}/ri/licenseManager.do`,
      headers: {
        'pallycon-customdata-v2': this.#token(order, now),
        'content-type': isFairPlay ? 'application/x-www-form-urlencoded' : 'application/octet-stream',
      },
      body: isFairPlay
        ? new URLSearchParams({ spc: order.request.toString('base64') }).toString()
        : order.request,
    }
    return await callForLicence(this.#fetch, call, isFairPlay ? 'base64' : 'bytes')
  }

  async fairPlayCertificate(): Promise<Buffer> {
    const { base, siteId } = this.#settings
    const url = `${base}/ri/fpsKeyManager.do?siteId=${encodeURIComponent(siteId)}`
    return decodeBase64((await callProvider(this.#fetch, { url })).body.toString('latin1'))
  }

  fairPlayUri({ keyId }: Pick<ContentKey, 'keyId'>): string {
    return `skd://${keyId}`
  }

  /** @throws ServiceError licenceRefused if the order has several keys, because a token has a single content id */
  #token({ system, keys, rules, kept, accountId }: LicenceOrder, now: number): string {
    const [key] = keys
    if (key === undefined || keys.length > 1) {
      const cause = new Error('A token of DoveRunner has one key. The request must name it.')
      throw new ServiceError('licenceRefused', null, { cause })
    }
    const { siteId, siteKey, accessKey } = this.#settings
    const cipher = createCipheriv('aes-256-cbc', siteKey, POLICY_IV)
    const policy = Buffer.concat([
      cipher.update(JSON.stringify(policyOf(system, key, rules, kept))),
      cipher.final(),
    ])
    const signed = {
      drm_type: system === 'widevine' ? 'Widevine' : 'FairPlay',
      site_id: siteId,
      user_id: String(accountId),
      // Each key is a content at DoveRunner, because the TrackSets of a live channel share one key.
      cid: key.keyId,
      policy: policy.toString('base64'),
      timestamp: secondsText(now),
    }
    const hash = createHash('sha256')
      .update([accessKey, ...Object.values(signed)].join(''))
      .digest('base64')
    const token = { ...signed, hash, response_format: 'original', key_rotation: false }
    return Buffer.from(JSON.stringify(token)).toString('base64')
  }
}

/** Formats a time in milliseconds since the Unix epoch as `2026-11-28T00:00:00Z`. */
function secondsText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

function policyOf(
  system: LicenceOrder['system'],
  { keyId, key, iv }: ContentKey,
  rules: OutputRules,
  kept: KeptLicence | undefined,
) {
  const externalKey = {
    track_type: 'ALL',
    key_id: keyId,
    key: key.toString('hex'),
    ...(iv && { iv: iv.toString('hex') }),
  }
  return {
    policy_version: 2,
    playback_policy: kept
      ? {
          persistent: true,
          expire_date: secondsText(kept.expiresAt),
          playback_duration: kept.playSeconds,
        }
      : { persistent: false },
    security_policy: [{ track_type: 'ALL', ...securityOf(rules) }],
    external_key: { [system === 'widevine' ? 'mpeg_cenc' : 'hls_aes']: [externalKey] },
  }
}

const HDCP = {
  none: ['HDCP_NONE', -1],
  '1.0': ['HDCP_V1', 0],
  '2.2': ['HDCP_V2_2', 1],
} as const

function securityOf({ security, hdcp }: OutputRules) {
  const [ofWidevine, ofFairPlay] = HDCP[hdcp]
  return {
    // 1 is SW_SECURE_CRYPTO, 5 is HW_SECURE_ALL.
    widevine: { security_level: security === 'hardware' ? 5 : 1, required_hdcp_version: ofWidevine },
    fairplay: { hdcp_enforcement: ofFairPlay },
  }
}
