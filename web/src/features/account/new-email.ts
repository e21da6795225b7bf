import type { accountDetails } from '@ondine/contract/accounts'
import type { OutputOf } from '@ondine/contract/operation'

/** What decides whether a change of the e-mail address asks for the password. */
export type EmailHolder = Pick<OutputOf<typeof accountDetails>, 'email' | 'hasPassword'>

/** Whether `email` is another address than the account has, and the account a password to ask for. */
export function needsPassword({ email: current, hasPassword }: EmailHolder, email: string): boolean {
  return hasPassword && email.trim().toLowerCase() !== current.toLowerCase()
}
