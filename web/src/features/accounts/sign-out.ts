import { logout } from '@ondine/contract/accounts'
import { call } from '../../api/call.ts'

/** Signs out and asks for the page again, so that nothing of the account is left in memory (V4.3, logout). */
export async function signOut(): Promise<void> {
  await call(logout, {})
  location.assign('/')
}
