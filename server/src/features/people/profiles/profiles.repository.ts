import { PROFILE_NAME_MAX, type ProfileSettings } from '@ondine/contract/profiles'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { profiles } from './profiles.table.ts'

export type ProfileRow = typeof profiles.$inferSelect
export type NewProfile = Omit<typeof profiles.$inferInsert, 'accountId' | 'isDefault'>

/** Returns the profiles of an account, the default profile first. */
export async function listProfilesOf(db: Database | Transaction, accountId: number): Promise<ProfileRow[]> {
  return await db
    .select()
    .from(profiles)
    .where(eq(profiles.accountId, accountId))
    .orderBy(desc(profiles.isDefault), profiles.id)
}

/** Creates the profiles of a new account. The first profile becomes the default profile (A4.6-05). */
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

/**
 * Overwrites the name and the language of the default profile, when a person registers an account again that was
 * never activated.
 */
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

/** Shortens a person's name to the maximum length of a profile's name. */
function shortened(name: string): string {
  let short = ''
  for (const character of name) {
    if (short.length + character.length > PROFILE_NAME_MAX) break
    short += character
  }
  return short.trim()
}

/**
 * Locks the row of an account. No other call can then change the account's profiles until the transaction ends.
 * @throws ServiceError tokenInvalid for a deleted account
 */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  const [account] = await tx
    .select({ status: accounts.status })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('update')
  // Personal data must not be written back to an anonymised account.
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

/**
 * Merges `settings` into the stored settings of a profile in one statement, so that concurrent changes do not
 * overwrite each other. @returns the merged settings; undefined if the profile does not exist
 */
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
