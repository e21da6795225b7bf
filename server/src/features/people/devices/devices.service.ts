import { type DeviceType, describeDevice } from '@ondine/contract/device-names'
import { and, count, desc, eq, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { SignedIn } from '../../../http/principal.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import { type Account, isCurrent, requireHeldAccount, sinceNow } from '../accounts/accounts.service.ts'
import { devices } from './devices.table.ts'

export type DeviceRow = typeof devices.$inferSelect

/** Longest stored name of a device, in characters. */
const NAME_MAX = 100

const MS = 1000

/** Returns the devices of an account, the most recently used first. */
export async function listDevices(db: Database, accountId: number): Promise<DeviceRow[]> {
  return await db
    .select()
    .from(devices)
    .where(eq(devices.accountId, accountId))
    .orderBy(desc(devices.lastLoginAt), desc(devices.id))
}

export async function countDevices(db: Database | Transaction, accountId: number): Promise<number> {
  const [row] = await db.select({ count: count() }).from(devices).where(eq(devices.accountId, accountId))
  return row?.count ?? 0
}

/** A device to register for an account. */
export interface NewDevice {
  uniqueId: string
  userAgent: string
  /** Name of the sign-in that the device may renew. */
  signIn: string
  /** The child's profile that is active on the device; null for an adult's profile. */
  childProfileId: number | null
}

/**
 * Registers a device for an account, or updates the device if the account has it already. A registered device can
 * renew its sign-in. So a caller whose sign-in is older than the last password change cannot register a device.
 *
 * @param most maximum number of devices of the account; 0 for no limit.
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError tooManyDevices, tokenInvalid
 */
export async function registerDevice(
  db: Database,
  signedIn: Pick<SignedIn, 'id' | 'since'>,
  device: NewDevice,
  most: number,
  now: number,
): Promise<DeviceRow> {
  return await db.transaction(
    async (tx) => await storeDevice(tx, await requireHeldAccount(tx, signedIn), device, most, now),
  )
}

/**
 * Registers a device as {@link registerDevice} does, within a transaction that stores other rows too.
 *
 * @param account must be locked, so that the second of two concurrent registrations counts the device of the first
 * @throws ServiceError tooManyDevices
 */
export async function storeDevice(
  tx: Transaction,
  account: Pick<Account, 'id' | 'sessionsFrom'>,
  { uniqueId, userAgent, signIn, childProfileId }: NewDevice,
  most: number,
  now: number,
): Promise<DeviceRow> {
  const { id: accountId } = account
  const lastLoginAt = signedInAt(account, now)
  // A browser that has lost its device id registers under a new id. Its former device is detached from the
  // sign-in: that device can no longer renew the sign-in, and removing that device does not end the sign-in.
  await tx
    .update(devices)
    .set({ signIn: null, childProfileId: null })
    .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn), ne(devices.uniqueId, uniqueId)))
  const [known] = await tx
    .update(devices)
    .set({
      lastLoginAt,
      signIn,
      // Within a sign-in, the device keeps its stored child's profile. Only choosing another profile changes this
      // value.
      childProfileId: sql`case when ${devices.signIn} = ${signIn}
        then coalesce(${devices.childProfileId}, ${childProfileId}) else ${childProfileId} end`,
    })
    .where(and(eq(devices.accountId, accountId), eq(devices.uniqueId, uniqueId)))
    .returning()
  if (known) return known
  if (most > 0 && (await countDevices(tx, accountId)) >= most) throw new ServiceError('tooManyDevices')
  const described = describeDevice(userAgent)
  const [made] = await tx
    .insert(devices)
    .values({
      accountId,
      uniqueId,
      lastLoginAt,
      signIn,
      childProfileId,
      ...described,
      name: described.name.slice(0, NAME_MAX),
    })
    .returning()
  if (!made) throw new Error('The device was not stored.')
  return made
}

/** Returns a device of the account if it is still registered. */
export async function findDevice(
  db: Database | Transaction,
  accountId: number,
  id: number,
): Promise<DeviceRow | undefined> {
  const [row] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.accountId, accountId)))
  return row
}

/**
 * Sets the last sign-in time of a device of the account to now.
 *
 * @param account the account as read when the credentials were checked
 */
export async function touchDevice(
  db: Database,
  account: Pick<Account, 'id' | 'sessionsFrom'>,
  id: number,
  now: number,
): Promise<void> {
  await db
    .update(devices)
    .set({ lastLoginAt: signedInAt(account, now) })
    .where(and(eq(devices.id, id), eq(devices.accountId, account.id)))
}

