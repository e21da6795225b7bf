import { pushState, subscribePush, unsubscribePush } from '@ondine/contract/push'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { registerWorker, requireWorker } from '../../content/downloads/require-worker.ts'
import { setActiveProfile } from '../../content/downloads/store.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { subscriptionFields } from './subscription-fields.ts'

/** State of the notifications of a profile in this browser. */
type PushState =
  | { kind: 'unsupported' }
  /** The viewer has blocked notifications, so the browser does not ask for the permission again. */
  | { kind: 'blocked' }
  | { kind: 'off' | 'on'; publicKey: string }

/** Returns the state of the profile's notifications in this browser. Does not ask for the permission. */
export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return { kind: 'unsupported' }
  if (Notification.permission === 'denied') return { kind: 'blocked' }
  const subscription = await currentSubscription()
  const { publicKey, isOn } = await call(
    pushState,
    subscription === null ? {} : { endpoint: subscription.endpoint },
  )
  return { kind: isOn && Notification.permission === 'granted' ? 'on' : 'off', publicKey }
}

/**
 * Enables notifications of a profile in this browser. Call this in a press handler, because browsers do not ask for
 * the permission otherwise. If the viewer refuses, or enters no parental code, nothing changes.
 *
 * @param publicKey the public key of this service for push messages, from {@link readPushState}
 */
export async function switchOn(
  queryClient: QueryClient,
  publicKey: string,
  profileId: number,
): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  await registerWorker(queryClient)
  await requireWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  const fields = subscriptionFields(await subscriptionFor(pushManager, publicKey))
  let isOn = false
  try {
    await withParentalCode(async (parentalProof) => {
      await call(subscribePush, { ...fields, parentalProof })
      isOn = true
    })
  } finally {
    if (!isOn) await switchOff().catch(reportFault)
  }
  if (!isOn) return
  // The worker shows titles only to the active profile, so it must know this profile.
  await setActiveProfile(profileId)
}

/**
 * Ends the notifications of the profile. If no other profile uses the browser's subscription, ends the
 * subscription too.
 */
export async function switchOff(): Promise<void> {
  const subscription = await currentSubscription()
  if (subscription === null) return
  const { isUsedByOthers } = await call(unsubscribePush, { endpoint: subscription.endpoint })
  if (!isUsedByOthers) await subscription.unsubscribe()
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Returns a push subscription for a public key of the service. Replaces a subscription for an earlier key. */
async function subscriptionFor(pushManager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    const isOfOtherKey = error instanceof DOMException && error.name === 'InvalidStateError'
    const other = isOfOtherKey ? await pushManager.getSubscription() : null
    if (other === null) throw error
    await other.unsubscribe()
    return await pushManager.subscribe(options)
  }
}
