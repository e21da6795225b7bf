import { type AccountField, isPast } from '@ondine/contract/account-names'
import type { Configuration } from '@ondine/contract/configuration'
import { isCountry } from '@ondine/contract/countries'
import type { FieldFault } from '@ondine/contract/field-faults'
import { keepsPolicy, type PasswordPolicy } from '@ondine/contract/password-policy'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { SignedIn } from '../../../http/principal.ts'
import { checkPassword } from '../../../passwords.ts'
import { type Account, findAccount, findAccountByEmail } from './accounts.repository.ts'
import { accounts } from './accounts.table.ts'

const MS = 1000

/**
 * Returns whether the holder of an account with this status may sign in (A3-04). ACTIVE allows everything.
 * SUSPENDED allows signing in and managing the account, but not buying or playing (error -2409).
 * PENDING_ACTIVATION allows only the activation. INACTIVE, BANNED and ARCHIVED allow nothing: a sign-in then fails
 * as for an unknown account.
 */
export function isOpen({ status }: Pick<Account, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'SUSPENDED'
}

/**
 * Returns the account with a user name and a password. An unknown user name, a wrong password and a closed account
 * give the same error after the same time, so that callers cannot tell them apart.
 *
 * @throws ServiceError `signInFailed`; `accountNotActivated` if the password is right, but the account is not
 * activated
 */
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
 * Returns whether a sign-in is still valid. A change of the password ends earlier sign-ins.
 *
 * @param since when the sign-in began, in seconds since the Unix epoch
 */
export function isCurrent({ sessionsFrom }: Pick<Account, 'sessionsFrom'>, since: number): boolean {
  return sessionsFrom === null || since * MS >= sessionsFrom
}

/**
 * Returns the start time of a sign-in that begins now, in seconds since the Unix epoch. The time is never before
 * `sessionsFrom`, because sign-ins from before that time are not valid.
 *
 * @param account the account as read when the credentials were checked
 * @param now milliseconds since the Unix epoch
 */
export function sinceNow({ sessionsFrom }: Pick<Account, 'sessionsFrom'>, now: number): number {
  return Math.max(Math.floor(now / MS), (sessionsFrom ?? 0) / MS)
}

/**
 * Returns the account of a signed-in caller from the database. The caller's token stays valid for a while after
 * the account was deleted or closed, or its password changed. So a call with a lasting effect checks the account
 * here.
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

/** Returns an account, and locks its row against other changes until the transaction ends. */
export async function holdAccount(tx: Transaction, id: number): Promise<Account | undefined> {
  return (await holdAccounts(tx, [id])).get(id)
}

/**
 * Returns the account with an e-mail address, and locks it until the transaction ends. Otherwise the account could be
 * deleted, or its address could change.
 */
export async function holdAccountByEmail(
  tx: Transaction,
  storefrontId: number,
  email: string,
): Promise<Account | undefined> {
  const found = await findAccountByEmail(tx, storefrontId, email)
  const held = found && (await holdAccount(tx, found.id))
  return held?.email === found?.email ? held : undefined
}

/** Locks many accounts, as {@link holdAccount} locks one. @returns the accounts by id */
export async function holdAccounts(tx: Transaction, ids: readonly number[]): Promise<Map<number, Account>> {
  const held = await tx
    .select()
    .from(accounts)
    .where(oneOf(accounts.id, ids))
    // The fixed order prevents deadlocks between transactions that lock several accounts.
    .orderBy(accounts.id)
    .for('update')
    .prepare('hold_accounts')
    .execute()
  return new Map(held.map((account) => [account.id, account]))
}

/**
 * Returns the account as {@link requireAccount} does, and locks the account as {@link holdAccount} does. The
 * password then cannot change before the transaction ends.
 */
export async function requireHeldAccount(
  tx: Transaction,
  { id, since }: Pick<SignedIn, 'id' | 'since'>,
): Promise<Account> {
  return requireUsable(await holdAccount(tx, id), since)
}

/**
 * Returns the account if it is open, and a sign-in that began at `since` is still valid. @param since seconds
 * since the Unix epoch @throws ServiceError tokenInvalid
 */
export function requireUsable(account: Account | undefined, since: number): Account {
  if (!account || !isOpen(account) || !isCurrent(account, since)) throw new ServiceError('tokenInvalid')
  return account
}

/** Returns an account whose status permits signing in. @throws ServiceError tokenInvalid */
export async function requireOpenAccount(db: Database, id: number): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account || !isOpen(account)) throw new ServiceError('tokenInvalid')
  return account
}

export {
  type Account,
  activateAccount,
  deletePendingAccounts,
  findAccount,
  findAccountByEmail,
  insertAccount,
  moveArchivedAccounts,
  type NewAccount,
  normaliseEmail,
  replacePendingAccount,
  setStatus,
} from './accounts.repository.ts'

/**
 * Requires that people sign in with passwords (A4.3). @throws ServiceError `forbidden` if they sign in only at the
 * identity provider
 */
export function requirePasswords({ authentication }: Configuration['accounts']): void {
  if (authentication.mode === 'sso') throw new ServiceError('forbidden')
}

/** Enforces the storefront's password policy (A5-07 to A5-10). @throws ServiceError `newPasswordPolicy` */
export function requirePolicy(policy: PasswordPolicy, password: string): void {
  if (!keepsPolicy(policy, password)) {
    const fields = [{ field: 'password', message: 'passwordPolicy' satisfies FieldFault }]
    throw new ServiceError('newPasswordPolicy', { fields })
  }
}

/**
 * Requires every field that the storefront makes mandatory (A5-12). @throws ServiceError `invalidInput` with the
 * names of the missing fields
 */
export function requireMandatory(
  registration: Configuration['registration'],
  given: Partial<Record<AccountField, string>>,
): void {
  const missing = registration.mandatory.filter((field) => (given[field] ?? '') === '')
  if (missing.length > 0)
    throw invalidFields(missing.map((field) => ({ field, message: 'requiredField' satisfies FieldFault })))
}

/** Rejects a date of birth in the future. @throws ServiceError `invalidInput` */
export function requireBorn(birthdate: string, field: string, now: number): void {
  if (!isPast(birthdate, now)) throw invalidFields([{ field, message: 'invalid' satisfies FieldFault }])
}

/**
 * Rejects a code that is not a country of ISO 3166-1 (A8.2-02). Accepts an empty code. @throws ServiceError
 * `countryInvalid`
 */
export function requireCountry(code: string): void {
  if (code === '' || isCountry(code)) return
  const fields = [{ field: 'addressCountry', message: 'invalidCountry' satisfies FieldFault }]
  throw new ServiceError('countryInvalid', { fields })
}
