import { and, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { recordings } from '../recordings/recordings.table.ts'
import { pushSubscriptions } from './push.table.ts'

type NewSubscription = Omit<typeof pushSubscriptions.$inferInsert, 'id' | 'createdAt'>

/** A subscription with everything that decides whether and how a message is sent. */
export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/**
 * How long an ended subscription waits for its replacement, in milliseconds. A browser reports the replacement the next
 * time it runs.
 */
const ENDED_MS = 30 * 86_400_000

/** Matches subscriptions that a new one may replace: those that have not ended, or wait for a replacement. */
function isReplaceable(now: number): SQL | undefined {
  const { endedAt } = pushSubscriptions
  return or(isNull(endedAt), gte(endedAt, now - ENDED_MS))
}

/**
 * Stores the subscription of a browser for a profile, and replaces an earlier subscription of this profile. A browser
 * has one subscription for all its profiles, so the subscriptions of the account's other profiles on this device are
 * replaced too.
 * Deletes the subscriptions of other devices at this address: either another account used this browser, or the
 * browser has lost its device id.
 */
export async function storeSubscription(
  tx: Transaction,
  subscription: NewSubscription,
  now: number,
): Promise<void> {
  const { accountId, deviceId, endpoint, publicKey, secret } = subscription
  const replacement = { endpoint, publicKey, secret, endedAt: null }
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.deviceId, deviceId)))
  await tx
    .insert(pushSubscriptions)
    .values(subscription)
    .onConflictDoUpdate({
      target: [pushSubscriptions.deviceId, pushSubscriptions.profileId],
      set: replacement,
    })
  await tx
    .update(pushSubscriptions)
    .set(replacement)
    .where(
      and(
        eq(pushSubscriptions.deviceId, deviceId),
        eq(pushSubscriptions.accountId, accountId),
        isReplaceable(now),
      ),
    )
}

/**
 * Replaces the subscriptions of a device by a new one. A browser has one subscription for all its profiles.
 *
 * @returns false if the device had no subscription: then the new one is not stored
 */
export async function replaceSubscriptions(
  tx: Transaction,
  { deviceId, ...subscription }: Pick<NewSubscription, 'deviceId' | 'endpoint' | 'publicKey' | 'secret'>,
  now: number,
): Promise<boolean> {
  const replaced = await tx
    .update(pushSubscriptions)
    .set({ ...subscription, endedAt: null })
    .where(and(eq(pushSubscriptions.deviceId, deviceId), isReplaceable(now)))
    .returning({ id: pushSubscriptions.id })
  return replaced.length > 0
}

/**
 * Returns the subscriptions of an account at this address that have not ended. After a browser has lost its device id, its
 * subscriptions belong to its former device until the browser subscribes again.
 */
export async function subscriptionsAt(
  db: Database | Transaction,
  { accountId, endpoint }: { accountId: number; endpoint: string },
): Promise<{ profileId: number; deviceId: number }[]> {
  return await db
    .select({ profileId: pushSubscriptions.profileId, deviceId: pushSubscriptions.deviceId })
    .from(pushSubscriptions)
    .where(
      and(
        eq(pushSubscriptions.accountId, accountId),
        eq(pushSubscriptions.endpoint, endpoint),
        isNull(pushSubscriptions.endedAt),
      ),
    )
}

/** Deletes the subscription of a profile at this address. */
export async function deleteSubscription(
  tx: Transaction,
  { profileId, endpoint }: { profileId: number; endpoint: string },
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.profileId, profileId), eq(pushSubscriptions.endpoint, endpoint)))
}

/**
 * Ends all subscriptions at an address that the push service no longer knows. They get no messages until the browser
 * replaces them. Deletes subscriptions that have waited too long for that.
 */
export async function endEndpoint(db: Database, endpoint: string, now: number): Promise<void> {
  const { endedAt } = pushSubscriptions
  await db
    .update(pushSubscriptions)
    .set({ endedAt: now })
    .where(and(eq(pushSubscriptions.endpoint, endpoint), isNull(endedAt)))
  await db.delete(pushSubscriptions).where(lt(endedAt, now - ENDED_MS))
}

/** Deletes all subscriptions at an address. */
export async function deleteEndpoint(db: Database, endpoint: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint))
}

/** Deletes the subscriptions of devices whose sign-in ends. */
export async function forgetSubscriptionsOf(tx: Transaction, deviceIds: readonly number[]): Promise<void> {
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.deviceId, [...deviceIds]))
}

/** Returns a subscription with its profile, account and device; undefined if it was deleted or has ended. */
export async function findRecipient(db: Database, id: number) {
  const [row] = await db
    .select({
      endpoint: pushSubscriptions.endpoint,
      publicKey: pushSubscriptions.publicKey,
      secret: pushSubscriptions.secret,
      profileId: profiles.id,
      name: profiles.name,
      language: profiles.language,
      kid: profiles.kid,
      maximumMoralityLevel: profiles.maximumMoralityLevel,
      storefrontId: accounts.storefrontId,
      status: accounts.status,
      sessionsFrom: accounts.sessionsFrom,
      signIn: devices.signIn,
      lastLoginAt: devices.lastLoginAt,
      childProfileId: devices.childProfileId,
    })
    .from(pushSubscriptions)
    .innerJoin(profiles, eq(profiles.id, pushSubscriptions.profileId))
    .innerJoin(accounts, eq(accounts.id, pushSubscriptions.accountId))
    .innerJoin(devices, eq(devices.id, pushSubscriptions.deviceId))
    .where(and(eq(pushSubscriptions.id, id), isNull(pushSubscriptions.endedAt)))
  return row
}

/**
 * Returns the next subscriptions after `afterId`, by id, of profiles that have recorded a programme, with the
 * profiles' recordings. Leaves out recordings that a profile stopped, because these were ready at once.
 */
export async function subscribersOfRecorded(
  db: Database,
  recordedProgrammeId: number,
  afterId: number,
  most: number,
): Promise<{ id: number; recordingId: number }[]> {
  return await db
    .select({ id: pushSubscriptions.id, recordingId: recordings.id })
    .from(recordings)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.profileId, recordings.profileId))
    .where(
      and(
        eq(recordings.recordedProgrammeId, recordedProgrammeId),
        gt(pushSubscriptions.id, afterId),
        isNull(pushSubscriptions.endedAt),
        isNull(recordings.removedAt),
        isNull(recordings.stoppedAt),
        isNull(recordings.lostSince),
      ),
    )
    .orderBy(pushSubscriptions.id)
    .limit(most)
}

/**
 * Returns whether a recorded programme is settled: its result is stored, or the programme is no longer recorded.
 */
export async function isSettled(db: Database, recordedProgrammeId: number): Promise<boolean> {
  const [row] = await db
    .select({ settledAt: recordedProgrammes.settledAt })
    .from(recordedProgrammes)
    .where(eq(recordedProgrammes.id, recordedProgrammeId))
  return row === undefined || row.settledAt !== null
}
