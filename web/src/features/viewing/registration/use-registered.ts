import { useSession } from '../../ground/session/session.ts'

/**
 * Returns whether the signed-in viewer is the one who registers: by the e-mail in another tab, or from before.
 *
 * @param email the registered address; empty for none
 * @returns the account's address; undefined for another account, and for a visitor
 */
export function useRegistered(email: string): string | undefined {
  const { account } = useSession()
  const isSame = account !== null && ['', account.email].includes(email.toLowerCase())
  return isSame ? account.email : undefined
}
