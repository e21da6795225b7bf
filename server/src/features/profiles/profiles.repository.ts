import { PROFILE_NAME_MAX, type ProfileSettings } from '@ondine/contract/profiles'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
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
  await tx.insert(profiles).values(
    itsProfiles.map((profile, index) => ({
      ...profile,
      name: shortened(profile.name),
      accountId,
      isDefault: index === 0,
    })),
  )
}

/** Gives the default profile the name of who has the account now. */
export async function renameDefaultProfile(
  tx: Transaction,
  accountId: number,
  { name, language }: Pick<NewProfile, 'name' | 'language'>,
): Promise<void> {
  await tx
    .update(profiles)
    .set({ name: shortened(name), language })
    .where(and(eq(profiles.accountId, accountId), profiles.isDefault))
}

/** A person's name as long as that of a profile may be. */
function shortened(name: string): string {
  let short = ''
  for (const character of name) {
    if (short.length + character.length > PROFILE_NAME_MAX) break
    short += character
  }
  return short.trim()
}

/** Lets nobody else change the account's profiles until the transaction ends. @throws ServiceError tokenInvalid for one that was deleted */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  const [account] = await tx
    .select({ status: accounts.status })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('update')
  // Nothing of a person comes back to an account that was made anonymous.
  if (!account || account.status === 'ARCHIVED') throw new ServiceError('tokenInvalid')
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
