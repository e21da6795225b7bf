import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { LadderOptions } from '../../../http/operations.ts'
import type { ActiveProfile } from '../../../http/principal.ts'
import { checkPassword, hashPassword } from '../../../passwords.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import { findAccount } from '../accounts/accounts.service.ts'
import { forgetAttempts, takeAttempt } from '../attempts/attempts.service.ts'
import { parentalCodes } from './parental.table.ts'

/** Validity of a proof of the parental code, in seconds: long enough for the call that needs the proof. */
const PROOF_SECONDS = 600

/** Validity of a proof that is lent to a screen, in seconds: long enough for the episodes of an evening. */
const LENT_PROOF_SECONDS = 6 * 3600

/** The parts of the context that check a proof of the parental code. */
interface ProofParts {
  db: Database | Transaction
  keys: TokenKeys
}

type ParentalCode = typeof parentalCodes.$inferSelect

async function findCode(db: Database | Transaction, accountId: number): Promise<ParentalCode | undefined> {
  const [row] = await db.select().from(parentalCodes).where(eq(parentalCodes.accountId, accountId))
  return row
}

/** Returns whether the account has a parental code. */
export async function hasParentalCode(db: Database | Transaction, accountId: number): Promise<boolean> {
  return (await findCode(db, accountId)) !== undefined
}

/** A new parental code. To replace an existing code, it needs that code (`current`), or the account's password. */
interface NewCode {
  code: string
  current: string | undefined
  /** Ignored if `current` is set. */
  password?: string | undefined
}

/**
 * Sets the parental code. Changing the code requires the existing code or the password of the account.
 *
 * @param now milliseconds since the Unix epoch.
 * @returns whether the account had a code before
 * @throws ServiceError invalidAccessCode when the current code is wrong or missing, signInFailed when the password is
 * wrong, slowDown after too many tries
 */
export async function setParentalCode(
  db: Database,
  accountId: number,
  { code, current, password }: NewCode,
  now: number,
): Promise<boolean> {
  const existing = await findCode(db, accountId)
  if (existing) {
    if (current !== undefined) await requireCode(db, existing, current, now)
    else if (password !== undefined) await requirePassword(db, accountId, password)
    else throw new ServiceError('invalidAccessCode')
  }
  const codeHash = await hashPassword(code)
  if (existing) {
    await db
      .update(parentalCodes)
      .set({ codeHash, changedAt: now })
      .where(eq(parentalCodes.accountId, accountId))
    // The holder may have guessed the forgotten code before.
    await forgetAttempts(db, 'parental_code', accountId)
    return true
  }
  const stored = await db
    .insert(parentalCodes)
    .values({ accountId, codeHash, changedAt: now })
    .onConflictDoNothing()
    .returning()
  // Another request has just set a code. Replacing that code requires the code.
  if (stored.length === 0) throw new ServiceError('invalidAccessCode')
  return false
}

/**
 * Checks the parental code. @returns a proof of the code, for other calls
 *
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError notFound if the account has no code, invalidAccessCode, slowDown after too many guesses
 */
export async function validateParentalCode(
  { db, keys }: { db: Database; keys: TokenKeys },
  accountId: number,
  code: string,
  now: number,
): Promise<string> {
  const existing = await findCode(db, accountId)
  if (!existing) throw new ServiceError('notFound')
  await requireCode(db, existing, code, now)
  return keys.sign('parental', { sub: String(accountId), set: existing.changedAt }, PROOF_SECONDS)
}

async function requirePassword(db: Database, accountId: number, password: string): Promise<void> {
  const account = await findAccount(db, accountId)
  if (!(await checkPassword(account?.passwordHash, password))) throw new ServiceError('signInFailed')
}

async function requireCode(
  db: Database,
  { accountId, codeHash }: ParentalCode,
  code: string,
  now: number,
): Promise<void> {
  await takeAttempt(db, 'parental_code', accountId, now)
  if (!(await checkPassword(codeHash, code))) throw new ServiceError('invalidAccessCode')
  await forgetAttempts(db, 'parental_code', accountId)
}

