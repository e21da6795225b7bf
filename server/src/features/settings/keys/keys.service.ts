import { hkdfSync, randomBytes } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { signingKeys } from './keys.table.ts'

/** Signs and verifies the tokens of the service (JWT, HMAC-SHA-256) without database queries. */
export interface TokenKeys {
  /** Signs a token with these claims. The token expires after `seconds`. */
  sign(audience: TokenAudience, claims: Record<string, unknown>, seconds: number): string
  /** Returns the claims of a token; undefined if the token is forged, expired or for another audience. */
  verify(audience: TokenAudience, token: string): Record<string, unknown> | undefined
  /**
   * Returns the claims of a token of this service, valid or expired. Callers may use the claims of an expired
   * token only to identify a former sign-in. Returns undefined if the token is forged or for another audience.
   */
  readEnded(audience: TokenAudience, token: string): Record<string, unknown> | undefined
  /**
   * Returns a 32-byte secret for another purpose, derived from the key whose id is in the token. All processes of
   * the installation derive the same secret while the key exists.
   *
   * @throws Error if the key is unknown
   */
  secretFor(purpose: string, token: string): Buffer
  /** Reloads the keys. Called after a change of the keys. */
  refresh(): Promise<void>
  /**
   * Number of reloads that found a key removed. Cached data about a token stays valid while this number is the
   * same.
   */
  readonly losses: number
}

/** Purposes of tokens. A token is valid only for its purpose. */
type TokenAudience =
  | 'account'
  | 'profile'
  | 'device'
  | 'parental'
  | 'lent-parental'
  | 'playback'
  | 'sign-on'
  | 'screens'

/**
 * Time between the creation of a key and its first signature, in milliseconds. All processes load the key in this
 * time.
 */
export const SETTLING_MS = 60_000

/** Maximum number of tokens with cached claims. Callers send the same tokens repeatedly. */
const MOST_REMEMBERED = 20_000

/** A token with a verified signature. */
interface Checked {
  key: SigningKey
  claims: Record<string, unknown>
}

interface SigningKey {
  id: string
  createdAt: number
  sign: (claims: Record<string, unknown>) => string
  verify: (token: string) => unknown
  secrets: Map<string, Buffer>
  secret: Buffer
}

/** Loads the signing keys. Creates the first key of a new installation. */
export async function loadTokenKeys(db: Database, clock: Clock): Promise<TokenKeys> {
  await db.transaction(async (tx) => {
    if ((await tx.$count(signingKeys)) > 0) return
    await tx
      .insert(signingKeys)
      .values({ id: 'first', secret: randomBytes(32), createdAt: clock.now() })
      .onConflictDoNothing()
  })
  const decode = createDecoder({ complete: true })
  /** Keys by id, newest first. */
  let keys = new Map<string, SigningKey>()
  let losses = 0
  /** Verified tokens with their claims. Removing a key also removes the tokens that it signed. */
  const checked = new LRUCache<string, Checked>({ max: MOST_REMEMBERED })

  async function refresh(): Promise<void> {
    const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), signingKeys.id)
    if ([...keys.keys()].some((id) => rows.every((row) => row.id !== id))) losses++
    // Keep the objects of known keys, because cached tokens refer to these objects.
    keys = new Map(rows.map((row) => [row.id, keys.get(row.id) ?? signingKey(row)]))
    for (const [token, { key }] of checked) if (keys.get(key.id) !== key) checked.delete(token)
  }
  await refresh()

  function signing(): SigningKey {
    const settled = clock.now() - SETTLING_MS
    const all = [...keys.values()]
    const key = all.find(({ createdAt }) => createdAt <= settled) ?? all.at(-1)
    if (!key) throw new Error('There is no signing key.')
    return key
  }

  /** Returns the key whose id is in a token. Does not verify the signature. */
  function keyOf(token: string): SigningKey | undefined {
    const { header } = decode(token) as { header: { kid?: unknown } }
    return typeof header.kid === 'string' ? keys.get(header.kid) : undefined
  }

  function verified(token: string): Record<string, unknown> | undefined {
    const known = checked.get(token)
    if (known) return known.claims
    try {
      const key = keyOf(token)
      if (!key) return undefined
      const claims = key.verify(token) as Record<string, unknown>
      checked.set(token, { key, claims })
      return claims
    } catch {
      // The token is malformed, or from another issuer. The caller treats it like a missing token.
      return undefined
    }
  }

  return {
    sign: (audience, claims, seconds) =>
      signing().sign({ ...claims, aud: audience, exp: Math.floor(clock.now() / 1000 + seconds) }),
    verify: (audience, token) => {
      const claims = verified(token)
      if (!claims || claims.aud !== audience) return undefined
      return typeof claims.exp === 'number' && claims.exp * 1000 > clock.now() ? claims : undefined
    },
    readEnded: (audience, token) => {
      const claims = verified(token)
      return claims?.aud === audience ? claims : undefined
    },
    secretFor: (purpose, token) => {
      const key = keyOf(token)
      if (!key) throw new Error('No key has signed this token.')
      const secret = key.secrets.get(purpose) ?? Buffer.from(hkdfSync('sha256', key.secret, '', purpose, 32))
      key.secrets.set(purpose, secret)
      return secret
    },
    refresh,
    get losses() {
      return losses
    },
  }
}

function signingKey({ id, secret, createdAt }: typeof signingKeys.$inferSelect): SigningKey {
  return {
    id,
    createdAt,
    secret,
    secrets: new Map(),
    sign: createSigner({ key: secret, algorithm: 'HS256', kid: id, noTimestamp: true }),
    // `TokenKeys.verify` checks the expiry at each call, by the service's clock, because claims are cached.
    verify: createVerifier({ key: secret, algorithms: ['HS256'], ignoreExpiration: true }),
  }
}
