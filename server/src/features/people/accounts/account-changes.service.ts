import type { changeAddress, changeDetails } from '@ondine/contract/account-calls'
import { emailAddress } from '@ondine/contract/form-fields'
import type { PasswordPolicy } from '@ondine/contract/password-policy'
import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { Clock } from '../../../clock.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { SignedIn } from '../../../http/principal.ts'
import { checkPassword, hashPassword } from '../../../passwords.ts'
import type { AccountHooks } from './account-hooks.ts'
import { requestEmail, requireLink, requireLinkLeft, useLink, voidLinks } from './account-links.service.ts'
import { accountLinks } from './account-links.table.ts'
import { type Account, findAccount, normaliseEmail, setEmail } from './accounts.repository.ts'
import {
  holdAccount,
  isOpen,
  requireAccount,
  requireBorn,
  requireCountry,
  requireHeldAccount,
  requirePolicy,
  sinceNow,
} from './accounts.service.ts'
import { accounts } from './accounts.table.ts'

const MS = 1000

/**
 * Stores the given account details, except a new e-mail address. The account's holder must confirm a new address before
 * it takes effect. A request for a new address needs the current password, if the account has one, and ends earlier
 * requests for other addresses.
 *
 * @param languages the languages that the storefront offers
 * @returns the new address to confirm; null if no address was given, or the account has this address already
 * @throws ServiceError invalidInput, signInFailed, tokenInvalid; slowDown if no link to confirm the address can be sent
 * now, and then nothing is stored
 */
export async function changeAccount(
  db: Database,
  signedIn: SignedIn,
  sent: z.output<(typeof changeDetails)['input']>,
  { languages, now }: { languages: readonly string[]; now: number },
): Promise<string | null> {
  const { email, currentPassword, dateofbirth, additionalInformation, parentalProof: _, ...fields } = sent
  if (dateofbirth !== undefined) requireBorn(dateofbirth, 'birthdate', now)
  const { language, ...others } = defined(fields)
  if (language !== undefined && language !== '') await requireLanguage(db, signedIn, language, languages)
  const changes = {
    ...others,
    ...(language === undefined || language === '' ? {} : { language }),
    ...(dateofbirth === undefined ? {} : { birthdate: dateofbirth }),
    ...(additionalInformation === undefined
      ? {}
      : {
          consentStatus: additionalInformation.consent_status,
          consentVersion: additionalInformation.consent_version ?? '',
          // The service's clock, not the browser's.
          consentAt: now,
        }),
  }
  const newEmail = await requireNewEmail(db, signedIn, email, currentPassword)
  await storeChanges(db, signedIn, changes, async (tx) => {
    if (newEmail === null) return
    // Otherwise, the answer would announce an e-mail that is never sent.
    await requireLinkLeft(tx, signedIn.id, 'email', now)
    await requestEmail(tx, signedIn.id, newEmail, now)
  })
  return newEmail
}

/**
 * Throws `invalidInput` for a language that the storefront does not offer. Accepts the account's own language even if
 * the operator has withdrawn it, because forms send unchanged fields too.
 */
async function requireLanguage(
  db: Database,
  signedIn: SignedIn,
  wanted: string,
  offered: readonly string[],
): Promise<void> {
  if (offered.includes(wanted) || (await requireAccount(db, signedIn)).language === wanted) return
  throw invalidFields([{ field: 'language', message: 'invalid' }])
}

/**
 * Returns the given e-mail address if it differs from the account's address; otherwise null. @throws ServiceError
 * if the current password is missing or wrong
 */
async function requireNewEmail(
  db: Database,
  signedIn: SignedIn,
  email: string | undefined,
  currentPassword: string | undefined,
): Promise<string | null> {
  if (email === undefined) return null
  const account = await requireAccount(db, signedIn)
  const wanted = normaliseEmail(email)
  if (wanted === account.email) return null
  if (!emailAddress.safeParse(wanted).success)
    throw invalidFields([{ field: 'email', message: 'invalidEmail' }])
  // Accounts that sign in through an identity provider have no password.
  if (account.passwordHash === null) return wanted
  if (currentPassword === undefined)
    throw invalidFields([{ field: 'currentPassword', message: 'requiredField' }])
  if (!(await checkPassword(account.passwordHash, currentPassword))) throw new ServiceError('signInFailed')
  return wanted
}

/** Stores the postal address of an account. */
export async function moveAccount(
  db: Database,
  signedIn: SignedIn,
  address: z.output<(typeof changeAddress)['input']>,
): Promise<void> {
  requireCountry(address.addressCountry)
  const { parentalProof: _, ...fields } = address
  await storeChanges(db, signedIn, fields)
}

/**
 * Locks the account while its changes are stored. Otherwise a concurrent anonymisation could be overwritten with
 * personal data.
 */
async function storeChanges(
  db: Database,
  signedIn: SignedIn,
  changes: Partial<typeof accounts.$inferInsert>,
  more: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await requireHeldAccount(tx, signedIn)
    if (Object.keys(changes).length > 0)
      await tx.update(accounts).set(changes).where(eq(accounts.id, account.id))
    await more(tx)
  })
}

/** Dependencies of a password change. */
interface PasswordParts {
  policy: PasswordPolicy
  clock: Clock
  hooks: AccountHooks
}

/** Sets the e-mail address of an account, as {@link setEmail} does, and voids the links to set a password. */
export async function changeEmail(tx: Transaction, accountId: number, email: string): Promise<void> {
  await setEmail(tx, accountId, email)
  // A link to set a password may be in the mailbox of the old address, which may belong to somebody else by now.
  await voidLinks(tx, accountId, ['password'])
}

