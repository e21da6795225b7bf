import { createHash, randomBytes, randomInt } from 'node:crypto'
import { describeDevice } from '@ondine/contract/device-names'
import { PAIRING, PAIRING_ALPHABET, plainCode } from '@ondine/contract/pairing-code'
import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { SignedIn } from '../../../http/principal.ts'
import { requireHeldAccount } from '../accounts/accounts.service.ts'
import { giveBackAttempt, takeAttempt } from '../attempts/attempts.service.ts'
import { type DeviceRow, findDevice, storeDevice } from '../devices/devices.service.ts'
import { type ProfileRow, requireProfile } from '../profiles/profiles.service.ts'
import { newSignIn } from '../sign-in/sessions.service.ts'
import { pairings } from './pairing.table.ts'

type Pairing = typeof pairings.$inferSelect

/** Maximum number of attempts to generate a code that is not in use. */
const DRAWS = 5

/** Longest stored `User-Agent`, in characters. */
const USER_AGENT_MAX = 500

/** How long a paired television may repeat its request, in milliseconds. */
const REPLAY_MS = 60_000

/**
 * Starts the pairing of a television.
 *
 * @param now milliseconds since the Unix epoch.
 */
export async function startPairing(
  db: Database,
  television: { storefrontId: number; userAgent: string },
  now: number,
): Promise<{ code: string; secret: string }> {
  // Deleting expired pairings makes their codes available again.
  await db.delete(pairings).where(lte(pairings.expiresAt, now))
  const secret = randomBytes(24).toString('base64url')
  for (let draw = 0; draw < DRAWS; draw++) {
    const code = drawCode()
    const stored = await db
      .insert(pairings)
      .values({
        ...television,
        userAgent: keptAgent(television.userAgent),
        code,
        secretHash: hashOf(secret),
        startedAt: now,
        expiresAt: now + PAIRING.seconds * 1000,
      })
      .onConflictDoNothing()
      .returning({ code: pairings.code })
    if (stored.length > 0) return { code, secret }
  }
  throw new Error('There is no free pairing code.')
}

function drawCode(): string {
  return Array.from(
    { length: PAIRING.codeLength },
    () => PAIRING_ALPHABET[randomInt(PAIRING_ALPHABET.length)],
  ).join('')
}

function keptAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_MAX)
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The account and the profile of the person who enters a code, and the account's storefront. */
export interface Entering {
  accountId: number
  profileId: number
  storefrontId: number
}

/**
 * Returns the television that shows a code; undefined if no television shows it. A wrong code counts as a guess of
 * the account. A right code does not reset the count. Otherwise an account with a television could guess without limit.
 *
 * @throws ServiceError slowDown after too many wrong codes
 */
export async function findTelevision(
  db: Database,
  code: string,
  { accountId, storefrontId }: Entering,
  now: number,
): Promise<{ name: string; startedAt: number } | undefined> {
  await takeAttempt(db, 'pairing', accountId, now)
  const [row] = await db
    .select()
    .from(pairings)
    .where(waiting(code, storefrontId, now))
  if (!row) return undefined
  await giveBackAttempt(db, 'pairing', accountId)
  return { name: describeDevice(row.userAgent).name, startedAt: Math.floor(row.startedAt / 1000) }
}

/**
 * Pairs the television that shows a code with this profile. A code works once.
 *
 * @returns whether a television shows the code
 * @throws ServiceError slowDown after too many wrong codes
 */
export async function pairTelevision(
  db: Database,
  code: string,
  { accountId, profileId, storefrontId }: Entering,
  now: number,
): Promise<boolean> {
  await takeAttempt(db, 'pairing', accountId, now)
  const paired = await db
    .update(pairings)
    .set({ accountId, profileId })
    .where(waiting(code, storefrontId, now))
    .returning({ code: pairings.code })
  if (paired.length === 0) return false
  await giveBackAttempt(db, 'pairing', accountId)
  return true
}

