import type { Database, Transaction } from '../../../database/connection.ts'
import { hashPassword } from '../../../passwords.ts'
import {
  type Account,
  findAccountByEmail,
  insertAccount,
  type NewAccount,
} from '../accounts/accounts.service.ts'
import { insertProfiles, type NewProfile } from './profiles.repository.ts'

/**
 * Stores an account with its profiles. The first profile becomes the default profile (A4.6-05).
 *
 * @returns undefined if the e-mail address already has an account, even one that a concurrent call has just stored
 */
export async function insertAccountWithProfiles(
  tx: Transaction,
  account: NewAccount,
  profiles: NewProfile[],
): Promise<Account | undefined> {
  const row = await insertAccount(tx, account)
  if (row) await insertProfiles(tx, row.id, profiles)
  return row
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

/**
 * Creates an account. If the storefront already has an account with this e-mail address, returns that account
 * unchanged.
 */
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
      await insertAccountWithProfiles(
        tx,
        { ...fields, storefrontId, passwordHash },
        profiles ?? [{ name: fields.firstName ?? fields.email.split('@')[0] ?? fields.email }],
      ),
  )
  // Another request may have created the account first.
  return account ? { account, created: true } : await createAccount(db, storefrontId, details)
}
