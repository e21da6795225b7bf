import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createSigner } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../../http/errors.ts'
import { inLanes } from '../../../in-lanes.ts'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import type { OutputRules } from '../../rights/entitlements/output-rules.service.ts'
import type { ContentKey, DrmProvider, KeptLicence, LicenceOrder } from './drm-provider.ts'
import { callForLicence, callProvider, type ProviderAnswer } from './provider-calls.ts'

/** Settings with which this installation calls castLabs. */
export interface CastLabsSettings {
  /** Addresses of the three services: licences, sign-in for the key store, key store. */
  licences: string
  signIn: string
  keyStore: string
  merchant: string
  /** Id of the shared secret, and the secret. */
  secretId: string
  secret: Buffer
  /** castLabs account with the right to store keys. */
  user: string
  password: string
  /** Name of the castLabs template for devices with hardware security; undefined if the operator has made none. */
  hardwareTemplate: string | undefined
}

/** Validity of a token, in seconds. The token is used at once. */
const TOKEN_SECONDS = 60

/** Maximum number of keys in the cache of keys that castLabs has stored. */
const MOST_STORED = 20_000

/** Number of keys of an order that are stored concurrently. Storing a key takes three calls. */
const LANES = 4

/** Maximum time for which a licence waits for the key store, in milliseconds. */
const STORE_WAIT_MS = 4000

/**
 * castLabs DRMtoday. Licence requests carry a token of upfront authorisation with Customer Rights Tokens. Keys are
 * stored in the key store, with a ticket for each call (DRMtoday documentation, License Delivery Authorization,
 * Key Ingestion, CAS Authentication). Each key is a castLabs asset, because the TrackSets of a live channel share
 * one key.
 */
export class CastLabs implements DrmProvider {
  readonly #settings: CastLabsSettings
  readonly #fetch: CheckedFetch
  readonly #sign: (claims: Record<string, unknown>) => string
  /** The calls that store keys, pending or done, by key id. */
  readonly #stored = new LRUCache<string, Promise<void>>({ max: MOST_STORED })

  readonly #storeWaitMs: number

