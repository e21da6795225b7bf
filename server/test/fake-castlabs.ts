import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod'
import {
  CERTIFICATE,
  demand,
  type FakeLicence,
  formOf,
  headerOf,
  type Provider,
  parsed,
  type Received,
  type Reply,
  writeFakeLicence,
} from './fake-drm-provider.ts'

const MERCHANT = 'ondine'
const SECRET_ID = 'e7c1f2f4-90f1-4f0e-8f9c-6b0a5a3c7f11'
const USER = 'ondine::keys'
const PASSWORD = 'password of the key store'
const STORE = `/frontend/api/keys/v2/ingest/${MERCHANT}`

const claims = z.strictObject({
  jti: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
  optData: z.string(),
  crt: z.string(),
})
const header = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('JWT'), kid: z.literal(SECRET_ID) })
const customData = z.strictObject({
  merchant: z.literal(MERCHANT),
  userId: z.string().min(1),
  sessionId: z.string().min(1),
})
/** Enhanced Output Protection of one kind of stream. */
const protection = z.strictObject({
  WidevineM: z.strictObject({ requireHDCP: z.enum(['HDCP_NONE', 'HDCP_V1', 'HDCP_V2_2']) }),
})
const right = {
  assetId: z.string().min(1),
  profile: z.union([
    z.strictObject({ purchase: z.strictObject({}) }),
    z.strictObject({
      rental: z.strictObject({ absoluteExpiration: z.iso.datetime(), playDuration: z.int().positive() }),
    }),
  ]),
  storeLicense: z.boolean(),
}
/** Customer Rights Tokens, by system. Other fields are refused. */
const rights = {
  widevine: z
    .array(
      z.strictObject({
        ...right,
        ref: z.tuple([z.literal(':hardware')]).optional(),
        op: z
          .strictObject({
            config: z.strictObject({ AUDIO: protection, SD: protection, HD: protection, UHD: protection }),
          })
          .optional(),
      }),
    )
    .min(1),
  fairPlay: z
    .array(
      z.strictObject({
        ...right,
        outputProtection: z.strictObject({
          digital: z.boolean(),
          analogue: z.boolean(),
          enforce: z.boolean(),
        }),
      }),
    )
    .min(1),
}
const base64Of16 = z.string().regex(/^[A-Za-z0-9+/]{22}==$/)
const stored = z.strictObject({
  assets: z.tuple([
    z.strictObject({
      type: z.literal('CENC'),
      assetId: z.string().min(1),
      ingestKeys: z.tuple([
        z.strictObject({
          streamType: z.literal('VIDEO_AUDIO'),
          algorithm: z.literal('AES'),
          keyId: base64Of16,
          key: base64Of16,
          iv: base64Of16.optional(),
        }),
      ]),
    }),
  ]),
})

/**
 * A device's request, and the parameters of the key's address. A request for several keys has no such parameters.
 */
const fairPlayForm = z.strictObject({
  spc: z.base64().min(1),
  assetId: z.string().optional(),
  keyId: z.string().optional(),
})

interface StoredKey {
  keyId: string
  key: string
  iv: string
}

/**
 * Returns a fake of castLabs DRMtoday. @param now returns the time of the test, in milliseconds since the Unix
 * epoch
 */
