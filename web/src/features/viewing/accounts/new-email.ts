import type { accountDetails } from '@ondine/contract/accounts'
import type { OutputOf } from '@ondine/contract/operation'

/** The fields of an account that decide whether a new e-mail address requires the password. */
export type EmailHolder = Pick<OutputOf<typeof accountDetails>, 'email' | 'hasPassword'>

/**
 * Returns whether a change to the address `email` requires the password: the address differs from the account's, and
 * the account has a password.
 */
export function needsPassword({ email: current, hasPassword }: EmailHolder, email: string): boolean {
  return hasPassword && email.trim().toLowerCase() !== current.toLowerCase()
}
