import { logout } from '@ondine/contract/accounts'
import { call } from '../../../api/call.ts'
import { holdCalls, underWay } from '../../../api/session-end.ts'
import { LEAVING, viewerTabs } from '../../ground/session/viewer-tabs.ts'

/** How long a sign-out waits for the calls under way, in milliseconds. */
const PATIENCE_MS = 2000

/**
 * Signs out, and loads home from the service, so that no data of the account stays in memory (V4.3, logout). The
 * session also ends in the other tabs, so no tab makes calls with it meanwhile.
 */
export async function signOut(): Promise<void> {
  holdCalls()
  const tabs = viewerTabs()
  const tell = tabs.postMessage.bind(tabs)
  tell(LEAVING)
  tabs.close()
  await Promise.race([callsEnded(), pageHidden()])
  await call(logout, {})
  location.assign('/')
}

/** Waits until the viewer leaves the page. The sign-out is then sent at once, and outlives the page. */
async function pageHidden(): Promise<void> {
  await new Promise((resolve) => window.addEventListener('pagehide', resolve, { once: true }))
}

/** Waits until the calls under way have ended, at most {@link PATIENCE_MS}. */
export async function callsEnded(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([Promise.allSettled(underWay), patience])
}
