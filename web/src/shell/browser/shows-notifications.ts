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

/** Data of a notification of this site. */
export interface NotificationData {
  /** The page that a click opens. */
  path: string
  /** The profile whose title the notification names; null if it names no title. */
  profileId: number | null
}

/**
 * Closes shown notifications that the viewer must no longer read: after a sign-out all of them, otherwise those that
 * name a title of another profile.
 *
 * @param activeProfile null after a sign-out
 */
export async function closeNotifications(activeProfile: number | null): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  // Not all browsers list notifications.
  if (registration === undefined || !('getNotifications' in registration)) return
  for (const notification of await registration.getNotifications()) {
    const profileId = profileOf(notification.data)
    if (activeProfile === null || (profileId !== null && profileId !== activeProfile)) notification.close()
  }
}

/** Returns `profileId` of a notification's data; undefined for a notification of an earlier worker. */
function profileOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'profileId' in data ? data.profileId : undefined
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  // Not all browsers support push messages.
  if (registration === undefined || !('pushManager' in registration)) return null
  return await registration.pushManager.getSubscription()
}
