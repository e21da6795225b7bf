import { hkdfSync, randomBytes } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connection.ts'
import { signingKeys } from './keys.table.ts'

/** Signs and checks the tokens of the service (JWT, HMAC-SHA-256) without a database call. */
export interface TokenKeys {
  /** A token of `audience` that holds `claims` and ends `seconds` from now. */
  sign(audience: TokenAudience, claims: Record<string, unknown>, seconds: number): string
  /** The claims of a token, or undefined when it is forged, expired or of another audience. */
  verify(audience: TokenAudience, token: string): Record<string, unknown> | undefined
  /** A secret of 32 bytes for another purpose, the same in every process of the installation. */
  secretFor(purpose: string): Buffer
}

/** What a token is good for; one kind is never accepted as another. */
export type TokenAudience = 'account' | 'profile' | 'playback'

interface SigningKey {
  id: string
  secret: Buffer
}

/** Loads the signing keys, and makes the first one of a new installation. */
export async function loadTokenKeys(db: Database, clock: Clock): Promise<TokenKeys> {
  await db
    .insert(signingKeys)
    .values({ id: 'first', secret: randomBytes(32), createdAt: clock.now() })
    .onConflictDoNothing()
  const keys = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt))
  return createTokenKeys(keys, clock)
}

/** @param keys newest first; the first one signs. */
export function createTokenKeys(keys: SigningKey[], clock: Clock): TokenKeys {
  const newest = keys[0]
  if (!newest) throw new Error('There is no signing key.')
  const signer = createSigner({ key: newest.secret, algorithm: 'HS256', kid: newest.id, noTimestamp: true })
  const decode = createDecoder({ complete: true })
  const verifiers = new Map(
    keys.map((key) => [
      key.id,
      // The cache keeps outcomes by a hash of the token; the end of validity is checked at each look-up against our clock.
      createVerifier({ key: key.secret, algorithms: ['HS256'], ignoreExpiration: true, cache: 10_000 }),
    ]),
  )
  return {
    sign: (audience, claims, seconds) =>
      signer({ ...claims, aud: audience, exp: Math.floor(clock.now() / 1000 + seconds) }),
    verify: (audience, token) => {
      const claims = verified(token, decode, verifiers)
      if (!claims || claims.aud !== audience) return undefined
      return typeof claims.exp === 'number' && claims.exp * 1000 > clock.now() ? claims : undefined
    },
    secretFor: (purpose) => Buffer.from(hkdfSync('sha256', newest.secret, '', purpose, 32)),
  }
}

function verified(
  token: string,
  decode: ReturnType<typeof createDecoder>,
  verifiers: Map<string, (token: string) => unknown>,
): Record<string, unknown> | undefined {
  try {
    const { header } = decode(token) as { header: { kid?: unknown } }
    const verifier = typeof header.kid === 'string' ? verifiers.get(header.kid) : undefined
    return verifier?.(token) as Record<string, unknown> | undefined
  } catch {
    // Not a token, or not one of ours: to the caller both are simply no token.
    return undefined
  }
}
