import { session } from '@ondine/contract/accounts'
import { pushState, renewPush } from '@ondine/contract/push'
import { subscriptionFields } from '../src/features/viewing/push/subscription-fields.ts'
import { callService } from './call-service.ts'

/** The subscriptions of the event. Each can be missing, because not all browsers include them in the event. */
type Change = Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>

/**
 * Keeps notifications enabled after the subscription of this browser has ended: reports the new subscription to the
 * service. If the browser has not subscribed again, this function subscribes with the same key. Ends the new
 * subscription if the viewer is signed out, or if no profile uses it.
 *
 * @throws Error if the service does not answer. Notifications then stay disabled until the viewer enables them again
 */
export async function renewSubscription(
  { oldSubscription, newSubscription }: Change,
  pushManager: PushManager,
  identityKey: string,
): Promise<void> {
  // The subscription has ended because the viewer has blocked notifications.
  if (Notification.permission !== 'granted') return
  // This call also renews the sign-in, because the token has possibly expired since the last visit.
  const { account } = await callService(session, {}, identityKey)
  if (account === null) {
    await (newSubscription ?? (await pushManager.getSubscription()))?.unsubscribe()
    return
  }
  const applicationServerKey = async () =>
    oldSubscription?.options.applicationServerKey ?? (await callService(pushState, {}, identityKey)).publicKey
  const subscription =
    newSubscription ??
    (await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: await applicationServerKey(),
    }))
  const { isUsed } = await callService(renewPush, subscriptionFields(subscription), identityKey)
  if (!isUsed) await subscription.unsubscribe()
}
