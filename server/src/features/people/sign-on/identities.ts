import { and, eq, ne } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import {
  type Account,
  activateAccount,
  findAccount,
  findAccountByEmail,
  holdAccount,
  holdAccountByEmail,
  isOpen,
  normaliseEmail,
  setEmail,
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
 * password. At a later sign-on, a new address at the provider becomes the address of the account
 * ({@link followEmail}).
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
  identity: Identity,
): Promise<Account | undefined> {
  const [row] = await db.select().from(identities).where(isIdentity(storefrontId, identity))
  if (!row) return undefined
  if (identity.emailVerified === true && identity.email !== undefined)
    await followEmail(db, row, normaliseEmail(identity.email))
  return await findAccount(db, row.accountId)
}

function isIdentity(storefrontId: number, { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>) {
  return and(
    eq(identities.storefrontId, storefrontId),
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
  )
}

/**
 * Stores the verified e-mail address of an identity. If it has changed at the provider since the last sign-on, it
 * becomes the address of the account, unless the account has another address by choice, or the new one is taken.
 */
async function followEmail(
  db: Database,
  identity: typeof identities.$inferSelect,
  email: string,
): Promise<void> {
  const { storefrontId, accountId, email: before } = identity
  if (before === email) return
  await db.transaction(async (tx) => {
    const account = await holdAccount(tx, accountId)
    const isTaken = (await findAccountByEmail(tx, storefrontId, email)) !== undefined
    if (account?.email === before && !isTaken) await setEmail(tx, accountId, email)
    await tx.update(identities).set({ email }).where(isIdentity(storefrontId, identity))
  })
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
    // When a person leaves, a provider may give their address to somebody else. So an account is linked to only one
    // person of a provider.
    const [other] = await tx
      .select({ subject: identities.subject })
      .from(identities)
      .where(
        and(
          eq(identities.accountId, account.id),
          eq(identities.issuer, issuer),
          ne(identities.subject, subject),
        ),
      )
    if (other) throw new ServiceError('authenticationFailed')
    // The person who registered this account did not prove ownership of the address. So the password of that
    // registration is removed.
    if (account.status === 'PENDING_ACTIVATION') await activateAccount(tx, account.id, { passwordHash: null })
    await tx
      .insert(identities)
      .values({
        storefrontId,
        issuer,
        subject,
        accountId: account.id,
        email: emailVerified === true ? normaliseEmail(email) : null,
      })
      .onConflictDoNothing()
    return (await findAccount(tx, account.id)) ?? account
  })
}

/** Removes the identities of an account that is deleted. */
export async function forgetIdentities(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(identities).where(eq(identities.accountId, accountId))
}