  constructor(settings: CastLabsSettings, fetch: CheckedFetch, storeWaitMs = STORE_WAIT_MS) {
    this.#settings = settings
    this.#fetch = fetch
    this.#storeWaitMs = storeWaitMs
    this.#sign = createSigner({
      key: settings.secret,
      algorithm: 'HS256',
      kid: settings.secretId,
    })
  }

  async licence(order: LicenceOrder, now: number): Promise<Buffer> {
    const token = this.#token(order, now)
    const storing = this.#storeAll(order.keys)
    // A slow key store must not delay a licence for keys that it already has. Storing continues, for a later
    // request.
    const refusals = await Promise.race([storing, delay(this.#storeWaitMs, undefined, { ref: false })])
    try {
      const licence = await this.#fetchLicence(order, token)
      // A licence for a single key proves that the store has the key, even if it refused to store the key again.
      const [key] = order.keys
      if (key && order.keys.length === 1) this.#stored.set(key.keyId, Promise.resolve())
      return licence
    } catch (error) {
      if (refusals === undefined) {
        const cause = new Error('The key store of castLabs has not answered yet.', { cause: error })
        throw new ServiceError('temporarilyUnavailable', null, { cause })
      }
      // The store may refuse a key that another process has stored. So its refusal is reported only if castLabs
      // also refuses the licence.
      throw refusals[0] ?? error
    }
  }

  async #fetchLicence({ system, request, keys }: LicenceOrder, token: string): Promise<Buffer> {
    const headers = { 'x-dt-auth-token': token }
    const { licences } = this.#settings
    if (system === 'widevine') {
      const call = {
        url: `${licences}/license-proxy-widevine/cenc/?specConform=true`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: request,
      }
      return await callForLicence(this.#fetch, call, 'bytes')
    }
    const call = {
      url: `${licences}/license-server-fairplay/`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ spc: request.toString('base64'), ...assetOf(keys) }).toString(),
    }
    return await callForLicence(this.#fetch, call, 'base64')
  }

  async fairPlayCertificate(): Promise<Buffer> {
    const { licences, merchant } = this.#settings
    const url = `${licences}/license-server-fairplay/cert/${encodeURIComponent(merchant)}`
    return (await callProvider(this.#fetch, { url })).body
  }

  fairPlayUri({ keyId }: Pick<ContentKey, 'keyId'>): string {
    return `skd://drmtoday?assetId=${keyId}&keyId=${keyId}`
  }

  #token({ system, keys, rules, kept, accountId, sessionId }: LicenceOrder, now: number): string {
    const { merchant } = this.#settings
    const issuedAt = Math.floor(now / 1000)
    const rights = {
      profile: kept ? { rental: rentalOf(kept) } : { purchase: {} },
      storeLicense: kept !== undefined,
      ...(system === 'widevine' ? this.#widevineRights(rules) : fairPlayRights(rules)),
    }
    return this.#sign({
      jti: randomUUID(),
      iat: issuedAt,
      exp: issuedAt + TOKEN_SECONDS,
      optData: JSON.stringify({ merchant, userId: String(accountId), sessionId }),
      crt: JSON.stringify(keys.map(({ keyId }) => ({ assetId: keyId, ...rights }))),
    })
  }

  /** @throws ServiceError licenceRefused if hardware security is required and `hardwareTemplate` is undefined */
  #widevineRights({ security, hdcp }: OutputRules): Record<string, unknown> {
    const { hardwareTemplate } = this.#settings
    if (security === 'hardware' && hardwareTemplate === undefined)
      throw refusal('Hardware security at castLabs needs CASTLABS_HARDWARE_TEMPLATE.')
    const template = security === 'hardware' ? { ref: [`:${hardwareTemplate}`] } : {}
    // Sends no rule for HDCP: a rule in the token would replace the rule of the template, which may be stricter.
    if (security === 'hardware' && hdcp === 'none') return template
    const config = Object.fromEntries(STREAMS.map((stream) => [stream, { WidevineM: HDCP[hdcp] }]))
    return { ...template, op: { config } }
  }

  /** Stores keys. Never throws. @returns the errors of keys that could not be stored */
  async #storeAll(keys: readonly ContentKey[]): Promise<unknown[]> {
    const errors: unknown[] = []
    await inLanes(LANES, keys, async (key) => {
      try {
        await this.#store(key)
      } catch (error) {
        errors.push(error)
      }
    })
    return errors
  }

  async #store(key: ContentKey): Promise<void> {
    const storing = this.#stored.get(key.keyId) ?? this.#ingest(key)
    this.#stored.set(key.keyId, storing)
    try {
      await storing
    } catch (error) {
      this.#stored.delete(key.keyId)
      throw error
    }
  }

  /** Stores a key, with a ticket for this one call. */
  async #ingest({ keyId, key, iv }: ContentKey): Promise<void> {
    const { keyStore, signIn, merchant, user, password } = this.#settings
    const service = `${keyStore}/frontend/api/keys/v2/ingest/${encodeURIComponent(merchant)}`
    const granted = await this.#post(`${signIn}/cas/v1/tickets`, { username: user, password })
    const location = granted.headers.get('location')
    // Uses `URL.parse`, because the error of `new URL` contains the address. The address is a secret, and must not
    // be logged.
    const tickets = location === null ? null : URL.parse(location, signIn)
    if (tickets?.origin !== new URL(signIn).origin) {
      const cause = new Error('The sign-in of castLabs named no address for tickets.')
      throw new ServiceError('temporarilyUnavailable', null, { cause })
    }
    const ticket = (await this.#post(tickets.href, { service })).body.toString('latin1')
    const stored = {
      streamType: 'VIDEO_AUDIO',
      algorithm: 'AES',
      keyId: Buffer.from(keyId, 'hex').toString('base64'),
      key: key.toString('base64'),
      ...(iv && { iv: iv.toString('base64') }),
    }
    await callProvider(this.#fetch, {
      url: `${service}?ticket=${encodeURIComponent(ticket.trim())}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ assets: [{ type: 'CENC', assetId: keyId, ingestKeys: [stored] }] }),
    })
  }

  async #post(url: string, fields: Record<string, string>): Promise<ProviderAnswer> {
    return await callProvider(this.#fetch, {
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  }
}

/** Returns the times of a persistent licence. `playDuration` is in milliseconds. */
function rentalOf({ expiresAt, playSeconds }: KeptLicence): Record<string, unknown> {
  return { absoluteExpiration: new Date(expiresAt).toISOString(), playDuration: playSeconds * 1000 }
}

/**
 * Returns the standard output protection, which castLabs applies to FairPlay. It does not distinguish versions of
 * HDCP.
 *
 * @throws ServiceError licenceRefused if a version above 1 is required
 */
function fairPlayRights({ hdcp }: OutputRules): Record<string, unknown> {
  if (hdcp === '2.2') throw refusal('FairPlay at castLabs cannot require HDCP 2.2.')
  const required = hdcp !== 'none'
  return { outputProtection: { digital: required, analogue: required, enforce: required } }
}

/**
 * Returns the fields that identify the key in a FairPlay request, as in the key's address. For several keys,
 * returns no fields: castLabs then reads the key from the request of the device.
 */
function assetOf(keys: readonly ContentKey[]): Record<string, string> {
  const [key] = keys
  return key && keys.length === 1 ? { assetId: key.keyId, keyId: key.keyId } : {}
}

function refusal(message: string): ServiceError {
  return new ServiceError('licenceRefused', null, { cause: new Error(message) })
}

/** The kinds of streams in Enhanced Output Protection of Widevine. */
const STREAMS = ['AUDIO', 'SD', 'HD', 'UHD'] as const

const HDCP = {
  none: { requireHDCP: 'HDCP_NONE' },
  '1.0': { requireHDCP: 'HDCP_V1' },
  '2.2': { requireHDCP: 'HDCP_V2_2' },
} as const
