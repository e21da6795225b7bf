import { createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod'
import {
  CERTIFICATE,
  demand,
  headerOf,
  type Provider,
  parsed,
  writeFakeLicence,
} from './fake-drm-provider.ts'

const KEY_ID = '69e54088-e9e0-4530-8c1a-1eb6dcd0d14e'
const DAY_MS = 86_400_000

const guid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const base64Of16 = z.string().regex(/^[A-Za-z0-9+/]{22}==$/)

const header = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('JWT') })

/** License Service Message, version 1, with an Entitlement Message, version 2. Other fields are refused. */
const message = z.strictObject({
  version: z.literal(1),
  com_key_id: z.literal(KEY_ID),
  begin_date: z.iso.datetime(),
  expiration_date: z.iso.datetime(),
  message: z.strictObject({
    type: z.literal('entitlement_message'),
    version: z.literal(2),
    license: z.union([
      z.strictObject({ allow_persistence: z.literal(false) }),
      z.strictObject({
        allow_persistence: z.literal(true),
        expiration_datetime: z.iso.datetime(),
        widevine: z.strictObject({ playback_duration: z.int().positive() }),
        fairplay: z.strictObject({ playback_duration: z.int().positive() }),
      }),
    ]),
    content_keys_source: z.strictObject({
      inline: z
        .array(
          z.strictObject({
            id: guid,
            encrypted_key: base64Of16,
            iv: base64Of16.optional(),
            usage_policy: z.string(),
          }),
        )
        .min(1),
    }),
    content_key_usage_policies: z.array(
      z.strictObject({
        name: z.string(),
        widevine: z.strictObject({
          device_security_level: z.enum(['SW_SECURE_CRYPTO', 'HW_SECURE_ALL']),
          hdcp: z.enum(['1.0', '2.2']).optional(),
        }),
        fairplay: z.strictObject({ hdcp: z.enum(['TYPE0', 'TYPE1']) }).optional(),
      }),
    ),
  }),
})

/** Returns a fake of Axinom DRM. @param now returns the time of the test, in milliseconds since the Unix epoch */
export function fakeAxinom(now: () => number, communicationKey: Buffer = randomBytes(32)): Provider {
  return {
    settings: (base) => ({
      DRM_PROVIDER: 'axinom',
      AXINOM_KEY_ID: KEY_ID,
      AXINOM_KEY: communicationKey.toString('base64'),
      AXINOM_WIDEVINE_URL: `${base}/widevine/AcquireLicense`,
      AXINOM_FAIRPLAY_URL: `${base}/fairplay/AcquireLicense`,
      AXINOM_CERTIFICATE_URL: `${base}/fairplay.cer`,
    }),
    answer: (received) => {
      if (received.url.pathname === '/fairplay.cer') return { body: CERTIFICATE }
      demand(received.url.pathname.endsWith('/AcquireLicense') && received.method === 'POST', 'an address')
      const token = verified(headerOf(received, 'x-axdrm-message'))
      demand(
        Date.parse(token.begin_date) <= now() && now() < Date.parse(token.expiration_date),
        'a valid period',
      )
      demand(Date.parse(token.expiration_date) - now() < DAY_MS, 'a short period')
      const { license, content_keys_source: source, content_key_usage_policies: policies } = token.message
      const [policy] = policies
      const keys = source.inline.map(({ id, encrypted_key, iv, usage_policy }) => {
        demand(usage_policy === policy?.name, 'the policy of each key')
        const keyId = id.replaceAll('-', '')
        const decipher = createDecipheriv('aes-256-cbc', communicationKey, Buffer.from(keyId, 'hex'))
        const key = decipher.setAutoPadding(false).update(Buffer.from(encrypted_key, 'base64'))
        return { keyId, key: key.toString('hex'), iv: iv && Buffer.from(iv, 'base64').toString('hex') }
      })
      const isFairPlay = received.url.pathname.startsWith('/fairplay')
      return {
        body: writeFakeLicence({
          system: isFairPlay ? 'fairPlay' : 'widevine',
          request: received.body.toString('base64'),
          keys: Object.fromEntries(keys.map(({ keyId, key }) => [keyId, key])),
          vectors: isFairPlay ? Object.fromEntries(keys.map(({ keyId, iv }) => [keyId, iv ?? ''])) : {},
          userId: '',
          isHardwareOnly: policy?.widevine.device_security_level === 'HW_SECURE_ALL',
          hdcp: isFairPlay ? HDCP[policy?.fairplay?.hdcp ?? 'none'] : (policy?.widevine.hdcp ?? 'none'),
          kept: license.allow_persistence
            ? {
                expiresAt: license.expiration_datetime,
                playSeconds: (isFairPlay ? license.fairplay : license.widevine).playback_duration,
              }
            : null,
        }),
      }
    },
  }

  function verified(token: string): z.infer<typeof message> {
    const [head = '', payload = '', signature] = token.split('.')
    const wanted = createHmac('sha256', communicationKey).update(`${head}.${payload}`).digest('base64url')
    demand(signature === wanted, 'the signature')
    parsed(header, Buffer.from(head, 'base64url').toString(), 'the header')
    return parsed(message, Buffer.from(payload, 'base64url').toString(), 'the message')
  }
}

const HDCP = { none: 'none', TYPE0: '1.0', TYPE1: '2.2' } as const
