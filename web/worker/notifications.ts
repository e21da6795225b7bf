import type { PushMessage } from '@ondine/contract/push'
import type { NotificationData } from '../src/shell/browser/shows-notifications.ts'

/** The arguments of `showNotification`. */
interface Shown {
  title: string
  options: NotificationOptions & { data: NotificationData }
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
  const data = isOwn ? { path, profileId } : { path: '/', profileId: null }
  return { title, options: { body, tag, lang: language, dir: 'auto', data } }
}

/**
 * Returns the address that a click opens. It is always on this site, even if the message names another site.
 *
 * @param data the notification's data. Earlier workers stored only the path
 */
export function addressToOpen(data: unknown, origin: string): string {
  const path = typeof data === 'object' && data !== null && 'path' in data ? data.path : data
  const url = typeof path === 'string' ? URL.parse(path, origin) : null
  return url?.origin === origin ? url.href : `${origin}/`
}
