import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import {
  type Account,
  findAccount,
  findAccountByEmail,
  holdAccount,
  insertAccount,
  isOpen,
} from '../accounts/accounts.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { identities } from './identities.table.ts'

/** Who somebody is at a provider of identities, as it vouches for. */
export interface Identity {
  issuer: string
  subject: string
  email: string | undefined
  /** Whether the provider knows that the address is theirs; undefined where it does not say. */
  emailVerified: boolean | undefined
  firstName: string
  lastName: string
}

/**
 * The account of an identity. The first time it gets the account that has its address, if the provider vouches for the address;
 * else one of its own, without a password.
 *
 * @throws ServiceError `authenticationFailed` for whom there can be none
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
    const made = await insertAccount(
      tx,
      { storefrontId, email, passwordHash: null, firstName, lastName, language },
      [{ name: firstName || (email.split('@')[0] ?? email), language }],
    )
    // An address that nobody vouches for opens nobody's account.
    if (!made && emailVerified !== true) throw new ServiceError('authenticationFailed')
    const account = made ?? (await holdByEmail(tx, storefrontId, email))
    if (!account) throw new ServiceError('authenticationFailed')
    if (account.status === 'PENDING_ACTIVATION') {
      // Whoever registered it never showed that the address is theirs: their password does not stay.
      await tx
        .update(accounts)
        .set({ status: 'ACTIVE', passwordHash: null })
        .where(eq(accounts.id, account.id))
    }
    await tx
      .insert(identities)
      .values({ storefrontId, issuer, subject, accountId: account.id })
      .onConflictDoNothing()
    return (await findAccount(tx, account.id)) ?? account
  })
}

/** The account of an address, which nobody else changes until the transaction ends: nobody's identity is left to one that was deleted. */
async function holdByEmail(
  tx: Transaction,
  storefrontId: number,
  email: string,
): Promise<Account | undefined> {
  const found = await findAccountByEmail(tx, storefrontId, email)
  const held = found && (await holdAccount(tx, found.id))
  return held?.email === found?.email ? held : undefined
}
