import type { PushMessage } from '@ondine/contract/push'

/** The arguments of `showNotification`. A click on the notification opens the path in `data`. */
interface Shown {
  title: string
  options: NotificationOptions & { data: string }
}

/**
 * Returns the notification for a message. If the message is not for the active profile, the notification does not
 * name the title, and a click opens home.
 *
 * @param activeProfile the profile that is signed in in this browser; null after a sign-out
 */
export function notificationOf(message: PushMessage, activeProfile: number | null): Shown {
  const { profileId, shown, withheld, tag, path, language } = message
  const isOwn = profileId === activeProfile
  const { title, body } = isOwn ? shown : withheld
  return { title, options: { body, tag, lang: language, dir: 'auto', data: isOwn ? path : '/' } }
}

/** Returns the address that a click opens. It is always on this site, even if the message names another site. */
export function addressToOpen(path: unknown, origin: string): string {
  const url = typeof path === 'string' ? URL.parse(path, origin) : null
  return url?.origin === origin ? url.href : `${origin}/`
}