export function fakeCastLabs(now: () => number, secret: Buffer = randomBytes(32)): Provider {
  const keys = new Map<string, StoredKey>()
  const grantingTickets = new Set<string>()
  const tickets = new Map<string, string>()
  const used = new Set<string>()

  return {
    settings: (base) => ({
      DRM_PROVIDER: 'castlabs',
      DRM_API_BASE: base,
      CASTLABS_MERCHANT: MERCHANT,
      CASTLABS_SECRET_ID: SECRET_ID,
      CASTLABS_SECRET: secret.toString('hex'),
      CASTLABS_USER: USER,
      CASTLABS_PASSWORD: PASSWORD,
      CASTLABS_HARDWARE_TEMPLATE: 'hardware',
    }),
    answer: (received) => {
      const { pathname } = received.url
      if (pathname === `/license-server-fairplay/cert/${MERCHANT}`) return { body: CERTIFICATE }
      if (pathname === '/cas/v1/tickets') return signIn(received)
      if (pathname.startsWith('/cas/v1/tickets/')) return ticketFor(received)
      if (pathname === STORE) return store(received)
      if (pathname === '/license-proxy-widevine/cenc/') {
        demand(received.url.searchParams.get('specConform') === 'true', 'a conforming answer')
        return { body: licence(received, 'widevine', received.body.toString('base64')) }
      }
      demand(pathname === '/license-server-fairplay/', 'an address')
      const { spc, ...asset } = parsed(
        fairPlayForm,
        JSON.stringify(Object.fromEntries(formOf(received))),
        'the form',
      )
      return { body: licence(received, 'fairPlay', spc, asset).toString('base64') }
    },
  }

  function signIn(received: Received): Reply {
    const form = formOf(received)
    demand(form.get('username') === USER && form.get('password') === PASSWORD, 'the account')
    const ticket = `TGT-${randomUUID()}`
    grantingTickets.add(ticket)
    return { status: 201, headers: { location: `${received.url.origin}/cas/v1/tickets/${ticket}` } }
  }

  function ticketFor(received: Received): Reply {
    demand(grantingTickets.has(received.url.pathname.split('/').at(-1) ?? ''), 'a granting ticket')
    const ticket = `ST-${randomUUID()}`
    tickets.set(ticket, formOf(received).get('service') ?? '')
    return { body: ticket }
  }

  function store(received: Received): Reply {
    const ticket = received.url.searchParams.get('ticket') ?? ''
    demand(tickets.get(ticket) === `${received.url.origin}${STORE}`, 'a ticket for the key store')
    tickets.delete(ticket)
    const [{ assetId, ingestKeys }] = parsed(stored, received.body.toString(), 'the keys').assets
    const [{ keyId, key, iv = '' }] = ingestKeys
    if (keys.has(assetId)) return { status: 409 }
    const hex = (text: string) => Buffer.from(text, 'base64').toString('hex')
    keys.set(assetId, { keyId: hex(keyId), key: hex(key), iv: hex(iv) })
    return { body: JSON.stringify({ assets: [{ assetId, keys: [{ streamType: 'VIDEO_AUDIO', keyId }] }] }) }
  }

  function licence(
    received: Received,
    system: 'widevine' | 'fairPlay',
    request: string,
    named: { assetId?: string | undefined; keyId?: string | undefined } = {},
  ): Buffer {
    const { user, crt } = verified(headerOf(received, 'x-dt-auth-token'))
    const { assetIds, isHardwareOnly, hdcp, kept } =
      system === 'widevine' ? widevineRules(crt) : fairPlayRules(crt)
    const [only, ...more] = assetIds
    const isNamed = system === 'fairPlay' && more.length === 0
    demand(named.assetId === (isNamed ? only : undefined), 'the asset of the only right')
    const found = assetIds.map((assetId) => {
      const key = keys.get(assetId)
      demand(key !== undefined, 'a stored key')
      return key
    })
    demand(named.keyId === (isNamed ? found[0]?.keyId : undefined), 'the key of that asset')
    return writeFakeLicence({
      system,
      request,
      keys: Object.fromEntries(found.map(({ keyId, key }) => [keyId, key])),
      vectors: system === 'fairPlay' ? Object.fromEntries(found.map(({ keyId, iv }) => [keyId, iv])) : {},
      userId: user,
      isHardwareOnly,
      hdcp,
      kept,
    })
  }

  function verified(token: string) {
    const [head = '', payload = '', signature] = token.split('.')
    const wanted = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
    demand(signature === wanted, 'the signature')
    parsed(header, Buffer.from(head, 'base64url').toString(), 'the header')
    const { jti, iat, exp, optData, crt } = parsed(
      claims,
      Buffer.from(payload, 'base64url').toString(),
      'the claims',
    )
    demand(!used.has(jti), 'a token that was not used')
    used.add(jti)
    demand(iat * 1000 <= now() && now() < exp * 1000 && exp - iat <= 3600, 'a valid period')
    return { user: parsed(customData, optData, 'the user').userId, crt }
  }
}

interface Rules extends Pick<FakeLicence, 'kept'> {
  assetIds: string[]
  isHardwareOnly: boolean
  hdcp: FakeLicence['hdcp']
}

const HDCP = { HDCP_NONE: 'none', HDCP_V1: '1.0', HDCP_V2_2: '2.2' } as const

function widevineRules(crt: string): Rules {
  const all = parsed(rights.widevine, crt, 'the rights')
  const [first] = all
  return {
    assetIds: all.map(({ assetId }) => assetId),
    isHardwareOnly: first?.ref !== undefined,
    hdcp: HDCP[first?.op?.config.HD.WidevineM.requireHDCP ?? 'HDCP_NONE'],
    kept: keptIn(first),
  }
}

function fairPlayRules(crt: string): Rules {
  const all = parsed(rights.fairPlay, crt, 'the rights')
  return {
    assetIds: all.map(({ assetId }) => assetId),
    isHardwareOnly: false,
    hdcp: all.every(({ outputProtection: { digital, enforce } }) => digital && enforce) ? '1.0' : 'none',
    kept: keptIn(all[0]),
  }
}

type Right = Pick<z.infer<typeof rights.widevine>[number], 'profile' | 'storeLicense'>

/** Returns the times of a stored licence. Only the licence of a rental is stored and has times. */
function keptIn(first: Right | undefined): FakeLicence['kept'] {
  const rental = first && 'rental' in first.profile ? first.profile.rental : null
  demand((first?.storeLicense === true) === (rental !== null), 'a rental exactly where the licence is stored')
  return rental && { expiresAt: rental.absoluteExpiration, playSeconds: rental.playDuration / 1000 }
}
