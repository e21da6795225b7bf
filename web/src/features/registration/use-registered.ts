import { useSession } from '../accounts/session.ts'

/**
 * Whether who is signed in is who registers: by the letter in another tab, or before.
 *
 * @param email the address that was registered; empty for none
 * @returns the account's address; undefined for somebody else, and for nobody
 */
export function useRegistered(email: string): string | undefined {
  const { account } = useSession()
  const isSame = account !== null && ['', account.email].includes(email.toLowerCase())
  return isSame ? account.email : undefined
}
