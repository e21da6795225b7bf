import type { ProfileSettings } from '@ondine/contract/profiles'
import { desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { profiles } from './profiles.table.ts'

export type ProfileRow = typeof profiles.$inferSelect
export type NewProfile = Omit<typeof profiles.$inferInsert, 'accountId' | 'isDefault'>

/** The profiles of an account, the default one first. */
export async function listProfilesOf(db: Database | Transaction, accountId: number): Promise<ProfileRow[]> {
  return await db
    .select()
    .from(profiles)
    .where(eq(profiles.accountId, accountId))
    .orderBy(desc(profiles.isDefault), profiles.id)
}

/** Gives a new account its profiles, the first of which becomes the default one (A4.6-05). */
export async function insertProfiles(
  tx: Transaction,
  accountId: number,
  itsProfiles: NewProfile[],
): Promise<void> {
  await tx
    .insert(profiles)
    .values(itsProfiles.map((profile, index) => ({ ...profile, accountId, isDefault: index === 0 })))
}

/** Lets nobody else change the account's profiles until the transaction ends. */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update')
}

export async function storeProfile(
  tx: Transaction,
  fields: typeof profiles.$inferInsert,
): Promise<ProfileRow> {
  const [row] = await tx.insert(profiles).values(fields).returning()
  if (!row) throw new Error('The profile was not stored.')
  return row
}

export async function changeProfile(
  tx: Transaction,
  id: number,
  fields: Partial<typeof profiles.$inferInsert>,
): Promise<ProfileRow | undefined> {
  const [row] = await tx.update(profiles).set(fields).where(eq(profiles.id, id)).returning()
  return row
}

export async function removeProfile(db: Database, id: number): Promise<void> {
  await db.delete(profiles).where(eq(profiles.id, id))
}

/** In one statement, so that two changes at once both stay. */
export async function mergeSettings(
  db: Database,
  id: number,
  settings: ProfileSettings,
): Promise<ProfileSettings | undefined> {
  const [row] = await db
    .update(profiles)
    .set({ settings: sql`${profiles.settings} || ${JSON.stringify(settings)}::jsonb` })
    .where(eq(profiles.id, id))
    .returning({ settings: profiles.settings })
  return row?.settings
}
