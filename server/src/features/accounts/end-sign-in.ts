import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import type { SignInProof } from '../../http/principal.ts'
import { devices } from '../devices/devices.table.ts'
import { pairings } from '../pairing/pairing.table.ts'
import { signInEndings } from './sign-in-endings.table.ts'

/** Ends a sign-in: its device renews it no more, and a pairing that let it in lets nobody in again. */
export async function endSignIn(
  db: Database,
  { accountId, signIn }: Pick<SignInProof, 'accountId' | 'signIn'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const left = await tx
      .update(devices)
      .set({ signIn: null, childProfileId: null })
      .where(and(eq(devices.accountId, accountId), eq(devices.signIn, signIn)))
      .returning({ id: devices.id })
    const ids = left.map(({ id }) => id)
    if (ids.length > 0) await tx.delete(pairings).where(inArray(pairings.deviceId, ids))
    // A device of before sign-ins had names stands for no sign-in but its own.
    if (signIn !== '') await tx.insert(signInEndings).values({ accountId, signIn })
  })
}
