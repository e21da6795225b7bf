import { logout } from '@ondine/contract/accounts'
import { call } from '../../../api/call.ts'

/** Signs out and reloads, so that no account data stays in memory (V4.3, logout). */
export async function signOut(): Promise<void> {
  await call(logout, {})
  location.assign('/')
}
