import { and, eq, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { heldDownloads } from './downloads.table.ts'

/** A download on a device. */
interface HeldDownload {
  accountId: number
  /** The device's public key. */
  deviceKey: string
  assetId: number
}

/**
 * Limits of an account: the number of devices that hold downloads, and the number of downloaded titles. 0 means no
 * limit.
 */
interface DownloadLimits {
  maximumDevices: number
  maximumTitles: number
}

/**
 * Requires that a device may hold one more download. A download that it holds already is not counted again.
 *
 * @param tx must hold the lock of the account, so that the second of two concurrent requests counts the first one
 * @throws ServiceError tooManyDownloadDevices, tooManyDownloads
 */
export async function requirePlace(
  tx: Transaction,
  { accountId, deviceKey, assetId }: HeldDownload,
  { maximumDevices, maximumTitles }: DownloadLimits,
  now: number,
): Promise<void> {
  const own = eq(heldDownloads.accountId, accountId)
  await tx.delete(heldDownloads).where(and(own, lte(heldDownloads.expiresAt, now)))
  const held = await tx.select().from(heldDownloads).where(own)
  if (isFull(new Set(held.map((each) => each.deviceKey)), deviceKey, maximumDevices))
    throw new ServiceError('tooManyDownloadDevices')
  if (isFull(new Set(held.map((each) => each.assetId)), assetId, maximumTitles))
    throw new ServiceError('tooManyDownloads')
}

/** Stores that a device holds a download, or that its licence was renewed. */
export async function holdDownload(tx: Transaction, held: HeldDownload, expiresAt: number): Promise<void> {
  const { accountId, deviceKey, assetId } = heldDownloads
  await tx
    .insert(heldDownloads)
    .values({ ...held, expiresAt })
    .onConflictDoUpdate({ target: [accountId, deviceKey, assetId], set: { expiresAt } })
}

/** Stores that a device no longer holds a download. */
export async function releaseHeld(
  db: Database,
  { accountId, deviceKey, assetId }: HeldDownload,
): Promise<void> {
  await db
    .delete(heldDownloads)
    .where(
      and(
        eq(heldDownloads.accountId, accountId),
        eq(heldDownloads.deviceKey, deviceKey),
        eq(heldDownloads.assetId, assetId),
      ),
    )
}

/** Removes the downloads of a deleted account. */
export async function forgetDownloads(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(heldDownloads).where(eq(heldDownloads.accountId, accountId))
}

function isFull<Value>(held: ReadonlySet<Value>, wanted: Value, most: number): boolean {
  return most > 0 && !held.has(wanted) && held.size >= most
}
