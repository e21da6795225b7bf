import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import type { SignInProof } from '../../http/principal.ts'
import { devices } from '../devices/devices.table.ts'
import { pairings } from '../pairing/pairing.table.ts'
import { signInEndings } from './sign-in-endings.table.ts'

/**
 * Ends a sign-in: its device renews it no more, and a pairing that let it in lets nobody in again.
 *
 * @returns the rows of `sign_in_endings` that say so
 */
export async function endSignIn(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
): Promise<number[]> {
  return await db.transaction(async (tx) => {
    const left = await tx
      .update(devices)
      .set({ signIn: null, childProfileId: null })
      .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
      .returning({ id: devices.id })
    const ids = left.map(({ id }) => id)
    if (ids.length > 0) await tx.delete(pairings).where(inArray(pairings.deviceId, ids))
    const written = await tx
      .insert(signInEndings)
      .values({ accountId, signIn })
      .returning({ id: signInEndings.id })
    return written.map(({ id }) => id)
  })
}

/**
 * Notes which child's profile watches in a sign-in, null for a grown-up's: beside its device, for calls that renew the sign-in by
 * the device alone, and for tokens of the sign-in that were signed before.
 *
 * @param before the child's profile that watched until now, if one did
 * @returns the rows of `sign_in_endings` that changed
 */
export async function noteChild(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
  before: number | null,
  childProfileId: number | null,
): Promise<number[]> {
  return await db.transaction(async (tx) => {
    await tx
      .update(devices)
      .set({ childProfileId })
      .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
    // One grown-up after the other: no token of theirs says anything else.
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
