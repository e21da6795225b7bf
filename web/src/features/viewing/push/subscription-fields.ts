// Shared with the service worker, so this file imports nothing.

/** Returns a subscription of this browser as the fields of a call. */
export function subscriptionFields(subscription: PushSubscription): {
  endpoint: string
  publicKey: string
  secret: string
} {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, publicKey: keys?.p256dh ?? '', secret: keys?.auth ?? '' }
}
