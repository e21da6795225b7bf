import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { forgetPurchases } from '../../rights/orders/forget-purchases.ts'
import { forgetStorePurchases } from '../../rights/store-purchases/forget-store-purchases.ts'
import { forgetServiceCustomer } from '../../rights/subscription-service/service-subscriptions.ts'
import { playing } from '../../viewing/playback/playing.table.ts'
import { attempts } from '../attempts/attempts.table.ts'
import { forgetDevices } from '../devices/devices.service.ts'
import { forgetPairings } from '../pairing/pairing.service.ts'
import { parentalCodes } from '../parental/parental.table.ts'
import { forgetProfiles } from '../profiles/forget-profiles.ts'
import { identities } from '../sign-on/identities.table.ts'
import { accountLinks } from './account-links.table.ts'

/**
 * Removes what other features store for an account that is deleted. Purchases and payments stay, because accounting
 * must keep them.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function forgetAccount(tx: Transaction, accountId: number, now: number): Promise<void> {
  for (const table of [accountLinks, identities, attempts, parentalCodes, playing])
    await tx.delete(table).where(eq(table.accountId, accountId))
  await forgetPairings(tx, accountId)
  await forgetProfiles(tx, accountId)
  await forgetDevices(tx, accountId)
  await forgetPurchases(tx, accountId, now)
  await forgetStorePurchases(tx, accountId)
  await forgetServiceCustomer(tx, accountId, now)
}
