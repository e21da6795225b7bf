import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import {
  type Account,
  findAccount,
  findAccountByEmail,
  insertAccount,
  listProfilesOf,
  type NewProfile,
  type ProfileRow,
} from './accounts.repository.ts'
import { checkPassword, hashPassword } from './passwords.ts'

/** Checks a user name and a password. The same error, after the same time, whatever was wrong. */
export async function signIn(
  db: Database,
  storefrontId: number,
  email: string,
  password: string,
): Promise<Account> {
  const account = await findAccountByEmail(db, storefrontId, email)
  const matches = await checkPassword(account?.passwordHash, password)
  if (!account || !matches || account.status === 'BANNED' || account.status === 'ARCHIVED') {
    throw new ServiceError('signInFailed')
  }
  if (account.status === 'PENDING_ACTIVATION') throw new ServiceError('accountNotActivated')
  return account
}

/** The account behind a valid token; it may have gone since. */
export async function requireAccount(db: Database, id: number): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account) throw new ServiceError('tokenInvalid')
  return account
}

/** A profile of the account: the one asked for, or the default one. */
export async function requireProfile(
  db: Database,
  accountId: number,
  profileId?: number,
): Promise<ProfileRow> {
  const all = await listProfilesOf(db, accountId)
  const found = profileId === undefined ? all[0] : all.find((profile) => profile.id === profileId)
  // Another account's profile is not found, never forbidden: nobody learns that it exists.
  if (!found) throw new ServiceError('notFound')
  return found
}

export interface AccountDetails {
  email: string
  password: string
  firstName?: string
  lastName?: string
  language?: string
  status?: Account['status']
  profiles?: NewProfile[]
}

/** Makes an account, unless its e-mail address has one already: then that one is given back, unchanged. */
export async function createAccount(
  db: Database,
  storefrontId: number,
  details: AccountDetails,
): Promise<{ account: Account; created: boolean }> {
  const existing = await findAccountByEmail(db, storefrontId, details.email)
  if (existing) return { account: existing, created: false }
  const { password, profiles, ...fields } = details
  const passwordHash = await hashPassword(password)
  const account = await db.transaction(
    async (tx) =>
      await insertAccount(
        tx,
        { ...fields, storefrontId, passwordHash },
        profiles ?? [{ name: fields.firstName ?? fields.email.split('@')[0] ?? fields.email }],
      ),
  )
  return { account, created: true }
}

export { listProfilesOf as listProfiles } from './accounts.repository.ts'