/**
 * Returns whether `proof` is a valid proof of the account's code. Forged and expired proofs, and proofs of another
 * account's code or an earlier code, are not valid.
 */
export async function isProven(
  parts: ProofParts,
  accountId: number,
  proof: string | undefined,
): Promise<boolean> {
  return (await readProof(parts, 'parental', accountId, proof)) !== undefined
}

/**
 * Returns a proof for a screen to which a profile has cast. The new proof is valid longer than `proof`, so that the
 * next episodes play too. It proves the code only for playback by this profile. Returns undefined if `proof` is not a
 * valid proof of the code, or is itself a lent proof.
 */
export async function lendProof(
  parts: ProofParts,
  { accountId, id }: Pick<ActiveProfile, 'accountId' | 'id'>,
  proof: string | undefined,
): Promise<string | undefined> {
  const claims = await readProof(parts, 'parental', accountId, proof)
  if (!claims) return undefined
  const { sub, set } = claims
  return parts.keys.sign('lent-parental', { sub, set, profile: id }, LENT_PROOF_SECONDS)
}

/** Returns whether `proof` proves the code for playback by a profile: like {@link isProven}, or as a lent proof. */
export async function isProvenForPlayback(
  parts: ProofParts,
  { accountId, id }: Pick<ActiveProfile, 'accountId' | 'id'>,
  proof: string | undefined,
): Promise<boolean> {
  if (await isProven(parts, accountId, proof)) return true
  return (await readProof(parts, 'lent-parental', accountId, proof))?.profile === id
}

/** Returns the claims of a valid proof of the account's current code; undefined for all other tokens. */
async function readProof(
  { db, keys }: ProofParts,
  audience: 'parental' | 'lent-parental',
  accountId: number,
  proof: string | undefined,
): Promise<Record<string, unknown> | undefined> {
  const claims = proof === undefined ? undefined : keys.verify(audience, proof)
  if (claims?.sub !== String(accountId)) return undefined
  return (await findCode(db, accountId))?.changedAt === claims.set ? claims : undefined
}

/**
 * Requires a proof of the code. Does nothing for an account without a code.
 *
 * @throws ServiceError invalidAccessCode
 */
export async function requireProof(
  parts: ProofParts,
  accountId: number,
  proof: string | undefined,
): Promise<void> {
  if (await isProven(parts, accountId, proof)) return
  if (await hasParentalCode(parts.db, accountId)) throw new ServiceError('invalidAccessCode')
}

/** Removes a forgotten parental code and the counted guesses. @returns false if the account has no code */
export async function removeParentalCode(db: Database, accountId: number): Promise<boolean> {
  const removed = await db.delete(parentalCodes).where(eq(parentalCodes.accountId, accountId)).returning()
  if (removed.length === 0) return false
  await forgetAttempts(db, 'parental_code', accountId)
  return true
}

/** Removes the parental code of an account that is deleted. */
export async function forgetParentalCode(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(parentalCodes).where(eq(parentalCodes.accountId, accountId))
}

/**
 * Returns the rule for calls that a child's profile may make only with the parental code (spec 46). The rule gets
 * the kind of the profile from the cache of viewers. An account without a code cannot give a proof, so it can make
 * these calls only from an adult's profile.
 */
export function grownUpRule({
  db,
  keys,
  viewers,
}: Pick<Context, 'db' | 'keys' | 'viewers'>): LadderOptions['requireGrownUp'] {
  return async ({ account, profile }, proof, now) => {
    const { kid, accountId } = await viewers.of({ account, profile }, now)
    if (!kid || accountId === null) return
    const isGiven = typeof proof === 'string' && (await isProven({ db, keys }, accountId, proof))
    if (!isGiven) throw new ServiceError('invalidAccessCode')
  }
}
