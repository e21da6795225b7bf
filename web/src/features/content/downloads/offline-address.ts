// Shared with the service worker, so this file imports nothing.

/** The cache with the files of all downloads. */
export const DOWNLOADS_CACHE = 'ondine-downloads'

/** Beginning of the names of the caches with the files of the application, one for each build. */
export const SHELL_PREFIX = 'ondine-shell-'

/** Prefix of addresses that only the service worker answers, with files of downloads. */
export const OFFLINE_BASE = '/offline/'

/** The page that opens without a connection and shows the downloads. The page is the same for all viewers. */
export const OFFLINE_PAGE = '/player?offline=true'

/**
 * Returns the address of the offline page, with the requested path of this site in its fragment. The path is in
 * base64, because the router decodes and encodes fragments.
 */
export function offlinePageInsteadOf(path: string): string {
  return `${OFFLINE_PAGE}#${btoa(path)}`
}

/**
 * Returns the requested address from the fragment of the offline page. Returns home if the fragment has no
 * address, or an address of another site.
 */
export function requestedAddress({ hash, origin }: Pick<URL, 'hash' | 'origin'>): string {
  try {
    const requested = new URL(atob(hash.slice(1)), origin)
    // The whole address, because a path that begins with two slashes would lead to another site.
    return requested.origin === origin ? requested.href : origin
  } catch {
    // The fragment of a link that somebody has written may not be base64.
    return origin
  }
}

/** Returns the offline address of a file of the media store, such as `/media/{trackSet}/v720/1.m4s`. */
export function offlineMedia(address: string): string {
  return OFFLINE_BASE + address.slice(1)
}

/** Returns the offline address of a download's manifest. */
export function offlineManifest(key: string): string {
  return `${OFFLINE_BASE}${key}/manifest.mpd`
}

/** Returns the offline address of a download's picture. */
export function offlinePicture(key: string): string {
  return `${OFFLINE_BASE}${key}/picture`
}
