import type { createAccount } from '@ondine/contract/account-calls'
import type { Configuration } from '@ondine/contract/configuration'
import type { Language } from '@ondine/contract/languages'
import type * as z from 'zod'
import { isUniqueViolation } from '../../../database/broken-keys.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { hashPassword } from '../../../passwords.ts'
import { changeEmail } from '../accounts/account-changes.service.ts'
import { mayHaveLink, useLink, voidLinks } from '../accounts/account-links.service.ts'
import {
  activateAccount,
  findAccount,
  findAccountByEmail,
  holdAccountByEmail,
  isOpen,
  type NewAccount,
  normaliseEmail,
  replacePendingAccount,
  requireBorn,
  requireCountry,
  requireMandatory,
  requirePolicy,
} from '../accounts/accounts.service.ts'
import { insertAccountWithProfiles } from '../profiles/new-account.service.ts'
import { renameDefaultProfile } from '../profiles/profiles.service.ts'

/** Fields of the registration form. */
export type Registration = z.output<(typeof createAccount)['input']>

/** Result of a registration. `letter` is the e-mail to send to the address. */
export interface Registered {
  accountId: number
  letter: 'activation' | 'existing'
}

/**
 * Accepts a registration. If the address already has an activated account, the account does not change, its holder
 * gets an e-mail, and the caller gets the same answer as for a new account. An account without activation is
 * overwritten, and its activation links become void. If it has reached the limit of links, so that no new link could be
 * sent, it stays as it is.
 *
 * @throws ServiceError `invalidInput`, `newPasswordPolicy`, `countryInvalid`
 */
export async function register(
  db: Database,
  {
    storefrontId,
    registration,
    languages,
    language,
    now,
  }: {
    storefrontId: number
    registration: Configuration['registration']
    languages: Configuration['languages']
    language: Language
    now: number
  },
  sent: Registration,
): Promise<Registered> {
  const { password, passwordConfirm: _, acceptTerms: __, dateofbirth: birthdate, ...fields } = sent
  if (password !== sent.passwordConfirm)
    throw new ServiceError('invalidInput', {
      fields: [{ field: 'passwordConfirm', message: 'passwordsDiffer' }],
    })
  requirePolicy(registration.passwordPolicy, password)
  requireMandatory(registration, { ...fields, birthdate })
  requireCountry(fields.addressCountry)
  requireBorn(birthdate, 'birthdate', now)
  const isOffered = (code: string) => languages.languages.includes(code)
  if (fields.language !== '' && !isOffered(fields.language))
    throw new ServiceError('invalidInput', { fields: [{ field: 'language', message: 'invalid' }] })
  const row = {
    ...fields,
    email: normaliseEmail(fields.email),
    birthdate,
    language: fields.language || (isOffered(language) ? language : languages.default),
    passwordHash: await hashPassword(password),
    termsAcceptedAt: now,
  }
  return await takeIn(db, { ...row, storefrontId }, now)
}

async function takeIn(db: Database, row: NewAccount, now: number): Promise<Registered> {
  const itsProfile = { name: row.firstName ?? '', language: row.language }
  const taken = await db.transaction(async (tx): Promise<Registered | undefined> => {
    // Of two concurrent registrations of an address, the second finds the account that the first has created.
    const made = await insertAccountWithProfiles(tx, { ...row, status: 'PENDING_ACTIVATION' }, [itsProfile])
    if (made) return { accountId: made.id, letter: 'activation' }
    // Locked, because a link of an earlier registration may be made meanwhile.
    const existing = await holdAccountByEmail(tx, row.storefrontId, row.email)
    const isPending = existing?.status === 'PENDING_ACTIVATION'
    if (isPending && !(await mayHaveLink(tx, existing.id, 'activation', now)))
      return { accountId: existing.id, letter: 'activation' }
    const accountId = await replacePendingAccount(tx, row)
    if (accountId !== undefined) {
      await renameDefaultProfile(tx, accountId, itsProfile)
      await voidLinks(tx, accountId, ['activation'])
      return { accountId, letter: 'activation' }
    }
    return existing && { accountId: existing.id, letter: 'existing' }
  })
  // The insert failed because of another account with the address. That account has released the address
  // meanwhile, so try again.
  return taken ?? (await takeIn(db, row, now))
}

/**
 * Activates the account of an activation link. For a link that confirms a new e-mail address, sets this address
 * (A7.1-02).
 *
 * @throws ServiceError `linkExpired`; `usernameTaken` if another account has taken the new address
 */
export async function confirmEmail(db: Database, token: string, now: number): Promise<void> {
  try {
    await db.transaction(async (tx) => await confirmWithin(tx, token, now))
  } catch (error) {
    // Another account confirmed the same new address first.
    throw isUniqueViolation(error) ? new ServiceError('usernameTaken') : error
  }
}

async function confirmWithin(tx: Transaction, token: string, now: number): Promise<void> {
  const link = await useLink(tx, ['activation', 'email'], token, now)
  if (link.purpose === 'activation') {
    await activateAccount(tx, link.accountId)
    return
  }
  const account = await findAccount(tx, link.accountId)
  if (!account || !isOpen(account) || link.email === null) throw new ServiceError('linkExpired')
  const holder = await findAccountByEmail(tx, account.storefrontId, link.email)
  if (holder && holder.id !== account.id) throw new ServiceError('usernameTaken')
  await changeEmail(tx, account.id, link.email)
}
