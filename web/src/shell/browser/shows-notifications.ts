/** Returns whether this browser has a subscription to notifications of this site. */
export async function showsNotifications(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  // Not all browsers support push messages.
  if (registration === undefined || !('pushManager' in registration)) return false
  return (await registration.pushManager.getSubscription()) !== null
}