/**
 * Returns `now` as the sign-in time of a device, in milliseconds since the Unix epoch. The result is never before
 * `sessionsFrom`, the time from which sign-ins of the account are valid.
 */
function signedInAt(account: Pick<Account, 'sessionsFrom'>, now: number): number {
  return Math.max(now, sinceNow(account, now) * MS)
}

/** Removes the devices of an account that is deleted. */
export async function forgetDevices(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(devices).where(eq(devices.accountId, accountId))
}

/** Returns whether the account has a device with this id. */
export async function isRegistered(db: Database, accountId: number, uniqueId: string): Promise<boolean> {
  return (await db.$count(devices, and(eq(devices.accountId, accountId), eq(devices.uniqueId, uniqueId)))) > 0
}

/**
 * Stores the name and the type of a device of the account. Sets its last sign-in time to now, unless a change of the
 * password has ended its sign-in. Otherwise, the device's token could renew the ended sign-in.
 *
 * @throws ServiceError notFound, tokenInvalid
 */
export async function nameDevice(
  db: Database,
  signedIn: Pick<SignedIn, 'id' | 'since'>,
  id: number,
  { name, type }: { name: string; type: DeviceType },
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await requireHeldAccount(tx, signedIn)
    const device = await findDevice(tx, account.id, id)
    if (!device) throw new ServiceError('notFound')
    const lastLoginAt = isCurrent(account, device.lastLoginAt / MS)
      ? signedInAt(account, now)
      : device.lastLoginAt
    await tx.update(devices).set({ name, type, lastLoginAt }).where(eq(devices.id, id))
  })
}

/** Removes a device of the account. @throws ServiceError notFound */
export async function removeDevice(db: Database, accountId: number, id: number): Promise<void> {
  const removed = await db
    .delete(devices)
    .where(and(eq(devices.id, id), eq(devices.accountId, accountId)))
    .returning({ id: devices.id })
  if (removed.length === 0) throw new ServiceError('notFound')
}

/**
 * Removes the device of a device token that can no longer renew its sign-in. Keeps the device if another sign-in
 * has begun on the device since.
 */
export async function dropDevice(db: Database, { accountId, deviceId, signIn }: DeviceClaims): Promise<void> {
  await db
    .delete(devices)
    .where(and(eq(devices.id, deviceId), eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
}

/** Claims of a device token. */
export interface DeviceClaims {
  accountId: number
  deviceId: number
  /** The sign-in that the token renews. */
  signIn: string
}

/**
 * Signs a token that identifies a device and the sign-in that it renews. The token is valid for `seconds`, but only
 * while the device is registered for that sign-in.
 */
export function deviceToken(
  keys: TokenKeys,
  { id, accountId, signIn }: Pick<DeviceRow, 'id' | 'accountId' | 'signIn'>,
  seconds: number,
): string {
  return keys.sign('device', { sub: String(id), account: accountId, in: signIn ?? '' }, seconds)
}

/**
 * Returns the claims that {@link deviceToken} has signed; undefined for other claims. Old tokens do not
 * identify a sign-in. For such a token, `signIn` is `device-{id}`, which migration 0020 stored for these devices.
 */
export function readDeviceClaims(claims: Record<string, unknown>): DeviceClaims | undefined {
  const { sub, account, in: signIn } = claims
  if (typeof sub !== 'string' || typeof account !== 'number') return undefined
  const isNamed = typeof signIn === 'string' && signIn !== ''
  return { accountId: account, deviceId: Number(sub), signIn: isNamed ? signIn : `device-${sub}` }
}

/** Detaches all devices from an ended sign-in, so that they cannot renew it. @returns the ids of these devices */
export async function detachDevices(
  tx: Transaction,
  { accountId, signIn }: Pick<DeviceClaims, 'accountId' | 'signIn'>,
): Promise<number[]> {
  const left = await tx
    .update(devices)
    .set({ signIn: null, childProfileId: null })
    .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
    .returning({ id: devices.id })
  return left.map(({ id }) => id)
}

/** Stores the active child's profile with all devices of a sign-in; null for an adult's profile. */
export async function noteChildOnDevices(
  tx: Transaction,
  { accountId, signIn }: Pick<DeviceClaims, 'accountId' | 'signIn'>,
  childProfileId: number | null,
): Promise<void> {
  await tx
    .update(devices)
    .set({ childProfileId })
    .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
}
