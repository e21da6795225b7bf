import type { Database, Transaction } from '../../database/connection.ts'
import { oneOf } from '../../database/one-of.ts'
import { ServiceError } from '../../http/errors.ts'
import type { SignedIn } from '../../http/principal.ts'
import type { NewProfile } from '../profiles/profiles.service.ts'
import { type Account, findAccount, findAccountByEmail, insertAccount } from './accounts.repository.ts'
import { accounts } from './accounts.table.ts'
import { checkPassword, hashPassword } from './passwords.ts'

const MS = 1000

/**
 * What a status lets its holder do (A3-04). ACTIVE: everything. SUSPENDED: sign in and keep the account, not buy and play
 * (-2409). PENDING_ACTIVATION: nothing but to activate it. INACTIVE, BANNED and ARCHIVED: nothing; to whoever signs in they
 * are unknown.
 */
export function isOpen({ status }: Pick<Account, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'SUSPENDED'
}

/** Checks a user name and a password. The same error, after the same time, whatever was wrong. */
export async function signIn(
  db: Database,
  storefrontId: number,
  email: string,
  password: string,
): Promise<Account> {
  const account = await findAccountByEmail(db, storefrontId, email)
  const matches = await checkPassword(account?.passwordHash, password)
  if (!account || !matches) throw new ServiceError('signInFailed')
  if (account.status === 'PENDING_ACTIVATION') throw new ServiceError('accountNotActivated')
  if (!isOpen(account)) throw new ServiceError('signInFailed')
  return account
}

/**
 * Whether what somebody began still counts: a change of the password ends what was begun before it.
 *
 * @param since in seconds since the epoch
 */
export function isCurrent({ sessionsFrom }: Pick<Account, 'sessionsFrom'>, since: number): boolean {
  return sessionsFrom === null || since * MS >= sessionsFrom
}

/**
 * Since when somebody is signed in who signs in now, in seconds since the epoch: never before the last change of the password,
 * which counts from the second after it.
 *
 * @param account as it was when who signs in was proven
 * @param now milliseconds since the Unix epoch
 */
export function sinceNow({ sessionsFrom }: Pick<Account, 'sessionsFrom'>, now: number): number {
  return Math.max(Math.floor(now / MS), (sessionsFrom ?? 0) / MS)
}

/**
 * The account behind a valid token. It may have gone since, been closed, or had its password changed: then the token, which says
 * nothing of that, opens nothing more that outlives it.
 *
 * @throws ServiceError tokenInvalid
 */
export async function requireAccount(
  db: Database,
  { id, since }: Pick<SignedIn, 'id' | 'since'>,
): Promise<Account> {
  const account = await requireOpenAccount(db, id)
  if (!isCurrent(account, since)) throw new ServiceError('tokenInvalid')
  return account
}

/** An account, which nobody else changes until the transaction ends. */
export async function holdAccount(tx: Transaction, id: number): Promise<Account | undefined> {
  return (await holdAccounts(tx, [id])).get(id)
}

/** As {@link holdAccount}, for many. @returns the accounts by id */
export async function holdAccounts(tx: Transaction, ids: readonly number[]): Promise<Map<number, Account>> {
  const held = await tx
    .select()
    .from(accounts)
    .where(oneOf(accounts.id, ids))
    // Everybody who holds several takes them in this order.
    .orderBy(accounts.id)
    .for('update')
    .prepare('hold_accounts')
    .execute()
  return new Map(held.map((account) => [account.id, account]))
}

/** As {@link requireAccount}, and {@link holdAccount}: its password changes before or after, not meanwhile. */
export async function requireHeldAccount(
  tx: Transaction,
  { id, since }: Pick<SignedIn, 'id' | 'since'>,
): Promise<Account> {
  return requireUsable(await holdAccount(tx, id), since)
}

/** An account that somebody is signed in to since then, in seconds since the Unix epoch. @throws ServiceError tokenInvalid */
export function requireUsable(account: Account | undefined, since: number): Account {
  if (!account || !isOpen(account) || !isCurrent(account, since)) throw new ServiceError('tokenInvalid')
  return account
}

/** An account that somebody may be signed in to. @throws ServiceError tokenInvalid */
export async function requireOpenAccount(db: Database, id: number): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account || !isOpen(account)) throw new ServiceError('tokenInvalid')
  return account
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
  // Somebody else may have been faster.
  return account ? { account, created: true } : await createAccount(db, storefrontId, details)
}

export { type Account, findAccount, findAccountByEmail, insertAccount } from './accounts.repository.ts'
