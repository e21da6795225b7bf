/** Returns whether this browser has a subscription to notifications of this site. */
export async function showsNotifications(): Promise<boolean> {
  return (await currentSubscription()) !== null
}

/**
 * Ends the subscription of this browser after a sign-out. The service has forgotten it already. The push service drops
 * the messages that it still keeps, so the next person at this browser does not learn whose messages they were.
 */
export async function endNotifications(): Promise<void> {
  await (await currentSubscription())?.unsubscribe()
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  // Not all browsers support push messages.
  if (registration === undefined || !('pushManager' in registration)) return null
  return await registration.pushManager.getSubscription()
}
