import { hkdfSync, randomBytes } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { signingKeys } from './keys.table.ts'

/** Signs and checks the tokens of the service (JWT, HMAC-SHA-256) without a database call. */
export interface TokenKeys {
  /** Signs a token with these claims, which expires after this many seconds. */
  sign(audience: TokenAudience, claims: Record<string, unknown>, seconds: number): string
  /** Returns the claims of a token, or undefined if it is forged, expired or for another audience. */
  verify(audience: TokenAudience, token: string): Record<string, unknown> | undefined
  /**
   * Returns the claims of a token of this service, valid or expired. The claims of an expired token only
   * identify a former sign-in. Undefined if the token is forged or for another audience.
   */
  readEnded(audience: TokenAudience, token: string): Record<string, unknown> | undefined
  /**
   * Returns a secret of 32 bytes for another purpose, derived from the key that signed a token. The secret is the
   * same in every process of the installation, for as long as the token is valid.
   *
   * @throws Error for a token that no known key has signed
   */
  secretFor(purpose: string, token: string): Buffer
  /** Reloads the keys after some were added or removed. */
  refresh(): Promise<void>
  /**
   * Number of reloads so far that found known keys removed. Cached data about a token is valid until this number
   * changes.
   */
  readonly losses: number
}

/** Purposes of tokens. A token is accepted only for the purpose for which it was signed. */
export type TokenAudience = 'account' | 'profile' | 'device' | 'parental' | 'playback' | 'sign-on' | 'screens'

/** Time after which a new key signs, in milliseconds. By then every process knows the key. */
export const SETTLING_MS = 60_000

/** Maximum number of tokens whose verified claims are cached. Callers send the same tokens repeatedly. */
const MOST_REMEMBERED = 20_000

/** Token with a valid signature. */
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

/** Loads the signing keys, and creates the first one of a new installation. */
export async function loadTokenKeys(db: Database, clock: Clock): Promise<TokenKeys> {
  await db.transaction(async (tx) => {
    if ((await tx.$count(signingKeys)) > 0) return
    await tx
      .insert(signingKeys)
      .values({ id: 'first', secret: randomBytes(32), createdAt: clock.now() })
      .onConflictDoNothing()
  })
  const decode = createDecoder({ complete: true })
  /** Keys by id, the newest first. */
  let keys = new Map<string, SigningKey>()
  let losses = 0
  /** Verified tokens with their claims. When a key is removed, the tokens that it signed are removed too. */
  const checked = new LRUCache<string, Checked>({ max: MOST_REMEMBERED })

  async function refresh(): Promise<void> {
    const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), signingKeys.id)
    if ([...keys.keys()].some((id) => rows.every((row) => row.id !== id))) losses++
    // Known keys stay the same objects, so that the cached tokens that refer to them stay valid.
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

  /** Returns the key whose id is in a token, without checking the signature. */
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
      // The token is malformed, or not of this service. The caller treats both as no token.
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
    // Expiry is checked against the service's clock at each look-up.
    verify: createVerifier({ key: secret, algorithms: ['HS256'], ignoreExpiration: true }),
  }
}
