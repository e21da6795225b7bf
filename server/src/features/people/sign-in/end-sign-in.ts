import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { SignInProof } from '../../../http/principal.ts'
import { detachDevices, noteChildOnDevices } from '../devices/devices.service.ts'
import { signInEndings } from './sign-in-endings.table.ts'

/** Hook that runs in the transaction that ends a sign-in. Revokes the pairings that signed in the given devices. */
export type OnSignInEnded = (tx: Transaction, deviceIds: readonly number[]) => Promise<void>

/**
 * Ends a sign-in. Its devices can no longer renew it, and the pairing that started it cannot be repeated.
 *
 * @returns the ids of the new rows of `sign_in_endings`
 */
export async function endSignIn(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
  onSignInEnded: OnSignInEnded,
): Promise<number[]> {
  return await db.transaction(async (tx) => {
    const ids = await detachDevices(tx, { accountId, signIn })
    if (ids.length > 0) await onSignInEnded(tx, ids)
    const written = await tx
      .insert(signInEndings)
      .values({ accountId, signIn })
      .returning({ id: signInEndings.id })
    return written.map(({ id }) => id)
  })
}

/**
 * Stores the active child's profile of a sign-in; null if an adult's profile is active. The rows of the devices
 * store the profile for renewals that send only a device token. A row of `sign_in_endings` also stores the profile,
 * and overrides earlier tokens of the sign-in.
 *
 * @param before the child's profile that was active until now; null for an adult's profile
 * @returns the ids of the changed rows of `sign_in_endings`
 */
export async function noteChild(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
  before: number | null,
  childProfileId: number | null,
): Promise<number[]> {
  return await db.transaction(async (tx) => {
    await noteChildOnDevices(tx, { accountId, signIn }, childProfileId)
    // A change between adults' profiles does not change the rights of tokens.
    if (childProfileId === null && before === null) return []
    const earlier = await tx
      .delete(signInEndings)
      .where(
        and(
          eq(signInEndings.accountId, accountId),
          eq(signInEndings.signIn, signIn),
          isNotNull(signInEndings.childProfileId),
        ),
      )
      .returning({ id: signInEndings.id })
    const written = await tx
      .insert(signInEndings)
      .values({ accountId, signIn, childProfileId: childProfileId ?? 0 })
      .returning({ id: signInEndings.id })
    return [...earlier, ...written].map(({ id }) => id)
  })
}
