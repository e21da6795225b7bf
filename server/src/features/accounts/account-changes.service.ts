import type { changeAddress, changeDetails } from '@ondine/contract/account-calls'
import type { PasswordPolicy } from '@ondine/contract/password-policy'
import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { Clock } from '../../clock.ts'
import type { Database, Transaction } from '../../database/connection.ts'
import { despiteDeadlock } from '../../database/despite-deadlock.ts'
import { invalidFields, ServiceError } from '../../http/errors.ts'
import type { SignedIn } from '../../http/principal.ts'
import { forgetPairings } from '../pairing/pairing.service.ts'
import { requireLink, useLink, voidLinks } from './account-links.ts'
import { requireBorn, requireCountry, requirePolicy } from './account-rules.ts'
import { type Account, findAccount, normaliseEmail } from './accounts.repository.ts'
import { holdAccount, isOpen, requireAccount, requireHeldAccount, sinceNow } from './accounts.service.ts'
import { accounts } from './accounts.table.ts'
import { forgetAccount } from './forget-account.ts'
import { checkPassword, hashPassword } from './passwords.ts'

const MS = 1000

/**
 * Changes what was sent of an account's details. A new e-mail address is not among it: it counts once it is confirmed, and
 * is asked for with the password.
 *
 * @returns the new address, where one was sent
 * @throws ServiceError invalidInput, signInFailed
 */
export async function changeAccount(
  db: Database,
  signedIn: SignedIn,
  sent: z.output<(typeof changeDetails)['input']>,
  now: number,
): Promise<string | null> {
  const { email, currentPassword, dateofbirth, additionalInformation, parentalProof: _, ...fields } = sent
  if (dateofbirth !== undefined) requireBorn(dateofbirth, 'birthdate', now)
  const { language, ...others } = defined(fields)
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
  await storeChanges(db, signedIn, changes)
  return newEmail
}

/** The address that an account is to have, if that is another one than it has. @throws ServiceError for a wrong password */
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
  // An account that signs in elsewhere has no password to ask for.
  if (account.passwordHash === null) return wanted
  if (currentPassword === undefined)
    throw invalidFields([{ field: 'currentPassword', message: 'requiredField' }])
  if (!(await checkPassword(account.passwordHash, currentPassword))) throw new ServiceError('signInFailed')
  return wanted
}

/** Changes the postal address of an account. */
export async function moveAccount(
  db: Database,
  signedIn: SignedIn,
  address: z.output<(typeof changeAddress)['input']>,
): Promise<void> {
  requireCountry(address.addressCountry)
  const { parentalProof: _, ...fields } = address
  await storeChanges(db, signedIn, fields)
}

/** Held meanwhile: nothing of a person comes back to an account that is made anonymous. */
async function storeChanges(
  db: Database,
  signedIn: SignedIn,
  changes: Partial<typeof accounts.$inferInsert>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await requireHeldAccount(tx, signedIn)
    if (Object.keys(changes).length > 0)
      await tx.update(accounts).set(changes).where(eq(accounts.id, account.id))
  })
}

/**
 * A password for another one. Whoever signed in before must sign in again.
 *
 * @returns the account as it is then
 * @throws ServiceError with what is wrong
 */
export async function changePassword(
  db: Database,
  { account: signedIn, policy, clock }: { account: SignedIn; policy: PasswordPolicy; clock: Clock },
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<Account> {
  const account = await requireAccount(db, signedIn)
  if (!(await checkPassword(account.passwordHash, currentPassword))) throw new ServiceError('signInFailed')
  requirePolicy(policy, password)
  if (password === currentPassword) throw new ServiceError('newPasswordSame')
  const passwordHash = await hashPassword(password)
  return await db.transaction(
    async (tx) => await storePassword(tx, await requireHeldAccount(tx, signedIn), passwordHash, clock),
  )
}

/**
 * Sets a new password by a link (A7.1-09). The link is used up only when it could be set.
 *
 * @returns the account
 * @throws ServiceError `linkExpired`, `newPasswordPolicy`, `newPasswordSame`
 */
export async function resetPassword(
  db: Database,
  { policy, clock }: { policy: PasswordPolicy; clock: Clock },
  { token, password }: { token: string; password: string },
): Promise<number> {
  requirePolicy(policy, password)
  const now = clock.now()
  const holder = await requireLink(db, 'password', token, now)
  const known = await findAccount(db, holder)
  // Outside the transaction, which holds the only connection of an embedded database.
  if (await checkPassword(known?.passwordHash, password)) throw new ServiceError('newPasswordSame')
  const passwordHash = await hashPassword(password)
  return await db.transaction(async (tx) => {
    const { accountId } = await useLink(tx, ['password'], token, now)
    const account = await holdAccount(tx, accountId)
    if (!account || !isOpen(account)) throw new ServiceError('linkExpired')
    await storePassword(tx, account, passwordHash, clock)
    return accountId
  })
}

/** @param account held, so that nothing of it begins between the time that is taken here and the change */
async function storePassword(
  tx: Transaction,
  account: Account,
  passwordHash: string,
  clock: Clock,
): Promise<Account> {
  // Tokens say in whole seconds when somebody signed in: the next second is after all that was begun before.
  const sessionsFrom = (sinceNow(account, clock.now()) + 1) * MS
  const [changed] = await tx
    .update(accounts)
    .set({ passwordHash, sessionsFrom })
    .where(eq(accounts.id, account.id))
    .returning()
  if (!changed) throw new Error('The password was not stored.')
  // The address that somebody else asked for would take the account from its holder after all.
  await voidLinks(tx, account.id, ['password', 'email'])
  // A television that was let in, and has not come yet, was let in before.
  await forgetPairings(tx, account.id)
  return changed
}

/**
 * Removes everything that says whose account it was (A7.1-10). Its number stays, for what accounting must keep hangs on it;
 * profiles, links and identities go, and with them all that hangs on those.
 */
export async function anonymise(db: Database, accountId: number, now: number): Promise<void> {
  // A store's notice locks a purchase first and its account second; here it is the other way round.
  await despiteDeadlock(
    async () => await db.transaction(async (tx) => await anonymiseWithin(tx, accountId, now)),
  )
}

async function anonymiseWithin(tx: Transaction, accountId: number, now: number): Promise<void> {
  await tx
    .update(accounts)
    .set({
      ...NOBODY,
      // Addresses are unique within a storefront; this one can receive nothing.
      email: `account-${accountId}@anonymous.invalid`,
      status: 'ARCHIVED',
    })
    .where(eq(accounts.id, accountId))
  await forgetAccount(tx, accountId, now)
}

/** An account of nobody. Every column but its number, its storefront, its address, its status and when it was made. */
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
  // What is undefined stays as it is in the database.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
