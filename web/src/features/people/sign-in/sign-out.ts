import { logout } from '@ondine/contract/accounts'
import { ApiError } from '../../../api/api-error.ts'
import { answer } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { holdCalls, releaseCalls, underWay } from '../../../api/session-end.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { LEAVING, viewerTabs } from '../../ground/session/viewer-tabs.ts'

/** How long a sign-out waits for pending calls and for the storage of the device, in milliseconds. */
const PATIENCE_MS = 2000

/**
 * Deletes the viewer's data on this device. Returns a function that restores the data if the viewer stays signed in.
 */
type Forgetting = () => Promise<() => Promise<void>>

const forgettings = new Set<Forgetting>()

/** Calls `forget` at each sign-out, before the call to the service. */
export function onSignOut(forget: Forgetting): void {
  forgettings.add(forget)
}

/**
 * Signs out, and then loads the home page anew, so that no data of the account stays in memory (V4.3, logout).
 * Notifies the other tabs first, so that they make no calls during the sign-out. Only the service can sign a viewer
 * out. If the service does not answer, the viewer stays signed in and sees a message.
 */
export async function signOut(): Promise<void> {
  holdCalls()
  const tabs = viewerTabs()
  const tell = tabs?.postMessage.bind(tabs)
  tell?.(LEAVING)
  tabs?.close()
  const forgotten = forgetViewer()
  await Promise.race([inTime(Promise.all([callsEnded(), forgotten])), pageHidden()])
  if (await isLoggedOut()) {
    location.assign('/')
    return
  }
  releaseCalls()
  const undone = forgotten.then(
    async (all) => await Promise.all(all.map(async (takeBack) => await takeBack())),
  )
  undone.catch(reportFault)
  const { t } = pageWords()
  await modal.free()
  await modal.open('alert', { title: t('auth.stillSignedIn'), description: t('auth.stillSignedInText') })
}

/**
 * Deletes the viewer's data on this device. Returns functions that restore it. A fault does not prevent the
 * sign-out.
 */
async function forgetViewer(): Promise<(() => Promise<void>)[]> {
  const results = await Promise.allSettled([...forgettings].map(async (forget) => await forget()))
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value]
    reportFault(result.reason)
    return []
  })
}

/** Signs the viewer out at the service. Returns false if the viewer is possibly still signed in. */
async function isLoggedOut(): Promise<boolean> {
  try {
    await answer(logout, {})
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === CODES.tokenInvalid
  }
}

/**
 * Waits until the viewer leaves the page. The sign-out is then sent at once, and the browser completes this call
 * after the page is closed.
 */
async function pageHidden(): Promise<void> {
  await new Promise((resolve) => window.addEventListener('pagehide', resolve, { once: true }))
}

/** Waits until all pending calls have ended, at most {@link PATIENCE_MS}. */
export async function callsEnded(): Promise<void> {
  await inTime(Promise.allSettled(underWay))
}

/** Waits for a promise, at most {@link PATIENCE_MS}. */
async function inTime(promise: Promise<unknown>): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([promise, patience])
}