/** Sets one name or both names of the account's holder. */
export async function changeNames(
  tx: Transaction,
  accountId: number,
  names: { firstName?: string; lastName?: string },
): Promise<void> {
  await tx.update(accounts).set(names).where(eq(accounts.id, accountId))
}

/**
 * Replaces the password, and ends all earlier sign-ins.
 *
 * @returns the account after the change
 * @throws ServiceError `signInFailed` if the current password is wrong, `newPasswordPolicy`, `newPasswordSame`,
 * `tokenInvalid`
 */
export async function changePassword(
  db: Database,
  { account: signedIn, ...parts }: { account: SignedIn } & PasswordParts,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<Account> {
  const account = await requireAccount(db, signedIn)
  if (!(await checkPassword(account.passwordHash, currentPassword))) throw new ServiceError('signInFailed')
  requirePolicy(parts.policy, password)
  if (password === currentPassword) throw new ServiceError('newPasswordSame')
  const passwordHash = await hashPassword(password)
  return await db.transaction(
    async (tx) => await storePassword(tx, await requireHeldAccount(tx, signedIn), passwordHash, parts),
  )
}

/**
 * Sets a new password by a link from an e-mail (A7.1-09). If setting the password fails, the link stays valid.
 *
 * @returns the id of the account
 * @throws ServiceError `linkExpired`, `newPasswordPolicy`, `newPasswordSame`
 */
export async function resetPassword(
  db: Database,
  parts: PasswordParts,
  { token, password }: { token: string; password: string },
): Promise<number> {
  requirePolicy(parts.policy, password)
  const now = parts.clock.now()
  const holder = await requireLink(db, 'password', token, now)
  const known = await findAccount(db, holder)
  // This check is slow, and a transaction occupies the only connection of an embedded database. So the check runs
  // before the transaction.
  if (await checkPassword(known?.passwordHash, password)) throw new ServiceError('newPasswordSame')
  const passwordHash = await hashPassword(password)
  return await db.transaction(async (tx) => {
    const { accountId } = await useLink(tx, ['password'], token, now)
    const account = await holdAccount(tx, accountId)
    if (!account || !isOpen(account)) throw new ServiceError('linkExpired')
    await storePassword(tx, account, passwordHash, parts)
    return accountId
  })
}

/**
 * Stores a new password hash, and ends all earlier sign-ins.
 *
 * @param account must be locked by the caller, so that no sign-in begins before the update
 */
async function storePassword(
  tx: Transaction,
  account: Account,
  passwordHash: string,
  parts: PasswordParts,
): Promise<Account> {
  await tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, account.id))
  return await endAccess(tx, account, parts)
}

/**
 * Ends every access that an account has given so far: all sign-ins, the links to a new password or a new address, and
 * approved pairings.
 *
 * @param account must be locked by the caller, so that no sign-in begins before the update
 * @returns the account after the change
 */
export async function endAccess(
  tx: Transaction,
  account: Account,
  { clock, hooks }: Pick<PasswordParts, 'clock' | 'hooks'>,
): Promise<Account> {
  // Tokens store the time of the sign-in in whole seconds. Valid sign-ins therefore begin in the next second, which is
  // later than every earlier sign-in.
  const sessionsFrom = (sinceNow(account, clock.now()) + 1) * MS
  const [changed] = await tx
    .update(accounts)
    .set({ sessionsFrom })
    .where(eq(accounts.id, account.id))
    .returning()
  if (!changed) throw new Error('The sign-ins were not ended.')
  // Also void the links that confirm a new e-mail address. An intruder may have requested that address, and could
  // take over the account with such a link.
  await voidLinks(tx, account.id, ['password', 'email'])
  // Revokes pairings that were approved but not used yet.
  await hooks.onAccessEnded(tx, account.id)
  return changed
}

/**
 * Removes all data that identifies the account's holder (A7.1-10). The account's row and id stay, because
 * accounting records refer to them. Profiles, links and identities are deleted, and so are the rows that refer to
 * them.
 */
export async function anonymise(
  db: Database,
  hooks: AccountHooks,
  accountId: number,
  now: number,
): Promise<void> {
  // Notices from app stores lock the purchase before the account. This transaction locks the account before the
  // purchase, so a deadlock is possible.
  await retryOnDeadlock(
    async () => await db.transaction(async (tx) => await anonymiseWithin(tx, hooks, accountId, now)),
  )
}

async function anonymiseWithin(
  tx: Transaction,
  hooks: AccountHooks,
  accountId: number,
  now: number,
): Promise<void> {
  await tx
    .update(accounts)
    .set({
      ...NOBODY,
      // A placeholder that is unique within the storefront, as the column requires. It cannot receive e-mail.
      email: `account-${accountId}@anonymous.invalid`,
      status: 'ARCHIVED',
    })
    .where(eq(accounts.id, accountId))
  await tx.delete(accountLinks).where(eq(accountLinks.accountId, accountId))
  for (const forget of hooks.onAccountForgotten) await forget(tx, accountId, now)
}

/**
 * Empty or default values for every column of an account except its id, storefront, e-mail address, status and
 * creation time.
 */
const NOBODY = {
  passwordHash: null,
  title: '',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  addressStreet: '',
  addressSecondStreet: '',
  addressThirdStreet: '',
  addressNumber: '',
  addressCity: '',
  addressState: '',
  addressZip: '',
  addressCountry: '',
  birthdate: '',
  allowNews: false,
  termsAcceptedAt: null,
  consentStatus: '' as const,
  consentAt: null,
  consentVersion: '',
  sessionsFrom: null,
  language: 'fra',
} satisfies Partial<typeof accounts.$inferInsert>

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Leave out undefined fields, so that their columns do not change.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
