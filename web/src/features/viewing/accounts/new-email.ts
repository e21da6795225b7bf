import type { accountDetails } from '@ondine/contract/accounts'
import type { OutputOf } from '@ondine/contract/operation'

/** The account fields that decide whether a change of the e-mail address requires the password. */
export type EmailHolder = Pick<OutputOf<typeof accountDetails>, 'email' | 'hasPassword'>

/** Returns whether `email` differs from the account's address and the account has a password to ask for. */
export function needsPassword({ email: current, hasPassword }: EmailHolder, email: string): boolean {
  return hasPassword && email.trim().toLowerCase() !== current.toLowerCase()
}
