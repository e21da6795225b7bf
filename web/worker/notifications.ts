import type { PushMessage } from '@ondine/contract/push'

/** The arguments of `showNotification`. `data` is the path of the page that a click opens. */
interface Shown {
  title: string
  options: NotificationOptions & { data: string }
}

/**
 * Returns the notification for a message. While another profile watches in this browser, or nobody is signed in, the
 * notification names no title, and a click opens home.
 *
 * @param activeProfile the profile that watches in this browser; null after a sign-out
 */
export function notificationOf(message: PushMessage, activeProfile: number | null): Shown {
  const { profileId, shown, withheld, tag, path, language } = message
  const isOwn = profileId === activeProfile
  const { title, body } = isOwn ? shown : withheld
  return { title, options: { body, tag, lang: language, dir: 'auto', data: isOwn ? path : '/' } }
}

/** Returns the address that a click opens: on this site, whatever the message says. */
export function addressToOpen(path: unknown, origin: string): string {
  const url = typeof path === 'string' ? URL.parse(path, origin) : null
  return url?.origin === origin ? url.href : `${origin}/`
}
