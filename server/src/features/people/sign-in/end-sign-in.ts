import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { SignInProof } from '../../../http/principal.ts'
import { detachDevices, noteChildOnDevices } from '../devices/devices.service.ts'
import { signInEndings } from './sign-in-endings.table.ts'

/** Hook that is called in the transaction that ends a sign-in. It revokes the pairings that signed in these devices. */
export type OnSignInEnded = (tx: Transaction, deviceIds: readonly number[]) => Promise<void>

/**
 * Ends a sign-in. Its devices can no longer renew it, and the pairing that began it cannot be used again.
 *
 * @returns the ids of the rows of `sign_in_endings` that record the ending
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
 * Records which child's profile watches in a sign-in, or that an adult's profile watches if `childProfileId` is null.
 * The profile is stored with the devices, for calls that renew the sign-in with the device token only. It is also
 * stored as a row of `sign_in_endings`, which overrides earlier tokens of the sign-in.
 *
 * @param before the child's profile that watched until now, if there was one
 * @returns the ids of the rows of `sign_in_endings` that changed
 */
export async function noteChild(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
  before: number | null,
  childProfileId: number | null,
): Promise<number[]> {
  return await db.transaction(async (tx) => {
    await noteChildOnDevices(tx, { accountId, signIn }, childProfileId)
    // Changing from one adult's profile to another does not change what tokens may do.
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