function waiting(code: string, storefrontId: number, now: number) {
  return and(
    eq(pairings.code, plainCode(code)),
    eq(pairings.storefrontId, storefrontId),
    isNull(pairings.accountId),
    gt(pairings.expiresAt, now),
  )
}

/** A confirmed pairing. */
type Confirmed = Pairing & { accountId: number; profileId: number }

/**
 * Returns the pairing of a television's secret if somebody has confirmed the pairing; otherwise whether the
 * pairing is waiting or expired. The pairing of another storefront counts as expired.
 */
export async function pairingOf(
  db: Database,
  storefrontId: number,
  secret: string,
  now: number,
): Promise<'waiting' | 'expired' | Confirmed> {
  const [row] = await db
    .select()
    .from(pairings)
    .where(
      and(
        eq(pairings.secretHash, hashOf(secret)),
        eq(pairings.storefrontId, storefrontId),
        gt(pairings.expiresAt, now),
      ),
    )
  if (!row) return 'expired'
  const { accountId, profileId } = row
  return accountId === null || profileId === null ? 'waiting' : { ...row, accountId, profileId }
}

/**
 * Returns the device id of a television that sends none. The id is derived from the secret, so that a repeated
 * request does not register a second device.
 */
export function deviceIdOf(secret: string): string {
  return hashOf(`device of ${secret}`)
}

/** A television that requests the state of its code. */
export interface Television {
  /** Device id of the television. */
  uniqueId: string
  userAgent: string
}

/** The registered device of a paired television, and its profile. */
interface ComeIn {
  device: DeviceRow
  /** Profile that is active on the television. */
  profile: ProfileRow
}

/**
 * Registers the device of a paired television, and returns the device and its profile. For a minute, a repeated
 * request of the same television returns the same device, because the first answer may have been lost.
 *
 * @param most maximum number of devices of the account; 0 for no limit.
 * @returns undefined if the pairing was revoked, or another device used it
 * @throws ServiceError tooManyDevices, tokenInvalid
 */
export async function comeIn(
  db: Database,
  { code, accountId, profileId }: Confirmed,
  television: Television,
  signedIn: Pick<SignedIn, 'id' | 'since'>,
  most: number,
  now: number,
): Promise<ComeIn | undefined> {
  return await db.transaction(async (tx) => {
    const account = await requireHeldAccount(tx, signedIn)
    // Locks the pairing. The second of two concurrent requests then finds the device of the first request, and
    // registers no second device.
    const [pairing] = await tx
      .select()
      .from(pairings)
      .where(and(eq(pairings.code, code), eq(pairings.profileId, profileId)))
      .for('update')
    if (!pairing) return undefined
    // The profile cannot be deleted before this transaction ends. Deleting a profile also deletes its pairings,
    // and this pairing is locked.
    const profile = await requireProfile(tx, accountId, profileId)
    if (pairing.deviceId !== null) {
      const device = await findDevice(tx, accountId, pairing.deviceId)
      const isTheSame =
        device?.uniqueId === television.uniqueId && pairing.userAgent === keptAgent(television.userAgent)
      return isTheSame ? { device, profile } : undefined
    }
    const childProfileId = profile.kid ? profile.id : null
    const wanted = { ...television, signIn: newSignIn(), childProfileId }
    const device = await storeDevice(tx, account, wanted, most, now)
    await tx
      .update(pairings)
      .set({ deviceId: device.id, expiresAt: now + REPLAY_MS })
      .where(eq(pairings.code, code))
    return { device, profile }
  })
}

/** Revokes all pairings of an account, used or not. */
export async function forgetPairings(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(pairings).where(eq(pairings.accountId, accountId))
}

/** Revokes the pairings that signed in these devices. */
export async function forgetPairingsOf(tx: Transaction, deviceIds: readonly number[]): Promise<void> {
  await tx.delete(pairings).where(inArray(pairings.deviceId, deviceIds))
}

/** Removes the pairings of a storefront that is removed. */
export async function forgetPairingsOfStorefront(tx: Transaction, storefrontId: number): Promise<void> {
  await tx.delete(pairings).where(eq(pairings.storefrontId, storefrontId))
}
