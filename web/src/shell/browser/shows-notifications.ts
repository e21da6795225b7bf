/** Returns whether this browser has a subscription to notifications of this site. */
export async function showsNotifications(): Promise<boolean> {
  return (await currentSubscription()) !== null
}

/**
 * Ends the subscription of this browser after a sign-out. The service has already deleted it. The push service
 * then drops pending messages, so that the next person at this browser does not see another person's messages.
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
