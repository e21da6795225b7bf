import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import {
  type Account,
  activateAccount,
  findAccount,
  holdAccountByEmail,
  isOpen,
} from '../accounts/accounts.service.ts'
import { insertAccountWithProfiles } from '../profiles/new-account.service.ts'
import { identities } from './identities.table.ts'

/** A person's identity, as confirmed by an identity provider. */
export interface Identity {
  issuer: string
  subject: string
  email: string | undefined
  /** Whether the provider has verified the address; undefined if the provider does not send this claim. */
  emailVerified: boolean | undefined
  firstName: string
  lastName: string
}

/**
 * Returns the account of an identity. At the first sign-on, links the identity to the account with the same e-mail
 * address, if the provider has verified the address. Without such an account, creates an account without a
 * password.
 *
 * @throws ServiceError `authenticationFailed` if no account can be linked or created
 */
export async function accountOf(
  db: Database,
  { storefrontId, language }: { storefrontId: number; language: string },
  identity: Identity,
): Promise<Account> {
  const account =
    (await findLinked(db, storefrontId, identity)) ?? (await link(db, storefrontId, language, identity))
  if (!isOpen(account)) throw new ServiceError('authenticationFailed')
  return account
}

async function findLinked(
  db: Database,
  storefrontId: number,
  { issuer, subject }: Identity,
): Promise<Account | undefined> {
  const [row] = await db
    .select({ accountId: identities.accountId })
    .from(identities)
    .where(
      and(
        eq(identities.storefrontId, storefrontId),
        eq(identities.issuer, issuer),
        eq(identities.subject, subject),
      ),
    )
  return row && (await findAccount(db, row.accountId))
}

async function link(
  db: Database,
  storefrontId: number,
  language: string,
  identity: Identity,
): Promise<Account> {
  const { issuer, subject, email, emailVerified, firstName, lastName } = identity
  if (email === undefined || emailVerified === false) throw new ServiceError('authenticationFailed')
  return await db.transaction(async (tx) => {
    const made = await insertAccountWithProfiles(
      tx,
      { storefrontId, email, passwordHash: null, firstName, lastName, language },
      [{ name: firstName || (email.split('@')[0] ?? email), language }],
    )
    // An unverified address must not give access to an existing account.
    if (!made && emailVerified !== true) throw new ServiceError('authenticationFailed')
    const account = made ?? (await holdAccountByEmail(tx, storefrontId, email))
    if (!account) throw new ServiceError('authenticationFailed')
    // The person who registered this account did not prove ownership of the address. So the password of that
    // registration is removed.
    if (account.status === 'PENDING_ACTIVATION') await activateAccount(tx, account.id, { passwordHash: null })
    await tx
      .insert(identities)
      .values({ storefrontId, issuer, subject, accountId: account.id })
      .onConflictDoNothing()
    return (await findAccount(tx, account.id)) ?? account
  })
}

/** Removes the identities of an account that is deleted. */
export async function forgetIdentities(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(identities).where(eq(identities.accountId, accountId))
}
