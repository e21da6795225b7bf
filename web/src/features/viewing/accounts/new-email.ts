import type { accountDetails } from '@ondine/contract/accounts'
import type { OutputOf } from '@ondine/contract/operation'

/** The fields of an account that determine whether a new e-mail address requires the password. */
export type EmailHolder = Pick<OutputOf<typeof accountDetails>, 'email' | 'hasPassword'>

/** Returns whether `email` differs from the account's present address. */
export function isNewEmail({ email: current }: Pick<EmailHolder, 'email'>, email: string): boolean {
  return email.trim().toLowerCase() !== current.toLowerCase()
}

/**
 * Returns whether a change of the e-mail address to `email` requires the password. The account must have a
 * password, and the new address must differ from the current one.
 */
export function needsPassword(account: EmailHolder, email: string): boolean {
  return account.hasPassword && isNewEmail(account, email)
}
