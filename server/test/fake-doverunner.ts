import { createDecipheriv, createHash } from 'node:crypto'
import * as z from 'zod'
import {
  CERTIFICATE,
  demand,
  formOf,
  headerOf,
  type Provider,
  parsed,
  writeFakeLicence,
} from './fake-drm-provider.ts'

const SITE_ID = 'ABCD'
const SITE_KEY = 'site-key-of-thirty-two-bytes-ok!'
const ACCESS_KEY = 'access-key-of-the-tests'
/** How long a token is valid after its timestamp, in milliseconds. */
const VALID_MS = 600_000

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const hexadecimal = z.string().regex(/^[0-9a-f]{32}$/)

const token = z.strictObject({
  drm_type: z.enum(['Widevine', 'FairPlay']),
  site_id: z.literal(SITE_ID),
  user_id: z.string().min(1),
  cid: z.string().regex(/^[A-Za-z0-9]{1,200}$/),
  policy: z.base64(),
  timestamp: z.string().regex(TIME),
  hash: z.base64(),
  response_format: z.literal('original'),
  key_rotation: z.literal(false),
})

/** License policy, version 2. Other fields are refused. */
const policy = z.strictObject({
  policy_version: z.literal(2),
  playback_policy: z.union([
    z.strictObject({ persistent: z.literal(false) }),
    z.strictObject({
      persistent: z.literal(true),
      expire_date: z.string().regex(TIME),
      playback_duration: z.int().positive(),
    }),
  ]),
  security_policy: z.tuple([
    z.strictObject({
      track_type: z.literal('ALL'),
      widevine: z.strictObject({
        security_level: z.int().min(1).max(5),
        required_hdcp_version: z.enum(['HDCP_NONE', 'HDCP_V1', 'HDCP_V2_2']),
      }),
      fairplay: z.strictObject({ hdcp_enforcement: z.int().min(-1).max(1) }),
    }),
  ]),
  external_key: z.union([
    z.strictObject({
      mpeg_cenc: z.tuple([
        z.strictObject({
          track_type: z.literal('ALL'),
          key_id: hexadecimal,
          key: hexadecimal,
          iv: hexadecimal.optional(),
        }),
      ]),
    }),
    z.strictObject({
      hls_aes: z.tuple([
        z.strictObject({
          track_type: z.literal('ALL'),
          key_id: hexadecimal,
          key: hexadecimal,
          iv: hexadecimal,
        }),
      ]),
    }),
  ]),
})

/** Returns a fake of DoveRunner. @param now returns the time of the test, in milliseconds since the Unix epoch */
export function fakeDoveRunner(now: () => number, accessKey: string = ACCESS_KEY): Provider {
  return {
    settings: (base) => ({
      DRM_PROVIDER: 'doverunner',
      DRM_API_BASE: base,
      DOVERUNNER_SITE_ID: SITE_ID,
      DOVERUNNER_SITE_KEY: SITE_KEY,
      DOVERUNNER_ACCESS_KEY: ACCESS_KEY,
    }),
    answer: (received) => {
      if (received.url.pathname === '/ri/fpsKeyManager.do') {
        demand(received.url.searchParams.get('siteId') === SITE_ID, 'the site')
        return { body: CERTIFICATE.toString('base64') }
      }
      demand(received.url.pathname === '/ri/licenseManager.do', 'an address')
      const signed = verified(headerOf(received, 'pallycon-customdata-v2'))
      const { playback_policy: playback, security_policy, external_key } = decrypted(signed.policy)
      const [security] = security_policy
      const isFairPlay = signed.drm_type === 'FairPlay'
      demand(isFairPlay === 'hls_aes' in external_key, 'the kind of key')
      const request = isFairPlay ? (formOf(received).get('spc') ?? '') : received.body.toString('base64')
      const key = 'hls_aes' in external_key ? external_key.hls_aes[0] : external_key.mpeg_cenc[0]
      const licence = writeFakeLicence({
        system: isFairPlay ? 'fairPlay' : 'widevine',
        request,
        keys: { [key.key_id]: key.key },
        vectors: isFairPlay ? { [key.key_id]: key.iv ?? '' } : {},
        userId: signed.user_id,
        isHardwareOnly: security.widevine.security_level === 5,
        hdcp: isFairPlay
          ? ((['none', '1.0', '2.2'] as const)[security.fairplay.hdcp_enforcement + 1] ?? 'none')
          : HDCP[security.widevine.required_hdcp_version],
        kept: playback.persistent
          ? { expiresAt: playback.expire_date, playSeconds: playback.playback_duration }
          : null,
      })
      return { body: isFairPlay ? licence.toString('base64') : licence }
    },
  }

  function verified(text: string): z.infer<typeof token> {
    const read = parsed(token, Buffer.from(text, 'base64').toString(), 'the token')
    const { drm_type, site_id, user_id, cid, policy: sealed, timestamp, hash } = read
    const message = accessKey + drm_type + site_id + user_id + cid + sealed + timestamp
    demand(hash === createHash('sha256').update(message).digest('base64'), 'the hash')
    const age = now() - Date.parse(timestamp)
    demand(age >= 0 && age < VALID_MS, 'a valid time')
    return read
  }

  function decrypted(sealed: string): z.infer<typeof policy> {
    const decipher = createDecipheriv('aes-256-cbc', SITE_KEY, '0123456789abcdef')
    const text = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64')), decipher.final()]).toString()
    return parsed(policy, text, 'the policy')
  }
}

const HDCP = { HDCP_NONE: 'none', HDCP_V1: '1.0', HDCP_V2_2: '2.2' } as const
