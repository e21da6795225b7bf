import { and, eq, ne } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../../context.ts'
import { isUniqueViolation } from '../../../database/broken-keys.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { changeEmail, changeNames, endAccess } from '../accounts/account-changes.service.ts'
import {
  type Account,
  activateAccount,
  findAccount,
  findAccountByEmail,
  holdAccount,
  holdAccountByEmail,
  isOpen,
  normaliseEmail,
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

/** Dependencies of the link between identities and accounts. */
interface IdentityParts {
  db: Database
  log: FastifyBaseLogger
}

/**
 * Returns the account of an identity. At the first sign-on, links the identity to the account with the same e-mail
 * address, if the provider has verified the address. Without such an account, creates an account without a
 * password. At a later sign-on, a new address or name at the provider becomes the one of the account
 * ({@link followEmail}, {@link followNames}).
 *
 * @throws ServiceError `authenticationFailed` if no account can be linked or created
 */
export async function accountOf(
  parts: IdentityParts,
  { storefrontId, language }: { storefrontId: number; language: string },
  identity: Identity,
): Promise<Account> {
  const account =
    (await findLinked(parts.db, storefrontId, identity)) ??
    (await link(parts, storefrontId, language, identity))
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
  await followNames(db, row, identity)
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
 * becomes the address of the account, unless the account has another address by choice. While another account has
 * the new address, nothing changes. The next sign-on tries again.
 */
async function followEmail(
  db: Database,
  identity: typeof identities.$inferSelect,
  email: string,
): Promise<void> {
  const { storefrontId, accountId, email: before } = identity
  if (before === email) return
  try {
    await db.transaction(async (tx) => {
      const account = await holdAccount(tx, accountId)
      if (account?.email === before) {
        if (await findAccountByEmail(tx, storefrontId, email)) return
        await changeEmail(tx, accountId, email)
      }
      await tx.update(identities).set({ email }).where(isIdentity(storefrontId, identity))
    })
  } catch (error) {
    // Another account has just taken the address.
    if (!isUniqueViolation(error)) throw error
  }
}

/**
 * Stores the names of an identity. A name that has changed at the provider since the last sign-on becomes the name of
 * the account, unless the holder has changed this name here. A name that the provider leaves out stays.
 */
async function followNames(
  db: Database,
  before: typeof identities.$inferSelect,
  identity: Identity,
): Promise<void> {
  const changed = (['firstName', 'lastName'] as const).filter(
    (name) => identity[name] !== '' && identity[name] !== before[name],
  )
  if (changed.length === 0) return
  const namesOf = (some: typeof changed) => Object.fromEntries(some.map((name) => [name, identity[name]]))
  await db.transaction(async (tx) => {
    const account = await holdAccount(tx, before.accountId)
    const followed = changed.filter((name) => account?.[name] === before[name])
    if (followed.length > 0) await changeNames(tx, before.accountId, namesOf(followed))
    await tx.update(identities).set(namesOf(changed)).where(isIdentity(before.storefrontId, identity))
  })
}

async function link(
  { db, log }: IdentityParts,
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
    if (other) {
      log.warn(
        { account: account.id, issuer },
        'a sign-on was refused, because another person of the provider has the account: see accounts unlink',
      )
      throw new ServiceError('authenticationFailed')
    }
    if (!made) {
      const names = { ...(!account.firstName && { firstName }), ...(!account.lastName && { lastName }) }
      if (Object.values(names).some((name) => name !== '')) await changeNames(tx, account.id, names)
    }
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
        firstName,
        lastName,
      })
      .onConflictDoNothing()
    return (await findAccount(tx, account.id)) ?? account
  })
}

/** Removes the identities of an account that is deleted. */
export async function forgetIdentities(tx: Transaction, accountId: number): Promise<void> {
  await removeIdentities(tx, accountId)
}

/**
 * Separates an account from its person at the identity provider, and ends every access of that person. The account
 * is linked to the next person who signs on with its e-mail address.
 *
 * @returns whether the account had a person at a provider
 */
export async function unlinkAccount(
  { db, accountHooks: hooks, clock }: Pick<Context, 'db' | 'accountHooks' | 'clock'>,
  accountId: number,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const account = await holdAccount(tx, accountId)
    if (!account || (await removeIdentities(tx, accountId)) === 0) return false
    await endAccess(tx, account, { clock, hooks })
    return true
  })
}

/** @returns the number of removed identities */
async function removeIdentities(tx: Transaction, accountId: number): Promise<number> {
  const removed = await tx
    .delete(identities)
    .where(eq(identities.accountId, accountId))
    .returning({ subject: identities.subject })
  return removed.length
}
