import { useSession } from '../../ground/session/session.ts'

/**
 * Finds out whether the signed-in viewer is the person who registers. The viewer may have signed in through
 * the e-mail in another tab, or earlier.
 *
 * @param email the registered address; empty for none
 * @returns the account's address; undefined if another account or nobody is signed in
 */
export function useRegistered(email: string): string | undefined {
  const { account } = useSession()
  const isSame = account !== null && ['', account.email].includes(email.toLowerCase())
  return isSame ? account.email : undefined
}
