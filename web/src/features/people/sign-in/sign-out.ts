import { logout } from '@ondine/contract/accounts'
import { call } from '../../../api/call.ts'

/** Signs out, and loads home from the service, so that no data of the account stays in memory (V4.3, logout). */
export async function signOut(): Promise<void> {
  await call(logout, {})
  location.assign('/')
}
