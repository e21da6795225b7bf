import { useSession } from '../../ground/session/session.ts'

/**
 * Returns the address of the signed-in account if it is the account of this registration. The viewer may have
 * signed in through the e-mail in another tab, or before the registration.
 *
 * @param email the registered address; empty before the account is created
 * @returns undefined if nobody or another account is signed in
 */
export function useRegistered(email: string): string | undefined {
  const { account } = useSession()
  const isSame = account !== null && ['', account.email].includes(email.toLowerCase())
  return isSame ? account.email : undefined
}
